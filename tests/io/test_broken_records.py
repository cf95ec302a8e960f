"""Runs, judgments and units that are broken or of another shape: one sentence with the file and the line."""

import gzip
import json

import pytest

import gistmeter as gm
from gistmeter.errors import DataError
from gistmeter.judgments import Judgments

DEEP = "[" * 100_000 + "]" * 100_000
HUGE = "1" + "0" * 400  # more than a float holds
HUGER = "1" + "0" * 6000  # more than Python turns into an integer


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


JUDGED = '"doc_id": "1", "system": "a", "aspect": "focus", "rater": "ann", "value": 3'


def judged(field, value):
    """A blank line, then a record with a field of another value."""
    fields = json.loads("{" + JUDGED + "}")
    return (
        "\n{" + ", ".join(f'"{name}": {value if name == field else json.dumps(fields[name])}' for name in fields) + "}"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (judged("value", HUGE), r"record 1 of .*j.jsonl \(line 2\): the value of focus is infinite"),
        (judged("value", HUGER), "line 2 of .*j.jsonl is not valid JSON: .*: Integer value out of range"),
        (judged("value", "1e308"), r"record 1 of .*\(line 2\): the value of focus is 1e\+308, beyond 1e\+100"),
        (judged("value", "[3]"), r"record 1 of .*\(line 2\): the value of focus is \[3\], which is not a number"),
        (judged("value", DEEP), "line 2 of .*j.jsonl is nested too deeply"),
        (judged("rater", "[1]"), r"record 1 of .*\(line 2\): `rater` is a name \(a text or a number\), not list"),
        (judged("aspect", "{}"), r"record 1 of .*\(line 2\): `aspect` is a name .* not dict"),
        (judged("doc_id", "[1]"), r"record 1 of .*\(line 2\): `doc_id` is a name .* not list"),
        (judged("system", '{"name": "a"}'), r"record 1 of .*\(line 2\): `system` is a name .* not dict"),
        ("{" + JUDGED + '}\n{"scale": [1], ' + JUDGED + "}", "record 2 of .*j.jsonl: `scale` is a name .* not list"),
        ("{" + JUDGED + "}\n{" + JUDGED + "}", "rater ann judged focus of a/1 more than once; keep one of each"),
        ('{"doc_id": "1", "system": "a", "human": [4]}', r"record 1 of .*: `human` maps aspects to .* unlike \[4\]"),
        ('{"doc_id": "1", "system": "a", "human": {"focus": {}}}', "the value of focus is {}, which is not a number"),
        (
            '{"doc_id": "1", "system": "a", "annotators": {"focus": {"ann": 3}}}',
            "focus a list of values, .* unlike {'ann",
        ),
        ('{"doc_id": "1", "system": "a", "annotators": {"focus": [[3]]}}', r"value of focus is \[3\], which is not"),
        ('{"worker": "w", "task": "t", "z": {"ES-1-REFERENCE-SYSTEM-A": "x"}}', "value of ES-1.* is 'x', which is not"),
        ('{"worker": "w", "task": "t", "z": {"ES-1": 0.5}}', "record 1 of .*: 'ES-1' names no item"),
        ("[1, 2]", "line 1 of .*j.jsonl: a record is an object with named fields, not list"),
        ('{"doc_id": "1", "system": "a", "annotators": {"focus": "345"}}', "focus a list of values, .* unlike '345'"),
        (gzip.compress(("{" + JUDGED + "}\n").encode() * 99)[:-9], "cannot read .*j.jsonl: it is no whole gzip file"),
    ],
)
def test_judgments(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        Judgments.read(write(tmp_path / "j.jsonl", content))


def test_a_row_of_judgments_is_known_by_its_line(tmp_path):
    file = write(tmp_path / "j.csv", 'doc_id,system,focus\n"1\n",a,3\n2,a,x\n3,a,4\n')
    with pytest.raises(DataError, match=r"record 2 of .*j.csv \(line 4\): the value of focus is 'x'"):
        Judgments.read(file)
    nested = write(tmp_path / "k.csv", "doc_id,system,focus\n1,a," + "[" * 50_000 + "]" * 50_000 + "\n2,a,3\n")
    with pytest.raises(DataError, match=r"record 1 of .*k.csv \(line 2\): the value of focus is '\[\[\["):
        Judgments.read(nested)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("units", f'[{{"text": "a", "weight": {HUGE}}}]', r"unit 1: the weight of a content unit is at most 1e\+100"),
        ("units", '[{"text": "a", "weight": 1e308}]', r"unit 1: the weight .* is at most 1e\+100, not 1e\+308"),
        ("units", f'[{{"text": "a", "sentence": {HUGE}}}]', r"unit 1: the sentence .* is counted from 0, not 1000"),
        ("units", '[{"text": 3}]', "unit 1: a content unit has no text"),
        ("units", '[{"text": "a", "weight": true}]', "unit 1: the weight of a content unit is a number, not True"),
        (
            "units",
            '[{"text": "a", "sentence": 1.5}]',
            "unit 1: the sentence of a content unit is counted from 0, not 1.5",
        ),
        ("units", '[{"text": "a", "spans": {"start": 0}}]', "unit 1: `spans` must be a list of objects .*, not dict"),
        ("units", '[{"text": "a", "spans": [[0, 4]]}]', r"unit 1: a span is an object with .*, not \[0, 4\]"),
        ("units", '[{"text": "a", "spans": [{"start": 0}]}]', "unit 1: a span is an object with `start`, `end`"),
        (
            "units",
            '[{"text": "a", "spans": [{"start": 0, "end": 4, "of": 1}]}]',
            "unit 1: a span is an object with `start`, `end` and perhaps `reference`",
        ),
        (
            "units",
            '[{"text": "a", "spans": [{"start": "0", "end": 4}]}]',
            "unit 1: a span of a content unit goes from a character to a later one, not from '0' to 4",
        ),
        (
            "units",
            '[{"text": "a", "spans": [{"start": 4, "end": 4}]}]',
            "unit 1: a span of a content unit goes from a character to a later one, not from 4 to 4",
        ),
        (
            "units",
            '[{"text": "a", "spans": [{"start": 0, "end": 4, "reference": -1}]}]',
            "unit 1: the reference of a span is counted from 0, not -1",
        ),
        ("units", '{"text": "a"}', "`units` must be a list of texts, or of objects .*, not dict"),
        ("units", '[["a"]]', "unit 1 is a text or an object with `text`, not list"),
        ("units", f'[{{"text": "a", "weight": {DEEP}}}]', "is nested too deeply"),
        ("units", f'[{{"text": "a", "weight": {HUGER}}}]', "is not valid JSON: .*: Integer value out of range"),
        ("doc_id", "[1]", r"`doc_id` is a name \(a text or a number\), not list"),
        ("system", '{"a": 1}', "`system` is a name .* not dict"),
        ("language", '["en"]', "`language` is a name .* not list"),
    ],
)
def test_units_and_names_of_a_run(tmp_path, field, value, message):
    record = {"doc_id": '"1"', "system": '"a"', "summary": '"Rain."', field: value}
    line = "{" + ", ".join(f'"{name}": {text}' for name, text in record.items()) + "}"
    with pytest.raises(DataError, match=f"line 2 of .*r.jsonl:? {message}"):
        gm.read_run(write(tmp_path / "r.jsonl", "\n" + line))


def test_judgments_and_units_with_a_byte_order_mark_are_read(tmp_path):
    judgments = Judgments.read(write(tmp_path / "j.jsonl", "\ufeff{" + JUDGED + "}"))
    assert judgments.table["value"].to_list() == [3.0]
    rows = Judgments.read(write(tmp_path / "j.csv", "\ufeffdoc_id,system,focus\n1,a,3\n"))
    assert rows.table["aspect"].to_list() == ["focus"]
    record = {"doc_id": "1", "system": "a", "summary": "Rain.", "units": ["It rained."]}
    run = write(tmp_path / "r.jsonl", "\ufeff" + json.dumps(record))
    assert [example.units[0].text for example in gm.read_run(run)] == ["It rained."]


def test_a_cut_file_of_units_is_one_sentence(tmp_path):
    run = write(tmp_path / "r.jsonl", '{"doc_id": "1", "system": "a", "summary": "Rain."}')
    line = json.dumps({"doc_id": "1", "units": ["It rained."]}) + "\n"
    units = write(tmp_path / "u.jsonl.gz", gzip.compress(line.encode())[:-9])
    with pytest.raises(DataError, match=r"cannot read .*u\.jsonl\.gz: it is no whole gzip file"):
        gm.read_run(run, units=[units])


def test_a_truncated_run_is_one_sentence(tmp_path):
    line = json.dumps({"doc_id": "1", "summary": "It rained.", "references": ["Rain."]}) + "\n"
    file = write(tmp_path / "r.jsonl.gz", gzip.compress(line.encode() * 9)[:-9])
    with pytest.raises(
        DataError, match=r"cannot read .*r\.jsonl\.gz: it is no whole gzip file \(Compressed file ended"
    ):
        gm.score(file, "rouge1")
