"""Means straight from a file, for long runs."""

import pytest

from gistmeter.api import read_run, score_to_file
from gistmeter.demo import demo_run
from gistmeter.ranking.means import measure_means
from gistmeter.report.tables.means import means_sheet


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_means_are_those_of_the_table(tmp_path, suffix, demo_scores):
    path = tmp_path / f"s.{suffix}"
    outcome = score_to_file(read_run(demo_run()), "rouge1", path)
    sheet = means_sheet(measure_means(path, outcome.columns, summaries=outcome.rows))
    assert sheet.columns == ("system", "rouge1.f1 ↑")
    expected = demo_scores.table.select("system", "rouge1.f1").group_by("system", maintain_order=True).mean()
    for (system, value), (name, mean) in zip(sheet.rows, expected.iter_rows(), strict=True):
        assert system == name
        assert value == pytest.approx(mean)
    assert sheet.caption.startswith("Means of 60 summaries")
