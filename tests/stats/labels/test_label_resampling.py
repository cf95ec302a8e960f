"""Intervals and tests on labels: draws against plain loops, levels on true nulls, finding what is there."""

import numpy as np
import pytest

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError

pytestmark = pytest.mark.more

COEFFICIENTS = ["auc", "balanced-accuracy"]


def draw_data(seed, *, systems=5, documents=60, noise=(1.0, 1.0)):
    rng = np.random.default_rng(seed)
    labels = rng.integers(2, size=(systems, documents)).astype(float)
    metrics = [labels + size * rng.normal(size=labels.shape) for size in noise]
    return (*metrics, labels)


def options(coefficient):
    return {} if coefficient == "auc" else {"threshold": 0.5}


def pair_options(coefficient):
    return {} if coefficient == "auc" else {"thresholds": (0.5, 0.5)}


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_resamples_are_those_of_copied_documents(coefficient):
    x, _, labels = draw_data(0, systems=3, documents=12)
    x[1, 4] = np.nan
    result = stats.label_interval(x, labels, coefficient=coefficient, resamples=20, seed=4, **options(coefficient))
    # One block of draws has the first child of the seed; each resample lists which documents it took.
    rng = np.random.default_rng(np.random.SeedSequence(4).spawn(1)[0])
    for sample, drawn in zip(result.samples, rng.integers(12, size=(20, 12)), strict=True):
        copied = stats.agree_with_labels(x[:, drawn], labels[:, drawn], coefficient=coefficient, **options(coefficient))
        assert sample == pytest.approx(copied.value, abs=1e-12)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("method", ["documents", "systems", "both"])
def test_the_interval_holds_the_value_and_workers_do_not_matter(coefficient, method):
    x, _, labels = draw_data(1)
    chosen = {"coefficient": coefficient, "method": method, "resamples": 600, **options(coefficient)}
    result = stats.label_interval(x, labels, **chosen)
    assert result.low < result.value < result.high
    assert result == stats.label_interval(x, labels, workers=2, **chosen)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("test", [stats.label_permutation_test, stats.label_bootstrap_test])
def test_a_much_better_metric_is_recognised_and_its_mirror_is_not(coefficient, test):
    good, poor, labels = draw_data(2, noise=(0.7, 3.0))
    chosen = {"coefficient": coefficient, **pair_options(coefficient)}
    assert test(good, poor, labels, alternative="greater", **chosen).pvalue < 0.01
    assert test(good, poor, labels, alternative="less", **chosen).pvalue > 0.95
    assert test(poor, good, labels, **chosen).statistic == -test(good, poor, labels, **chosen).statistic


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_a_metric_does_not_beat_itself(coefficient):
    x, _, labels = draw_data(3)
    result = stats.label_permutation_test(x, x, labels, coefficient=coefficient, **pair_options(coefficient))
    assert (result.pvalue, result.statistic) == (1.0, 0.0)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_equally_good_metrics_differ_as_often_as_alpha_says(coefficient):
    # 300 data sets of two equally noisy metrics: about 5% of the tests reject at .05; 2% to 9% is within 3 errors.
    tests = [
        stats.label_permutation_test(
            *draw_data(seed, systems=3, documents=30),
            coefficient=coefficient,
            permutations=199,
            **pair_options(coefficient),
        )
        for seed in range(300)
    ]
    rejected = np.mean([test.pvalue <= 0.05 for test in tests])
    assert 0.02 <= rejected <= 0.09


def test_the_scale_of_a_score_does_not_matter_to_the_auc():
    good, poor, labels = draw_data(4, noise=(1.0, 2.0))
    result = stats.label_permutation_test(good, poor, labels)
    assert stats.label_permutation_test(np.exp(good), 1000 * poor, labels).pvalue == result.pvalue


def test_missing_cells_are_left_out_of_both():
    x, y, labels = draw_data(5)
    holed = x.copy()
    holed[2, ::3] = np.nan
    result = stats.label_permutation_test(holed, y, labels, permutations=50)
    present = np.isfinite(holed)
    assert result.of_y == stats.agree_with_labels(np.where(present, y, np.nan), labels).value


def test_too_little_is_refused():
    with pytest.raises(DataError, match="at least 2 documents"):
        stats.label_interval([[0.1], [0.2], [0.3]], [[0], [1], [1]])
    with pytest.raises(ArgumentError, match="thresholds"):
        stats.label_permutation_test([[0.1, 0.4]], [[0.1, 0.2]], [[0, 1]], coefficient="balanced-accuracy")
    with pytest.raises(ArgumentError, match="alternative"):
        stats.label_permutation_test([[0.1, 0.4]], [[0.1, 0.2]], [[0, 1]], alternative="more")


def test_resamples_without_both_labels_are_an_error():
    """Each of two documents has one label: a resample that draws one of them twice has no other label."""
    refused = 0
    for seed in range(12):
        try:
            result = stats.label_interval([[0.1, 0.2], [0.3, 0.9]], [[0, 1], [0, 1]], resamples=1, seed=seed)
        except DataError as error:
            assert str(error) == "none of the 1 resamples has summaries of both labels"  # noqa: PT017
            refused += 1
        else:
            assert result.undefined == 0
    assert 0 < refused < 12
