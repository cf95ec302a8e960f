"""Answers by groups as sheets: a column for each group, with intervals or marks where the answer has them."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any

from gistmeter.report.tables.numbers import NumberCell, format_pvalue
from gistmeter.report.tables.sheet import Sheet
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from gistmeter import meta
    from gistmeter.report.tables.sheet import Mark

_KEYS = ("human", "level", "coefficient")


def grouped_sheet(result: meta.GroupedAnswer) -> Sheet:
    """The table of all groups; an aspect, level or coefficient that all rows have stands in the caption."""
    records = result.records()
    varied = [key for key in _KEYS if len({record[key] for record in records}) > 1]
    rows: list[dict[str, Any]] = []
    marks: dict[tuple[int, int], Mark] = {}
    for number, (row, record) in enumerate(zip(result.rows, records, strict=True)):
        shown = {"metric": row.metric, **{key: record[key] for key in varied}}
        first = len(shown)
        for position, (name, cell) in enumerate(zip(result.columns, row.cells, strict=True)):
            shown[name] = _make_cell(row.metric, cell)
            if cell is not None and (cell.best or cell.tied):
                marks[number, first + position] = "best" if cell.best else "tied"
        rows.append(shown | _summary(row))
    return replace(Sheet.of(rows, caption=grouped_caption(result), notes=result.notes), marks=marks)


def _make_cell(metric: str, cell: meta.GroupCell | None) -> float | str | NumberCell | None:
    """A number; with its interval, if it has one; a p-value as such."""
    if cell is None:
        return None
    if metric == "p":
        return format_pvalue(cell.value)
    return cell.value if isnan(cell.low) or isnan(cell.high) else NumberCell(cell.value, cell.low, cell.high, bounds=2)


def _summary(row: meta.GroupRow) -> dict[str, Any]:
    """The mean and the rank; p-values have no mean, and what is no metric has no rank."""
    return {"mean": None if row.metric == "p" else row.mean, "rank": None if isnan(row.rank) else f"{row.rank:.2f}"}


def grouped_caption(result: meta.GroupedAnswer) -> str:
    """What was correlated with what, in which groups, and what is marked."""
    first = result.rows[0]
    same = [
        text
        for text, count in (
            (f"{first.level} level", len({row.level for row in result.rows})),
            (first.coefficient, len({row.coefficient for row in result.rows})),
        )
        if count == 1
    ]
    sizes = {(size.systems, size.documents) for size in result.sizes}
    systems, documents = (sorted({size[axis] for size in sizes}) for axis in (0, 1))
    extent = f"{_range(systems, 'system')}, {_range(documents, 'document')} each"
    what = ", ".join([f"Correlation with {' and '.join(result.aspects)}", *same])
    groups = f"{format_count(len(result.sizes), 'group')} by {' and '.join(result.fields)} ({extent})"
    ranks = "rank: of the metric among the metrics, averaged over the groups"
    return f"{what}; {groups}; {ranks}. {_explain_marks(result)}".rstrip()


def _explain_marks(result: meta.GroupedAnswer) -> str:
    """What marks mean, or why there are none; where p-values stand in the table, they say enough."""
    if any(cell is not None and cell.best for row in result.rows for cell in row.cells):
        return "Bold: the best; underlined: not told from it by the test."
    if any(row.metric == "p" for row in result.rows) or len({row.metric for row in result.rows}) == 1:
        return ""
    return "No best is marked, as nothing is tested: meta test by the same groups marks them."


def agreement_caption(result: meta.GroupedAgreement) -> str:
    """In which groups raters agree so far."""
    groups = f"{format_count(len(result.groups), 'group')} by {' and '.join(result.fields)}"
    return f"Agreement of raters in {groups}. Alpha: 1 is perfect agreement, 0 what chance gives."


def _range(counts: list[int], noun: str) -> str:
    """A count, or the lowest and the highest of several."""
    if len(counts) == 1:
        return format_count(counts[0], noun)
    return f"{counts[0]:,} to {format_count(counts[-1], noun)}"
