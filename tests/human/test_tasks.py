"""The task (assignment) in which a rater gave a judgment."""

from __future__ import annotations

import json
import statistics
import warnings

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter import meta
from gistmeter.errors import ArgumentError, DataError
from gistmeter.human import rater_table, ratings_alpha, standardise
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


@pytest.mark.parametrize("empty", [None, ""])
def test_an_empty_value_is_no_judgment(empty):
    judgments = Judgments.from_records([ROW, {**ROW, "doc_id": "d2", "value": empty}])
    assert judgments.table["doc_id"].to_list() == ["d1"]


def test_a_value_must_be_a_number():
    with pytest.raises(DataError, match="record 2 of the records: the value of focus is 'good', which is not a number"):
        Judgments.from_records([ROW, {**ROW, "doc_id": "d2", "value": "good"}])


def test_votes_on_units_have_no_task():
    record = {"doc_id": "d", "system": "s", "votes": [[1, 0]]}
    assert Judgments.from_votes([record]).table["task"].to_list() == ["", ""]


def in_tasks(*rows, scale=""):
    """Judgments from rows (doc_id, aspect, rater, task, value)."""
    names = ("doc_id", "aspect", "rater", "task", "value")
    return Judgments.from_records(
        [{**dict(zip(names, row, strict=True)), "system": "s", "scale": scale} for row in rows]
    )


def test_z_scores_within_a_task():
    # ann in task 1: 20 and 40, mean 30, deviation 10. In task 2: 60 and 90, mean 75, deviation 15.
    judgments = in_tasks(
        ("d1", "focus", "ann", "1", 20),
        ("d2", "cover", "ann", "1", 40),
        ("d3", "focus", "ann", "2", 60),
        ("d4", "cover", "ann", "2", 90),
    )
    by_task = standardise(judgments, within="task", across_aspects=True)
    assert by_task.table["value"].to_list() == pytest.approx([-1, 1, -1, 1])
    assert by_task.table["task"].to_list() == ["1", "1", "2", "2"]
    # By rater: mean 52.5, squares 1056.25 + 156.25 + 56.25 + 1406.25 = 2675, deviation sqrt(2675 / 4) = 25.860.
    by_rater = standardise(judgments, across_aspects=True)
    expected = [-32.5 / 25.860, -12.5 / 25.860, 7.5 / 25.860, 37.5 / 25.860]
    assert by_rater.table["value"].to_list() == pytest.approx(expected, abs=1e-4)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("12"), st.integers(0, 100)), min_size=2, max_size=20))
def test_z_scores_within_a_task_equal_plain_ones(rows):
    judgments = in_tasks(*((f"d{i}", "focus", rater, task, value) for i, (rater, task, value) in enumerate(rows)))
    expected = []
    for rater, task, value in rows:
        own = [other for name, where, other in rows if (name, where) == (rater, task)]
        if len(set(own)) > 1:
            expected.append((value - statistics.fmean(own)) / statistics.pstdev(own))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not expected:
            with pytest.raises(DataError, match="no rater gave two different values"):
                standardise(judgments, within="task")
            return
        assert standardise(judgments, within="task").table["value"].to_list() == pytest.approx(expected)


def test_z_scores_within_tasks_need_tasks():
    judgments = in_tasks(("d1", "f", "ann", "1", 20), ("d2", "f", "ann", "1", 40), ("d3", "f", "bob", "", 40))
    with pytest.raises(DataError, match=r"1 of 3 judgments name no `task` \(the first is by bob\)"):
        standardise(judgments, within="task")
    with pytest.raises(ArgumentError, match="`within` cannot be 'tasks'; did you mean task"):
        standardise(judgments, within="tasks")


def test_scales_may_differ_between_tasks():
    first = in_tasks(("d1", "f", "ann", "1", 20), ("d2", "f", "ann", "1", 40), scale="0-100").table
    second = in_tasks(("d3", "f", "ann", "2", 2), ("d4", "f", "ann", "2", 4), scale="1-5").table
    both = Judgments(first.vstack(second))
    assert standardise(both, within="task").table["value"].to_list() == pytest.approx([-1, 1, -1, 1])
    with pytest.raises(DataError, match="several scales"):
        standardise(both)


TWICE = (("d1", "f", "ann", "1", 1), ("d1", "f", "ann", "2", 2), ("d1", "f", "bob", "1", 3), ("d2", "f", "ann", "1", 4))


def test_a_column_is_an_assignment_or_a_rater():
    table = rater_table(in_tasks(*TWICE))
    assert table.raters == ("ann in task 1", "ann in task 2", "bob in task 1")
    np.testing.assert_array_equal(table.values, [[1, 2, 3], [4, np.nan, np.nan]])
    message = r"ann judged f of s/d1 in several tasks \(1 and 2\): let quality control drop the second"
    with pytest.raises(DataError, match=message):
        rater_table(in_tasks(*TWICE), columns="rater")
    with pytest.raises(DataError, match="more than once"):
        rater_table(in_tasks(*TWICE, ("d1", "f", "bob", "1", 5)))
    assert rater_table(in_tasks(*TWICE[1:]), columns="rater").raters == ("ann", "bob")
    frame = table.to_frame()
    assert frame.columns == ["doc_id", "system", "aspect", *table.raters]
    assert frame["bob in task 1"][0] == 3


def test_one_person_twice_is_noted(tmp_path):
    rows = [*TWICE, ("d2", "f", "bob", "1", 5), ("d3", "f", "ann", "1", 2), ("d3", "f", "bob", "1", 2)]
    result = meta.agreement(in_tasks(*rows))
    assert result.notes == (
        "f: 1 judgment of an item that the same rater has in another task, which counts as another rater's",
    )


def test_agreement_by_a_field(tmp_path):
    ratings = {"en": [[1, 2], [3, 3], [5, 4]], "de": [[1, 1], [2, 3], [4, 4]]}
    file = tmp_path / "judged.jsonl"
    with file.open("w") as lines:
        for language, rows in ratings.items():
            for number, values in enumerate(rows):
                record = {"doc_id": f"{language}{number}", "system": "s", "annotators": {"focus": values}}
                lines.write(json.dumps({**record, "language": language}) + "\n")
    result = meta.agreement(file, by="language")
    assert result.to_frame().select("language", "judgment").rows() == [("en", "focus"), ("de", "focus")]
    assert [row.alpha.value for row in result.rows] == [ratings_alpha(rows).value for rows in ratings.values()]
    with pytest.raises(DataError, match=r"record 1 of .* has no `langage` to divide it by; did you mean language"):
        meta.agreement(file, by="langage")
    with pytest.raises(ArgumentError, match="judgments in memory have no fields"):
        meta.agreement(Judgments.read(file), by="language")
