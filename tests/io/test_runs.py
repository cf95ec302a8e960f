"""Reading runs: formats, field names, joins, and what is said when a file is wrong."""

import csv
import gzip
import json
import re
from dataclasses import replace

import polars as pl
import pytest

from gistmeter.api import read_run
from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.io.aligned_texts import parse_named_files
from gistmeter.io.runs import open_run

RECORD = {
    "doc_id": "d1",
    "system": "a",
    "summary": "x y",
    "references": ["r1", "r2"],
    "document": "the doc",
    "language": "de",
}


def jsonl(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "name", ["run.jsonl", "run.jsonl.gz", "run.json", "array.json", "run.csv", "run.tsv", "run.parquet"]
)
def test_every_format_gives_the_same_example(tmp_path, name):
    path = tmp_path / name
    if name == "array.json":
        path.write_text(json.dumps([RECORD]))
    elif name.endswith(".gz"):
        path.write_bytes(gzip.compress(json.dumps(RECORD).encode()))
    elif "json" in name:
        jsonl(path, RECORD)
    elif name.endswith("parquet"):
        pl.DataFrame([RECORD]).write_parquet(path)
    else:
        with path.open("w", newline="") as stream:
            writer = csv.writer(stream, delimiter="," if name.endswith("csv") else "\t")
            writer.writerow(RECORD)
            writer.writerow([json.dumps(v) if isinstance(v, list) else v for v in RECORD.values()])
    (example,) = read_run(path)
    assert (example.doc_id, example.system, example.summary) == ("d1", "a", "x y")
    assert (example.references, example.document, example.language) == (("r1", "r2"), "the doc", "de")


@pytest.mark.parametrize(
    ("record", "field", "value"),
    [
        ({"system_id": "b"}, "system", "b"),
        ({"reference": "one"}, "references", ("one",)),
        ({"reference": ["first.", "second."]}, "references", ("first.\nsecond.",)),
        ({"references": [["a.", "b."], "c"]}, "references", ("a.\nb.", "c")),
        ({"source": "src"}, "documents", ("src",)),
        ({"document": ["s1", "s2"]}, "documents", ("s1\ns2",)),
        ({"documents": ["d1", "d2"]}, "documents", ("d1", "d2")),
        ({"summary": {"text": "inside", "sentences": ["no"]}}, "summary", "inside"),
        ({"summary": {"text": "in side", "sentences": "in side"}}, "summary", "in side"),
        ({"summary": {"text": "it rained a lot", "sentences": ["it rained", "a lot"]}}, "summary", "it rained\na lot"),
        (
            {"summary": {"text": "It rained. A lot.", "sentences": ["it rained .", "a lot ."]}},
            "summary",
            "It rained. A lot.",
        ),
        ({"summary": ["one.", "two."]}, "summary", "one.\ntwo."),
        ({"id": 12}, "doc_id", "12"),
        ({}, "doc_id", "1"),
        ({}, "system", "run"),
        ({}, "language", "en"),
        ({"lang": "fr"}, "language", "fr"),
    ],
)
def test_field_names(tmp_path, record, field, value):
    (example,) = read_run(jsonl(tmp_path / "run.jsonl", {"summary": "x", **record}))
    assert getattr(example, field) == value


def test_language_stands_in_where_a_record_is_silent(tmp_path):
    path = jsonl(tmp_path / "run.jsonl", {"id": 1, "summary": "x"}, {"id": 2, "summary": "y", "language": "fr"})
    assert [example.language for example in read_run(path, language="de")] == ["de", "fr"]


def test_documents_and_references_join_by_id(tmp_path):
    run = jsonl(tmp_path / "run.jsonl", {"id": "1", "summary": "x"}, {"id": "2", "summary": "y", "document": "own"})
    documents = jsonl(
        tmp_path / "docs.jsonl", {"doc_id": "1", "document": "joined"}, {"doc_id": "2", "document": "not"}
    )
    references = jsonl(tmp_path / "refs.jsonl", {"doc_id": "1", "references": ["a", "b"]})
    first, second = read_run(run, documents=[documents], references=[references])
    assert (first.document, first.references) == ("joined", ("a", "b"))
    assert (second.document, second.references) == ("own", ())


def test_aligned_lines(tmp_path):
    for name, text in {
        "a.txt": "a1\n\n",
        "b.txt": "b1\nb2\n",
        "r1.txt": "r1\nr2\n",
        "r2.txt": "q1\nq2\n",
        "d.txt": "d1\nd2\n",
    }.items():
        (tmp_path / name).write_text(text)
    run = open_run(
        summaries={"a": str(tmp_path / "a.txt"), "b": str(tmp_path / "b.txt")},
        references=[tmp_path / "r1.txt", tmp_path / "r2.txt"],
        documents=[tmp_path / "d.txt"],
    )
    rows = [(e.doc_id, e.system, e.summary, e.references, e.document) for e in run.examples()]
    assert rows == [
        ("1", "a", "a1", ("r1", "q1"), "d1"),
        ("2", "a", "", ("r2", "q2"), "d2"),
        ("1", "b", "b1", ("r1", "q1"), "d1"),
        ("2", "b", "b2", ("r2", "q2"), "d2"),
    ]


def test_named_files_refuses_a_name_twice():
    with pytest.raises(ArgumentError, match="twice"):
        parse_named_files(["a=1.txt", "a=2.txt"])


def test_blank_lines_and_byte_order_mark_are_passed_over(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b'{"summary": "x", "id": 1}\r\n\r\n{"summary": "y", "id": 2}')
    assert [example.summary for example in read_run(path)] == ["x", "y"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"summary": "x"}\n{"summary": \n', "line 2 of run.jsonl is not valid JSON"),
        (b'{"summary": "x"}\n\n{"summary": "\xff"}\n', "line 3 of run.jsonl is not UTF-8"),
        (b"[1, 2]\n", "line 1 of run.jsonl: a record is an object with named fields, not list"),
        (
            b'{"summry": "x"}\n',
            "line 1 of run.jsonl: there is no `summary`; is it 'summry'? (the record has summry; `fields=",
        ),
        (b'{"summary": 7}\n', "line 1 of run.jsonl: `summary` must be text or a list of sentences, not int"),
        (b'{"summary": "x", "references": 7}\n', "line 1 of run.jsonl: `references` must be a list of texts, not int"),
        (b'{"summary": {"body": "x"}}\n', "`summary` is an object without `text` or `sentences`"),
        (
            b'{"summary": "x", "references": ["a", null]}\n',
            "`references` must be text or a list of sentences, not null",
        ),
    ],
)
def test_a_fault_names_file_and_line(tmp_path, monkeypatch, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.jsonl").write_bytes(content)
    with pytest.raises(DataError, match=re.escape(message)):
        read_run("run.jsonl")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("run.csv", b"summary,reference\nx,y,z\n", "row 1 of run.csv (line 2) has more cells"),
        ("run.csv", b"reference\nx\n", "row 1 of run.csv: there is no `summary`"),
        ("run.csv", b"summary\n\xe9\n", "line 2 of run.csv is not UTF-8"),
        ("run.parquet", b"nonsense", "cannot read run.parquet as Parquet"),
        ("run.jsonl.gz", b"\x1f\x8b\x08nonsense", "cannot read run.jsonl.gz"),
        ("run.docx", b"x", "cannot tell the format of run.docx"),
        ("array.json", b"[{]", "array.json is not valid JSON"),
    ],
)
def test_other_formats_fail_as_clearly(tmp_path, monkeypatch, name, content, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=re.escape(message)):
        read_run(name)


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(DataError, match="there is no such file"):
        read_run(tmp_path / "none.jsonl")
    with pytest.raises(DataError, match="it is a folder"):
        read_run(tmp_path)


def test_unequal_lines_are_counted(tmp_path):
    (tmp_path / "a.txt").write_text("1\n2\n")
    (tmp_path / "r.txt").write_text("1\n")
    run = open_run(summaries={"a": str(tmp_path / "a.txt")}, references=[tmp_path / "r.txt"])
    with pytest.raises(DataError, match=r"a\.txt has 2 lines and .*r\.txt has 1"):
        list(run.examples())


@pytest.mark.data
@pytest.mark.parametrize(
    ("file", "rows"),
    [
        ("summeval/summeval.jsonl.gz", 1600),
        ("realsumm/realsumm.jsonl.gz", 2500),
        ("pyrxsum/pyrxsum.jsonl.gz", 1000),
        ("ffci/faithfulness.jsonl.gz", 2000),
        ("ffci/focus_coverage.jsonl.gz", 540),
        ("ffci/coherence.jsonl.gz", 540),
        ("multi_summeval/multi_summeval.jsonl.gz", 2160),
        ("xsum_hallucination/xsum_hallucination.jsonl.gz", 2500),
    ],
)
def test_the_research_files_read_as_they_are(data, file, rows):
    examples = read_run(data / file)
    assert len(examples) == rows
    assert len({(example.doc_id, example.system) for example in examples}) == rows
    assert all(example.summary for example in examples)


@pytest.mark.data
def test_sentence_lists_of_ffci_documents_join(data):
    examples = read_run(data / "ffci/faithfulness.jsonl.gz", documents=[data / "ffci/faithfulness_documents.jsonl.gz"])
    assert all(len(example.documents) == 1 for example in examples)
    assert sum("\n" in example.document for example in examples) > 1900


def test_an_example_of_several_documents_can_be_replaced():
    example = Example(doc_id="d", system="s", summary="x", documents=("One.", "Two."))
    assert replace(example, summary="y").documents == ("One.", "Two.")
    assert replace(example, summary="y").document == "One.\n\nTwo."
    with pytest.raises(DataError, match="s/d gives both `document` and `documents`"):
        replace(example, document="Three.")


@pytest.mark.data
def test_summaries_without_full_stops_keep_their_sentences(data):
    # FFCI's BERT summaries have no full stops: only the list of sentences says where one ends.
    examples = [item for item in read_run(data / "ffci/coherence.jsonl.gz") if item.system == "BERT"]
    assert len(examples) == 135
    assert all("\n" in example.summary for example in examples)
