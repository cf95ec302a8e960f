"""The task (assignment) in which a rater gave a judgment."""

from __future__ import annotations

import json

import polars as pl
import pytest

from gistmeter.judgments import Judgments

ROW = {"doc_id": "d1", "system": "s", "aspect": "focus", "rater": "ann", "value": 3}


@pytest.mark.parametrize(
    ("record", "rater", "task"),
    [
        ({**ROW, "task": "monday"}, "ann", "monday"),
        ({**ROW, "task": 0}, "ann", "0"),  # a number is a name too, and 0 is not "unknown"
        ({**ROW, "assignment": "A7"}, "ann", "A7"),
        (ROW, "ann", ""),
        ({**ROW, "task": None}, "ann", ""),
        ({**ROW, "rater": None, "worker": "w3", "task": "t"}, "w3", "t"),
    ],
)
def test_a_record_names_its_task(record, rater, task):
    row = Judgments.from_records([record]).table.row(0, named=True)
    assert (row["rater"], row["task"]) == (rater, task)


def test_single_values_of_a_record_share_its_task_and_averages_have_none():
    record = {"doc_id": "d", "system": "s", "annotators": {"focus": [1, 3]}, "human": {"focus": 2}, "task": "t"}
    table = Judgments.from_records([record]).table
    assert table.select("rater", "task").rows() == [("mean", ""), ("rater1", "t"), ("rater2", "t")]


def test_old_files_and_tables_still_read(tmp_path):
    file = tmp_path / "old.jsonl"
    file.write_text(json.dumps({**ROW, "scale": "1-5"}) + "\n")
    assert Judgments.read(file).table["task"].to_list() == [""]
    table = pl.DataFrame([{**ROW, "value": 3.0, "scale": ""}])
    assert Judgments(table).table.columns == [*table.columns, "task"]
    assert Judgments(table).table["task"].to_list() == [""]


def test_votes_on_units_have_no_task():
    record = {"doc_id": "d", "system": "s", "votes": [[1, 0]]}
    assert Judgments.from_votes([record]).table["task"].to_list() == ["", ""]
