"""A whole run corrupted in one call, and which metrics notice."""

import io
import json
import sys
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from gistmeter.api import score
from gistmeter.cli.main import app
from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.io.runs import open_run
from gistmeter.probe import (
    corrupt,
    corrupt_run,
    detect_errors,
    measure_detection,
    read_labelled_run,
    write_labelled_run,
)

TEXTS = ("The mayor opened a new bridge in Paris.", "Heavy rain closed the old school on Monday.")


def examples():
    return [
        Example(doc_id=str(number), system="a", summary=text, document=text, references=(text,))
        for number, text in enumerate(TEXTS)
    ]


def test_a_run_in_memory_is_corrupted_and_written(tmp_path):
    steps = []
    output = tmp_path / "labelled.jsonl"
    summaries = corrupt_run(examples(), errors=[1, 2], seed=3, output=output, progress=lambda *step: steps.append(step))
    assert summaries == list(corrupt(examples(), errors=[1, 2], seed=3))
    assert read_labelled_run([output]) == summaries
    assert steps[-1] == (2, 2)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


def test_the_references_of_a_document_are_corrupted_once():
    twice = [
        *examples(),
        *(Example(doc_id=e.doc_id, system="b", summary="x", references=e.references) for e in examples()),
    ]
    systems = [summary.example.system for summary in corrupt_run(twice, of="references", errors=1)]
    assert systems == ["reference1", "reference1+1"] * 2


def test_a_labelled_run_is_taken_as_it_is(tmp_path):
    summaries = list(corrupt(examples(), errors=1))
    write_labelled_run(summaries, tmp_path / "labelled.jsonl")
    for run in (tmp_path / "labelled.jsonl", open_run([tmp_path / "labelled.jsonl"])):
        assert corrupt_run(run, errors=7, seed=9) == summaries


@pytest.mark.more
def test_the_command_writes_a_run_without_testing_a_metric(tmp_path):
    record = {"doc_id": "1", "system": "a", "summary": "It rose to 40.", "document": "It rose from 30 to 40."}
    (tmp_path / "run.jsonl").write_text(json.dumps(record) + "\n", "utf-8")
    run, output = str(tmp_path / "run.jsonl"), tmp_path / "wrong.jsonl"
    done = CliRunner().invoke(app, ["corrupt", run, "--words", "negation", "-k", "1", "-o", str(output)])
    assert done.exit_code == 0, done.output
    assert [summary.example.summary for summary in read_labelled_run([output])] == [
        "It rose to 40.",
        "It did not rise to 40.",
    ]


def test_standard_input_is_read_once(monkeypatch):
    records = "".join(json.dumps({"doc_id": "1", "system": "a", "summary": text}) + "\n" for text in TEXTS[:1])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(records.encode())))
    assert [summary.example.system for summary in corrupt_run("-", errors=1)] == ["a", "a+1"]


def test_mistakes_are_told_before_any_work(tmp_path):
    def untouched():
        raise AssertionError("the run was read")
        yield

    with pytest.raises(DataError, match=r"name it \.jsonl"):
        corrupt_run(untouched(), output=tmp_path / "x.csv")
    with pytest.raises(DataError, match="does not exist"):
        corrupt_run(untouched(), output=tmp_path / "no" / "x.jsonl")
    with pytest.raises(ArgumentError, match="summaries"):
        corrupt_run(untouched(), of="documents")
    with pytest.raises(DataError, match="no references with a word"):
        corrupt_run([Example(doc_id="1", system="a", summary="It rained.")], of="references")


def test_detection_is_that_of_the_scores():
    longer = [replace(example, references=(f"{example.summary} It was long.",)) for example in examples()]
    summaries = corrupt_run(longer, errors=[1, 3])
    scores = score([summary.example for summary in summaries], "rouge1,content(against=document)")
    for golden in ("presence", "number"):
        expected = measure_detection(summaries, scores, golden=golden)
        assert detect_errors(summaries, "rouge1,content(against=document)", golden=golden) == expected
    # A summary whose words its reference has loses with every word replaced; content overlooks words such as "in".
    assert [row.pairs for row in expected.rows if row.column.startswith("rouge1.")] == [1, 1, 1]
