"""Raters of known quality on FFCI's items: quality control keeps the good ones, and z-scores find the planted truth."""

import pytest
from bench.figures.studies import simulate_study


@pytest.mark.data
@pytest.mark.more
def test_the_good_are_kept_and_the_truth_is_found(data, tmp_path):
    study = simulate_study(0, tmp_path / "study")
    assert min(study.came[kind] for kind in ("good", "clicking", "always 50", "bot")) > 0
    assert study.passed["good"] == study.came["good"]
    assert study.passed["clicking"] == study.passed["always 50"] == study.passed["bot"] == 0
    assert study.passed["noisy"] < study.came["noisy"]  # they read, but badly: some pass
    assert study.z_scores > study.raw
    everybody = simulate_study(0, tmp_path / "everybody", is_controlled=False)
    assert sum(everybody.passed.values()) == sum(everybody.came.values())
    assert study.z_scores > everybody.z_scores
