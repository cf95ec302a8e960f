"""Study: reading, joining by name, and what is said of what does not fit."""

import json
import re

import numpy as np
import polars as pl
import pytest

from gistmeter import Judgments, Scores, correlate
from gistmeter.errors import ArgumentError, DataError
from gistmeter.meta import Study, open_study
from gistmeter.scores import ScoreColumn

GOOD = {
    "systems": ["a", "b"],
    "documents": ["d1", "d2"],
    "scores": {"m": [[1, None], [3, 4]], "h": [[1, 2], [2, 1]]},
    "human": ["h"],
}


def write_matrix_file(tmp_path, data, name="m.json"):
    path = tmp_path / name
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


def test_a_matrix_file_reads_with_nan_for_null(tmp_path):
    study = Study.read(write_matrix_file(tmp_path, GOOD))
    assert study.metrics == ("m",)
    assert np.isnan(study["m"][0, 1])
    assert study.choose_aspect() == "h"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scores": {"m": [[1, 2]]}}, "m in {file} is 1 x 2, but there are 2 systems and 2 documents"),
        ({"scores": {"m": [["x", 2], [1, 2]]}}, 'm in {file} is not a table of numbers: a has "x" for document d1'),
        ({"human": ["other"]}, "names 'other' as human, but has no such scores"),
        ({"systems": None}, None),
    ],
)
def test_a_wrong_matrix_file_is_named(tmp_path, change, message):
    data = {**GOOD, **change}
    if change.get("systems", 1) is None:
        del data["systems"]
        message = "{file} is not a matrix file: it has no `systems`"
    path = write_matrix_file(tmp_path, data)
    with pytest.raises(DataError, match=re.escape(message.format(file=path))):
        Study.read(path)


def scores_of(rows):
    table = pl.DataFrame(rows, schema=["doc_id", "system", "m.f1"], orient="row")
    return Scores(table, (ScoreColumn("m.f1", "m|v:0"),))


def test_joining_is_by_name_and_lists_what_is_left_out():
    scores = scores_of([("d1", "a", 1.0), ("d1", "b", 2.0), ("d2", "b", 4.0), ("d2", "a", 3.0), ("d3", "c", 9.0)])
    records = [
        {"doc_id": "d2", "system": "b", "human": {"h": 40}},
        {"doc_id": "d1", "system": "a", "human": {"h": 10}},
        {"doc_id": "d1", "system": "z", "human": {"h": 0}},
    ]
    joined = Study.join(scores, Judgments.from_records(records))
    assert joined.systems == ("a", "b")
    assert joined["m.f1"].tolist() == [[1, 3], [2, 4]]
    np.testing.assert_array_equal(joined["h"], [[10, np.nan], [np.nan, 40]])
    assert joined.notes == (
        "left out 1 system without judgments: c",
        "left out 1 document without judgments: d3",
        "left out 1 judged system without scores: z",
    )


def test_nothing_in_common_is_a_mistake():
    judgments = Judgments.from_records([{"doc_id": "x", "system": "a", "human": {"h": 1}}])
    with pytest.raises(DataError, match="share no document"):
        Study.join(scores_of([("d1", "a", 1.0)]), judgments)


RUN = [
    {
        "doc_id": f"d{i}",
        "system": system,
        "summary": f"{system} word{i} same",
        "references": [f"word{i} same", f"{system} other"],
        "human": {"h": i + len(system)},
        "annotators": {"h": [i, i + 1]},
    }
    for i in range(3)
    for system in ("a", "bb", "ccc")
]


def test_a_run_with_judgments_is_scored_first(tmp_path):
    path = write_matrix_file(tmp_path, "\n".join(map(json.dumps, RUN)), "run.jsonl")
    study = open_study(path, metrics=["rouge1.recall"])
    assert study.metrics == ("rouge1.precision", "rouge1.recall", "rouge1.f1")
    assert study["h"][1].tolist() == [2, 3, 4]
    with pytest.raises(ArgumentError, match="say which scores to compute, for example `metrics="):
        open_study(path)


def test_scores_want_judgments(tmp_path):
    path = tmp_path / "s.csv"
    scores_of([("d1", "a", 1.0)]).write(path)
    with pytest.raises(ArgumentError, match="say where people's judgments are with `judgments`"):
        open_study(path)


def test_a_study_has_its_judgments(tmp_path):
    study = Study.from_tables({"m": [[1], [2]], "h": [[1], [2]]}, aspects=["h"])
    assert open_study(study) is study
    with pytest.raises(ArgumentError, match="leave `judgments` out"):
        open_study(study, Judgments.from_records([{"doc_id": "x", "system": "a", "human": {"h": 1}}]))
    with pytest.raises(ArgumentError, match="leave `judgments` out"):
        open_study(write_matrix_file(tmp_path, GOOD), tmp_path / "people.jsonl")
    with pytest.raises(ArgumentError, match="`units` go with summaries"):
        open_study(write_matrix_file(tmp_path, GOOD), units=["units.jsonl"])


@pytest.mark.parametrize(
    ("tables", "aspects", "message"),
    [
        ({}, [], "at least one table"),
        ({"m": [1, 2]}, [], "m is not a table of systems x documents"),
        ({"m": [[1, 2]], "h": [[1], [2]]}, ["h"], "h is 2 x 1, but there is 1 system and 2 documents"),
        ({"m": [[1, 2]]}, ["h"], "the aspect 'h' is not among the tables: m"),
    ],
)
def test_tables_that_are_no_study(tables, aspects, message):
    with pytest.raises(DataError, match=message):
        Study.from_tables(tables, aspects=aspects)


def test_a_score_with_the_name_of_a_judgment_is_not_mistaken_for_it():
    table = pl.DataFrame([("d1", "a", 1.0), ("d1", "b", 0.0)], schema=["doc_id", "system", "h"], orient="row")
    scores = Scores(table, (ScoreColumn("h", "h|v:0"),))
    people = Judgments.from_records({"doc_id": "d1", "system": s, "human": {"h": v}} for s, v in (("a", 1), ("b", 2)))
    joined = Study.join(scores, people)
    assert joined["h"].tolist() == [[1], [2]]
    assert joined.notes == ("left out 1 score with the name of a judgment: h",)
    with pytest.raises(DataError, match="h is a score and a judgment"):
        correlate(scores, people, column="h", aspect="h")
