"""docs/baseline-numbers.md: its rows are metrics that there are, and a slice of it is measured again."""

from pathlib import Path

import numpy as np
import pytest
from bench.figures import baselines
from bench.figures.page import cells

from gistmeter.metrics.registry import parse_metric

PAGE = Path(__file__).parents[2] / "docs" / "baseline-numbers.md"
FOLDS, RELEASED = "Paper 001, Table 1", "Released scores"


def test_every_row_is_a_score_of_a_metric():
    for row in baselines.read_rows():
        assert row.column in {column.name for column in parse_metric(row.metric).columns}, row.name
        assert not row.published or [len(part) for part in row.published] == [4, 4]
    assert len([row for row in baselines.read_rows() if row.published]) == 13  # of the 15: PyrEval has none here


@pytest.mark.parametrize("name", ["AutoSummENG", "MeMoG", "NPowER"])
def test_graphs_are_those_that_were_released(name):
    """Aimed at: r above .95 with released scores of single summaries, on both sets."""
    shown = cells(PAGE.read_text("utf-8"), RELEASED, f"{name}: `")
    assert float(shown[3]) > 0.99
    assert float(shown[6]) > 0.99


@pytest.mark.data
@pytest.mark.parametrize("name", ["ROUGE-1", "AutoSummENG"])
def test_a_row_is_what_the_page_shows(data, name, monkeypatch, tmp_path):
    monkeypatch.setenv("GISTMETER_CACHE", str(tmp_path))
    (row,) = [row for row in baselines.read_rows() if row.name == name]
    assert baselines.measure_folds(row) == cells(PAGE.read_text("utf-8"), FOLDS, f"{name}: `")[1:]


def test_released_percentages_become_shares_and_what_a_regression_predicts_stays():
    np.testing.assert_allclose(baselines.as_shares(np.array([44.9, np.nan, 7.6])), [0.449, np.nan, 0.076])
    np.testing.assert_array_equal(baselines.as_shares(np.array([1.64, 0.24])), [1.64, 0.24])  # S3's range on REALSumm
