"""Tables of scores that other programs or people wrote: nothing in them is dropped in silence."""

import json

import pytest

import gistmeter as gm
from gistmeter.errors import DataError
from gistmeter.scores import Scores

TABLE = "doc_id,system,m.f1\n1,a,0.5\n1,b,0.4\n2,a,0.3\n2,b,0.2\n"


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            TABLE.replace("0.3", "n/a"),
            r"s.csv, row 3 \(line 4\): m.f1 of a/2 is 'n/a', which is not a number",
        ),
        (TABLE + "3,a\n", r"row 5 of .*s.csv \(line 6\) has fewer cells than the header has names: 2 instead of 3"),
        (TABLE + "3,a,0.5,0.5\n", r"row 5 of .*s.csv \(line 6\) has more cells than the header has names"),
        (TABLE.replace("m.f1", "system"), "s.csv has two columns named 'system'"),
        (TABLE.replace("0.5", "1e308"), r"s.csv, row 1 \(line 2\): m.f1 of a/1 is 1e\+308, beyond 1e\+100: it cannot"),
        ('doc_id,system,m\n1,a,"0,5"\n1,b,"0,4"\n', "s.csv has no column of numbers: m is '0,5' in its first row"),
        (TABLE + '3,a,"0.5\n', "line 6 of .*s.csv cannot be read as a table"),
    ],
)
def test_csv(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        Scores.read(write(tmp_path / "s.csv", content))


def lines(*values):
    return "\n".join(json.dumps({"doc_id": "1", "system": system, "m": value}) for system, value in zip("abc", values))  # noqa: B905


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lines(0.5, 0.4) + "\n{nope\n", "line 3 of .*s.jsonl is not valid JSON"),
        (lines(0.5).replace("0.5", "[" * 5000 + "]" * 5000), "line 1 of .*s.jsonl is nested too deeply"),
        ('{"doc_id": ["1"], "system": "a", "m": 1}', "s.jsonl: `doc_id` is a name .* not List"),
        (lines(1e308, 0.1), r"s.jsonl, row 1: m of a/1 is 1e\+308, beyond"),
        (lines("x", "y"), "s.jsonl has no column of numbers: m is 'x' in its first row"),
        ("", "there is nothing in .*s.jsonl"),
        ("[" + lines(0.5) + "]", "line 1 of .*s.jsonl: a record is an object with named fields, not list"),
    ],
)
def test_json_lines(tmp_path, content, message):
    with pytest.raises(DataError, match=message):
        Scores.read(write(tmp_path / "s.jsonl", content))


def test_a_byte_order_mark_is_passed_over(tmp_path):
    for name, content in (("s.jsonl", lines(0.5, 0.4)), ("s.csv", TABLE)):
        scores = Scores.read(write(tmp_path / name, b"\xef\xbb\xbf" + content.encode()))
        assert scores.table["doc_id"][0] == "1"


def test_columns_that_are_no_scores_are_named(tmp_path):
    rows = TABLE.splitlines()
    content = "\n".join([rows[0] + ",remark,language", *(f"{row},fine,en" for row in rows[1:])])
    scores = Scores.read(write(tmp_path / "s.csv", content))
    note = "left out 1 column that is no score: remark (text)"
    assert note in gm.rank(scores).notes
    assert note in gm.compare(scores, "a", "b").notes
    assert note not in gm.rank(scores, columns=["m.f1"]).notes


def test_a_table_of_numbers_alone_has_no_such_note(tmp_path):
    assert Scores.read(write(tmp_path / "s.csv", TABLE)).notes == ()
