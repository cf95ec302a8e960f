"""Runs in memory: dicts, frames of three libraries, datasets and lists follow the rules of files."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gistmeter as gm
from gistmeter.errors import ArgumentError, DataError, GistmeterError
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.scoring.inputs import as_run

RECORDS = [
    {"doc_id": "d1", "model": "a", "prediction": "It rained.", "references": ["It rained a lot.", "Rain fell."]},
    {"doc_id": "d2", "model": "a", "prediction": "Snow fell.", "references": ["Snow fell today."]},
]
NAN = float("nan")


class Dataset:
    """What `gm.score` asks of a `datasets.Dataset`: it has columns by name, and its rows are dicts."""

    column_names = ("doc_id", "model", "prediction", "references")

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]

    def __iter__(self):
        return iter(self.rows)


FORMS = {
    "dicts": list,
    "generator": lambda rows: (row for row in rows),
    "pandas": pd.DataFrame,
    "pandas with an index": lambda rows: pd.DataFrame(rows).set_index("doc_id"),
    "pandas with arrays": lambda rows: pa.Table.from_pylist(rows).to_pandas(),
    "pandas of arrow": lambda rows: pa.Table.from_pylist(rows).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame,
    "polars, lazy": lambda rows: pl.DataFrame(rows).lazy(),
    "pyarrow": pa.Table.from_pylist,
    "dataset": Dataset,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_each_form_gives_the_scores_of_the_file(form, tmp_path):
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(map(json.dumps, RECORDS)), encoding="utf-8")
    assert gm.score(form(RECORDS), "rouge1").table.equals(gm.score(file, "rouge1").table)


def test_a_real_dataset_gives_the_scores_of_the_file():
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_list(RECORDS)
    assert gm.score(dataset, "rouge1").table.equals(gm.score(RECORDS, "rouge1").table)
    assert gm.score(dataset.to_iterable_dataset(), "rouge1").table.equals(gm.score(RECORDS, "rouge1").table)
    with pytest.raises(ArgumentError, match=r"a mapping \(train, test\).*one split of a dataset"):
        gm.score(datasets.DatasetDict({"train": dataset, "test": dataset}), "rouge1")


@pytest.mark.parametrize("name", FIELD_NAMES["summary"])
@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame], ids=["pandas", "polars"])
def test_columns_have_the_names_that_fields_have(form, name):
    scores = gm.score(form([{name: "It rained.", "highlights": "It rained a lot.", "article": "Rain."}]), "rouge1")
    assert scores.row("1", "system")["rouge1.recall"] == 0.5  # 2 of the 4 words of the reference


@pytest.mark.more
@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=8), st.text(min_size=1, max_size=8)), min_size=1, max_size=4))
def test_any_texts_go_through_every_frame_alike(pairs):
    rows = [{"doc_id": str(number), "summary": a, "reference": b} for number, (a, b) in enumerate(pairs)]
    expected = list(as_run(rows).examples())
    for form in (pd.DataFrame, pl.DataFrame, pa.Table.from_pylist):
        assert list(as_run(form(rows)).examples()) == expected


@pytest.mark.filterwarnings("ignore::gistmeter.errors.GistmeterWarning")
def test_lists_belong_together_item_by_item():
    lists = {"references": ["It rained a lot.", ["Snow fell.", "Snow."]], "documents": ["Rain.", ["Snow.", "Ice."]]}
    scores = gm.score(predictions={"a": ["It rained.", "Snow fell."], "b": ["Rain.", ""]}, metrics="rouge1", **lists)
    assert scores.table.select("doc_id", "system").rows() == [("1", "a"), ("2", "a"), ("1", "b"), ("2", "b")]
    assert scores.row("1", "a")["rouge1.recall"] == 0.5
    # A column of a frame, and an array, are lists.
    alone = gm.score(
        predictions=pd.Series(["It rained.", "Snow fell."]), references=np.array(["Rain.", "Snow."]), metrics="rouge1"
    )
    assert alone.systems == ["system"]


def test_columns_of_other_names_are_mapped():
    mapped = gm.score(
        pd.DataFrame({"text": ["It rained."], "gold": ["It rained a lot."]}),
        "rouge1",
        fields={"summary": "text", "reference": "gold"},
    )
    assert mapped.row("1", "system")["rouge1.recall"] == 0.5
    with pytest.raises(GistmeterError, match="sumary"):
        gm.score(RECORDS, "rouge1", fields={"sumary": "prediction"})
    with pytest.raises(GistmeterError, match="output"):
        gm.score(RECORDS, "rouge1", fields={"summary": "output"})


def test_the_language_is_an_argument():
    scores = gm.score(predictions=["Es regnete."], references=["Regen."], metrics="rouge1", language="de")
    assert "language:de" in scores.signatures["rouge1.f1"]


def frame(**columns):
    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ({"run": frame(summary=["a", None], reference=["a", "b"])}, r"row 2 of the frame: `summary` is missing"),
        ({"run": frame(summary=["a", NAN], reference=["a", "b"])}, r"row 2 of the frame: `summary` is missing"),
        ({"run": frame(summary=["a", pd.NA], reference=["a", "b"])}, r"row 2 of the frame: `summary` is missing"),
        ({"run": frame(summary=["a", "b"], reference=["a", NAN])}, r"needs `references`, but system/2 \(row 2 of the"),
        ({"run": [{"summary": "a", "reference": NAN}]}, r"needs `references`, but system/1 \(example 1 of"),
        ({"run": frame(summary=["a", 3.5], reference=["a", "b"])}, r"row 2 of the frame: `summary` must be text"),
        ({"run": frame(summry=["a"], reference=["b"])}, r"row 1 of the frame: there is no `summary`; is it 'summry'"),
        ({"run": frame(text=["a"], reference=["b"])}, r"\(the record has text, reference; `fields=.* says which"),
        ({"run": frame(summary=["a"])}, r"rouge1 needs `references`, but system/1 \(row 1 of the frame\) has none"),
        ({"run": frame(doc_id=[1, 1], summary=["a", "b"], reference=["c", "d"])}, r"row 2 of the frame: .*twice"),
        ({"run": pd.DataFrame([["a", "b"]], columns=["summary", "summary"])}, r"the frame cannot be read: .*'summary'"),
        ({"run": frame()}, "there are no summaries in the run"),
        ({"run": pd.Series(["a"])}, "a column of one: texts are given as `predictions=`"),
        ({"run": ["It rained a lot."]}, "item 1 is a text: give summaries as `predictions=`"),
        ({"run": {"summary": "x"}}, r"a mapping \(summary\): give \[record\] for a single record"),
        ({"run": 3}, "`run` is a file, examples or dicts, a frame or a dataset, not int"),
        ({"run": [3]}, "example 1 of the examples given: a record is an object with named fields, not int"),
        ({"run": [], "predictions": ["a"]}, "`run` and `predictions` both say what to score"),
        ({"run": [], "references": ["a"]}, "`references` goes with `predictions`"),
        ({}, "`run` or `predictions` says what to score"),
        ({"predictions": []}, "`predictions` is empty"),
        ({"predictions": "abc"}, "`predictions` is a list"),
        ({"predictions": {"x": "abc"}}, "`predictions` is a list .* or a mapping"),
        ({"predictions": ["a"], "references": "abc"}, "`references` is a list"),
        ({"predictions": ["a", "b"], "references": ["a"]}, "`predictions` has 2 items and `references` has 1: item i"),
        ({"predictions": ["a", "b"], "documents": ["a"] * 3}, "`predictions` has 2 items and `documents` has 3"),
        ({"predictions": {"x": ["a"], "y": []}}, r"`predictions\['x'\]` has 1 item and `predictions\['y'\]` has 0"),
        ({"predictions": ["a", "b"], "references": [["a", "b"]]}, r"give list\(zip\(\*references\)\)"),
        ({"predictions": ["a", None], "references": ["a", "b"]}, "item 2 of `predictions`: `summary` is missing"),
        ({"predictions": ["a", "b"], "references": ["a", None]}, r"needs `references`, but system/2 \(item 2 of"),
        ({"predictions": ["a"], "references": [["x", None]]}, "item 1 of `predictions`: `references` must be text"),
    ],
)
def test_a_wrong_shape_is_a_sentence_with_the_row_and_a_way_out(call, sentence):
    with pytest.raises(GistmeterError, match=sentence):
        gm.score(metrics="rouge1", **call)


def test_a_frame_can_be_explained_and_reported(tmp_path):
    run = pd.DataFrame(RECORDS)
    assert gm.explain(run, "rouge1", doc_id="d1", system="a")["rouge1"].panes[0].text == "It rained."
    gm.write_report(gm.score(run, "rouge1"), tmp_path / "report.html", run=run)
    assert "It rained a lot." in (tmp_path / "report.html").read_text("utf-8")


def test_a_frame_is_streamed_to_a_file(tmp_path):
    scores = gm.score(pl.DataFrame(RECORDS), "rouge1", output=tmp_path / "scores.parquet", cache=False)
    assert scores.table.equals(gm.score(RECORDS, "rouge1").table)
    with pytest.raises(DataError, match="do not say where they came from"):
        gm.explain(tmp_path / "scores.parquet", "rouge1", doc_id="d1", system="a")
