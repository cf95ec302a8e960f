"""Files of judgments: what is refused, and how it is named."""

import json
import math

import polars as pl
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


@pytest.mark.parametrize("missing", [None, "", math.nan], ids=["null", "empty", "NaN"])
@pytest.mark.parametrize("field", ["doc_id", "system"])
def test_a_judgment_of_no_summary_is_refused(field, missing):
    """As a frame with an empty cell gives it: it is no judgment of a document that is called nan."""
    with pytest.raises(DataError, match=f"record 2 of the records has judgments but no `{field}`"):
        Judgments.from_records([LONG, LONG | {field: missing, "rater": "bob"}])
    votes = {"doc_id": "d1", "system": "a", "votes": [[1, 0]]}
    with pytest.raises(DataError, match=f"record 1 of the records has judgments but no `{field}`"):
        Judgments.from_votes([votes | {field: missing}])


@pytest.mark.parametrize("missing", [None, "", math.nan], ids=["null", "empty", "NaN"])
def test_what_else_is_missing_is_empty_and_not_called_nan(missing):
    record = LONG | dict.fromkeys(("rater", "scale", "task"), missing)
    row = Judgments.from_records([record]).table.row(0, named=True)
    assert row == LONG | {"rater": "mean", "scale": "", "task": ""}


@pytest.mark.parametrize("missing", [None, "", math.nan], ids=["null", "empty", "NaN"])
def test_a_value_of_no_aspect_is_refused_and_not_dropped(missing):
    with pytest.raises(DataError, match="record 2 of the records has a value but no `aspect`"):
        Judgments.from_records([LONG, LONG | {"aspect": missing, "rater": "bob"}])


def test_a_row_of_no_aspect_is_known_by_its_line(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("doc_id,system,aspect,rater,value\n1,a,focus,ann,3\n\n2,a,,ann,4\n")
    with pytest.raises(DataError, match=r"record 2 of .*people\.csv \(line 4\) has a value but no `aspect`"):
        Judgments.read(path)


@pytest.mark.parametrize(
    ("average", "ratings", "value"),
    [
        (4.6667, [5, 4, 5], 14 / 3),  # the mean, rounded to four decimals
        (4.67, [5, 4, 5], 14 / 3),
        (0.12, [0.125], 0.125),  # a half may be rounded either way
        (0.13, [0.125], 0.125),
        (4.6, [5, 4, 5], 4.6),  # not the mean: another average of theirs
        (4.66, [5, 4, 5], 4.66),
        (4.7, [5, 4, 5], 4.7),  # one decimal may be a grade that people settled on
        (1.0, [1, 1, 0], 1.0),  # a majority
        (0.0, [1, 0, 0], 0.0),
    ],
)
def test_an_average_that_was_rounded_is_the_raters_mean(average, ratings, value):
    record = {"doc_id": "d", "system": "s", "human": {"focus": average}, "annotators": {"focus": ratings}}
    assert Judgments.from_records([record]).means("focus")["value"].to_list() == [value]


def test_an_average_without_its_last_zero_is_as_long_as_its_neighbours():
    # 33 raters, 10 of whom say yes: 0.303, which is 0.3 in a column of two decimals.
    # In a column of one decimal 0.3 stays.
    votes = [1] * 10 + [0] * 23
    records = [
        {
            "doc_id": "d",
            "system": "s",
            "human": {"focus": 0.3, "depth": 0.3},
            "annotators": dict.fromkeys(["focus", "depth"], votes),
        },
        {"doc_id": "e", "system": "s", "human": {"focus": 0.67, "depth": 0.7}},
    ]
    judgments = Judgments.from_records(records)
    assert judgments.means("focus")["value"].to_list() == [10 / 33, 0.67]
    assert judgments.means("depth")["value"].to_list() == [0.3, 0.7]


def test_systems_with_the_same_ratings_tie_though_their_averages_were_rounded():
    # Three documents by three raters. c has 11/3 each time, which is 3.6667 and 11.0001 in all; d has 5, 3 and 3.
    ratings = {"c": ([4, 4, 3],) * 3, "d": ([5, 5, 5], [3, 3, 3], [3, 3, 3])}
    records = [
        {
            "doc_id": f"d{number}",
            "system": system,
            "human": {"focus": round(sum(three) / 3, 4)},
            "annotators": {"focus": three},
        }
        for system, lists in ratings.items()
        for number, three in enumerate(lists)
    ]
    means = Judgments.from_records(records).means("focus").group_by("system").agg(pl.col("value").mean())
    totals = dict(means.iter_rows())
    assert totals["c"] == pytest.approx(totals["d"], abs=1e-14)
