"""Files of judgments: what is refused, and how it is named."""

import json

import pytest

from gistmeter import Judgments
from gistmeter.errors import DataError

LONG = {"doc_id": "d1", "system": "a", "aspect": "focus", "rater": "ann", "value": 3}


def write_lines(tmp_path, records):
    path = tmp_path / "people.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    return path


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ([LONG, LONG | {"value": 4}], "rater ann judged focus of a/d1 more than once; keep one of each"),
        (
            [{"doc_id": "d1", "system": "a", "human": {"focus": value}} for value in (1, 2)],
            "the average of focus of a/d1 is given more than once; keep one of each",
        ),
        (
            [LONG | {"doc_id": doc_id} for doc_id in ("d1", "d1", "d2", "d2", "d3", "d3", "d4", "d4", "d5", "d5")],
            "rater ann judged focus of a/d3 more than once, and 2 more; keep one of each",
        ),
    ],
)
def test_duplicates_are_refused_and_named(tmp_path, records, message):
    path = write_lines(tmp_path, records)
    with pytest.raises(DataError) as refused:
        Judgments.read(path)
    assert message in str(refused.value)
    assert str(refused.value).startswith(f"{path}: ")


def test_two_files_may_not_say_the_same_twice(tmp_path):
    path = write_lines(tmp_path, [LONG])
    with pytest.raises(DataError, match="rater ann judged focus of a/d1 more than once"):
        Judgments.from_files([path, path])


def test_raters_and_tasks_tell_judgments_apart(tmp_path):
    records = [LONG, LONG | {"rater": "bob"}, LONG | {"task": "2", "value": 5}, LONG | {"aspect": "coverage"}]
    assert len(Judgments.read(write_lines(tmp_path, records)).table) == 4


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (LONG | {"value": "good"}, "record 1 of {path}: the value of focus is 'good', which is not a number"),
        (LONG | {"value": [3]}, "record 1 of {path}: the value of focus is [3], which is not a number"),
        (LONG | {"value": "inf"}, "record 1 of {path}: the value of focus is infinite"),
        (
            {"doc_id": "d", "system": "a", "human": {"focus": "high"}},
            "record 1 of {path}: the value of focus is 'high', which is not a number",
        ),
        (
            {"doc_id": "d", "system": "a", "annotators": {"focus": [1, "x"]}},
            "record 1 of {path}: the value of focus is 'x', which is not a number",
        ),
        ({"doc_id": "d", "system": "a", "human": 4}, "`human` maps aspects to values"),
        ({"doc_id": "d", "system": "a", "annotators": {"focus": 4}}, "`annotators` gives focus a list of values"),
    ],
)
def test_text_where_a_number_belongs_is_one_sentence(tmp_path, record, message):
    path = write_lines(tmp_path, [record])
    with pytest.raises(DataError) as refused:
        Judgments.read(path)
    assert message.format(path=path) in str(refused.value)


def test_what_is_missing_is_left_out(tmp_path):
    records = [LONG, LONG | {"rater": "bob", "value": None}, LONG | {"rater": "eve", "value": ""}]
    records.append({"doc_id": "d1", "system": "b", "annotators": {"focus": [None, 2, ""]}})
    table = Judgments.read(write_lines(tmp_path, records)).table
    assert table.select("system", "rater", "value").rows() == [("a", "ann", 3.0), ("b", "rater2", 2.0)]
