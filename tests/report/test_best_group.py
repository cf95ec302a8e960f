"""Bold says what the letters say, in every form of a table; one document has no interval; the order is named."""

import json
import math

import polars as pl
import pytest

from gistmeter import api
from gistmeter.report.page.payload import script_json
from gistmeter.report.tables.board import list_best, ranking_board
from gistmeter.scores import Scores

DOCUMENTS = 12


@pytest.fixture
def ranking():
    """`first` and `second` differ by chance alone, `third` is worse on each document; by `rouge2` all are alike."""
    wobble = [0.05, -0.045] * (DOCUMENTS // 2)
    first = [0.5 + 0.01 * number for number in range(DOCUMENTS)]
    second = [value - shift for value, shift in zip(first, wobble, strict=True)]
    third = [value - 0.1 for value in first]
    table = pl.DataFrame(
        {
            "doc_id": [f"{number}" for number in range(DOCUMENTS)] * 3,
            "system": ["first"] * DOCUMENTS + ["second"] * DOCUMENTS + ["third"] * DOCUMENTS,
            "rouge1": [*first, *second, *third],
            "rouge2": [*third, *third, *third],
        }
    )
    return api.rank(Scores.from_metadata(table, None), resamples=100)


def test_bold_is_the_best_group_and_not_the_highest_mean(ranking):
    by_rouge1, by_rouge2 = ranking.columns
    assert [system.group for system in by_rouge1.systems] == ["a", "a", "b"]
    assert list_best(by_rouge1) == {"first", "second"}
    assert list_best(by_rouge2) == {"first", "second", "third"}
    bold = {row.system: [cell.best for cell in row.cells] for row in ranking_board(ranking).rows}
    assert bold == {"first": [True, True], "second": [True, True], "third": [False, True]}


def test_numbers_that_are_written_alike_are_not_bold_for_that():
    # All twelve documents lose a bit too small to be seen in three decimals.
    values = [0.5 + 0.01 * number for number in range(DOCUMENTS)]
    table = pl.DataFrame(
        {
            "doc_id": [f"{number}" for number in range(DOCUMENTS)] * 2,
            "system": ["above"] * DOCUMENTS + ["below"] * DOCUMENTS,
            "rouge1": [*values, *(value - 0.00001 for value in values)],
        }
    )
    [above, below] = ranking_board(api.rank(Scores.from_metadata(table, None))).rows
    assert above.cells[0].value == below.cells[0].value
    assert [row.cells[0].letters for row in (above, below)] == ["a", "b"]
    assert [row.cells[0].best for row in (above, below)] == [True, False]


@pytest.mark.parametrize(("form", "bold"), [("--markdown", "**"), ("--latex", r"\textbf{"), ("--html", "<strong>")])
def test_every_form_marks_the_same(checked_command, tmp_path, ranking, form, bold):
    rows = [(f"{number}", system) for system in ("first", "second", "third") for number in range(DOCUMENTS)]
    table = pl.DataFrame(rows, schema=["doc_id", "system"], orient="row").with_columns(
        rouge1=pl.Series([0.5, 0.6] * DOCUMENTS + [0.1, 0.2] * (DOCUMENTS // 2))
    )
    table.write_csv(tmp_path / "s.csv")
    lines = checked_command("rank", "s.csv", form).stdout.splitlines()
    marked = {name: any(name in line and bold in line for line in lines) for name in ("first", "second", "third")}
    assert marked == {"first": True, "second": True, "third": False}


def test_the_page_has_what_the_table_has(ranking):
    from gistmeter.report.page.payload import _column_ranking_data

    entries = _column_ranking_data(ranking.columns[0], {"first": 0, "second": 1, "third": 2})["systems"]
    assert [entry[-1] for entry in entries] == [True, True, False]
    assert json.loads(script_json(entries))


def test_the_order_and_the_bold_are_explained(ranking):
    assert ranking_board(ranking).caption.endswith("Sorted by rouge1; bold: not significantly worse than the best.")
    single = api.rank(Scores.from_metadata(pl.DataFrame({"doc_id": ["1"], "system": ["a"], "rouge1": [0.5]}), None))
    assert ranking_board(single).caption == "1 document: no intervals."


def test_one_document_has_no_interval(checked_command, tmp_path):
    table = pl.DataFrame({"doc_id": ["1", "1"], "system": ["a", "b"], "rouge1": [0.5, 0.25]})
    [column] = api.rank(Scores.from_metadata(table, None)).columns
    assert all(math.isnan(bound) for system in column.systems for bound in (system.low, system.high))
    [difference] = api.compare(Scores.from_metadata(table, None), "a", "b").differences
    assert math.isnan(difference.low)
    table.write_csv(tmp_path / "s.csv")
    for line in (["rank", "s.csv"], ["compare", "s.csv", "a", "b"]):
        output = checked_command(*line).stdout
        assert "[" not in output
        assert "no intervals" in output
    assert json.loads(checked_command("rank", "s.csv", "--json").stdout)["columns"][0]["systems"][0]["low"] is None
