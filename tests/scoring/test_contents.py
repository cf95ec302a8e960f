"""Scores keep a digest of what was scored: a run that has changed since is neither reported nor explained."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import gistmeter as gm
from gistmeter import api
from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.scores import Scores
from gistmeter.scoring.contents import PARTS, compare_contents, describe_content

RUN = [
    {
        "doc_id": doc_id,
        "system": system,
        "summary": f"It rained in {doc_id}, said {system}.",
        "references": [f"Rain fell in {doc_id}."],
        "document": f"It rained all day in {doc_id}.",
        "units": [f"It rained in {doc_id}."],
    }
    for doc_id in ("d1", "d2", "d3")
    for system in ("a", "b")
]


def write_run(records, name="run.jsonl"):
    with Path(name).open("w") as out:
        out.writelines(json.dumps(record) + "\n" for record in records)


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_run(RUN)


def changed(**fields):
    """The run with other fields in the record of d2 by b."""
    return [record | (fields if (record["doc_id"], record["system"]) == ("d2", "b") else {}) for record in RUN]


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"summary": "It rained in d2, said b!"}, "summary"),
        ({"language": "de"}, "summary"),
        ({"references": ["Rain fell in d2.", ""]}, "references"),
        ({"references": []}, "references"),
        ({"document": "It rained all night in d2."}, "document"),
        ({"units": [{"text": "It rained in d2.", "weight": 2}]}, "units"),
    ],
)
def test_a_changed_run_is_not_reported_or_explained(suffix, fields, part):
    gm.score("run.jsonl", "rouge1", output=f"s.{suffix}")
    assert api.report_scores(f"s.{suffix}", "r.html").notes == ()
    assert api.explain_summary("run.jsonl", "d2", "b", "rouge1", scores=f"s.{suffix}").notes == ()
    write_run(changed(**fields))
    message = rf"the run has changed since it was scored: the {part} of 1 document \(d2\); score again"
    with pytest.raises(DataError, match=message):
        api.report_scores(f"s.{suffix}", "r2.html")
    with pytest.raises(DataError, match=message):
        api.explain_summary("run.jsonl", "d2", "b", "length", scores=f"s.{suffix}")
    assert api.explain_summary("run.jsonl", "d2", "a", "rouge1", scores=f"s.{suffix}").notes == ()


def test_all_that_changed_is_named_at_once():
    scores = gm.score("run.jsonl", "rouge1")
    write_run([record | {"summary": "x", "references": [record["system"]]} for record in RUN])
    with pytest.raises(DataError, match=r"the summary of 3 documents \(d1, d2, d3\) and the references of 3 documents"):
        gm.write_report(scores, "r.html", run="run.jsonl")


def test_new_summaries_and_their_order_change_nothing():
    gm.score("run.jsonl", "rouge1", output="s.parquet")
    write_run([{**RUN[0], "doc_id": "d9"}, *reversed(RUN)])
    assert api.report_scores("s.parquet", "r.html").notes == ()


def test_a_run_that_is_named_may_lack_what_was_joined_to_it():
    write_run([{"doc_id": f"d{number}", "reference": "Rain."} for number in (1, 2, 3)], "references.jsonl")
    without = [{key: value for key, value in record.items() if key != "references"} for record in RUN]
    write_run(without)
    gm.score(gm.read_run("run.jsonl", references=["references.jsonl"]), "rouge1", output="s.parquet")
    assert api.report_scores("s.parquet", "r.html", run="run.jsonl").notes == ()
    write_run([record | {"summary": "Other."} for record in without])
    with pytest.raises(DataError, match="the summary of 3 documents"):
        api.report_scores("s.parquet", "r.html", run="run.jsonl")


def test_scores_of_an_earlier_version_are_reported_with_a_note():
    gm.score("run.jsonl", "rouge1", output="s.csv")
    pl.read_csv("s.csv").drop("_content").write_csv("s.csv")
    [note] = api.report_scores("s.csv", "r.html").notes
    assert "keep no digests of the texts" in note
    assert "score again" in note
    [note] = api.explain_summary("run.jsonl", "d1", "a", "rouge1", scores="s.csv").notes
    assert "keep no digests of the texts" in note


@pytest.mark.parametrize("suffix", ["parquet", "csv", "jsonl"])
def test_digests_are_no_scores(suffix):
    written = gm.score("run.jsonl", "rouge1,bleu", output=f"s.{suffix}")
    in_memory = gm.score("run.jsonl", "rouge1,bleu")
    assert written.table.equals(in_memory.table)
    assert written.contents.equals(in_memory.contents)
    assert "_content" not in written.table.columns
    assert "_content" not in written.row("d1", "a")
    assert {column.column.name for column in gm.rank(written).columns} <= set(written.signatures)
    written.write(f"again.{suffix}")
    assert Scores.read(f"again.{suffix}").contents.equals(in_memory.contents)


def test_a_table_without_its_metadata_has_no_digests_among_its_scores(tmp_path):
    gm.score("run.jsonl", "rouge1", output="s.csv")
    (tmp_path / "s.csv.meta.json").unlink()
    assert list(Scores.read("s.csv").signatures) == ["rouge1.precision", "rouge1.recall", "rouge1.f1"]


def test_joined_scores_of_other_texts_are_noted():
    first = gm.score("run.jsonl", "rouge1")
    write_run(changed(summary="Other."))
    other = gm.score("run.jsonl", "rouge2")
    [note] = Scores.join({"one.csv": first, "two.csv": other}).notes
    assert note == "one.csv and two.csv are scores of different texts of the same summaries (d2): score again"
    assert Scores.join({"one.csv": first, "two.csv": gm.score([*map(as_example, RUN)], "rouge2")}).notes == ()


def as_example(record):
    return Example(**record)


def test_digests_by_hand():
    """Four parts; one that is empty has no digest; a part depends on nothing but itself."""
    example = as_example(RUN[0])
    digests = describe_content(example).split(".")
    assert len(digests) == len(PARTS) == 4
    assert all(len(digest) == 8 for digest in digests)
    bare = describe_content(Example(doc_id="x", system="y", summary=example.summary))
    assert bare == f"{digests[0]}..."
    assert describe_content(Example(doc_id="x", system="y", summary="\ud800")).count(".") == 3
    # ("a", "b") and ("ab",) are other references, though they spell the same letters.
    pairs = [Example(doc_id="1", system="a", summary="s", references=texts) for texts in (("a", "b"), ("ab",))]
    assert describe_content(pairs[0]) != describe_content(pairs[1])
    scores = gm.score([example], "length")
    assert compare_contents(scores, [example]).compared == 1
    assert compare_contents(replace(scores, contents=None), [example]).compared == 0  # nothing to compare with
