"""Differences: a comparison of two systems as rows of written cells, which every text format then draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.ranking.columns import choose_points_factor, main_columns
from gistmeter.report.tables.board import BoardStyle, check_names, describe_times
from gistmeter.report.tables.numbers import (
    decimals_for,
    format_count,
    format_interval,
    format_number,
    format_percent,
    format_pvalue,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.ranking.compare import Comparison, Difference
    from gistmeter.scores import ScoreColumn

SIGNIFICANT = 0.05
"""Below which p-value a difference is marked."""


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One score of two systems and its difference, written out."""

    column: ScoreColumn
    a: str
    b: str
    difference: str
    interval: str
    pvalue: str
    significant: bool = False
    """Whether the p-value is below .05."""
    times: int = 1
    """What the scores are multiplied by."""


def comparison_rows(comparison: Comparison, style: BoardStyle | None = None) -> tuple[DifferenceRow, ...]:
    """The differences of a comparison, written out.

    Raises
    ------
    ArgumentError
        If there are not as many names as scores.
    """
    style = style or BoardStyle()
    shown = list_shown_differences(comparison, every=style.every)
    check_names(style.names, [difference.column for difference in shown])
    return tuple(_difference_row(difference, style) for difference in shown)


def comparison_caption(comparison: Comparison, rows: Sequence[DifferenceRow] = ()) -> str:
    """How the intervals and p-values of a comparison came about, and which of these rows are times 100."""
    return f"{_describe_difference_tests(comparison)} {describe_difference_points(rows)}".rstrip()


def _describe_difference_tests(comparison: Comparison) -> str:
    documents = {difference.documents for difference in comparison.differences}
    exact = all(count < 64 and 2**count <= comparison.permutations for count in documents)
    swaps = "all ways to swap" if exact else format_count(comparison.permutations, "permutation")
    if documents == {1}:
        return "1 shared document: no intervals, and no difference can be significant."
    over = format_count(documents.pop(), "shared document") if len(documents) == 1 else "the shared documents"
    return (
        f"{format_percent(comparison.confidence)} intervals: bootstrap over {over}, "
        f"{format_count(comparison.resamples, 'resample')}; p: two-sided paired permutation test, "
        f"{swaps}; seed {comparison.seed}."
    )


def list_shown_differences(comparison: Comparison, *, every: bool = False) -> tuple[Difference, ...]:
    """The differences of the main columns."""
    columns = main_columns((difference.column for difference in comparison.differences), every=every)
    return tuple(difference for difference in comparison.differences if difference.column in columns)


def most_differing(comparison: Comparison, *, every: bool = False) -> Difference | None:
    """The difference whose documents are worth showing: of the first score that judges and has any."""
    with_documents = [
        difference for difference in list_shown_differences(comparison, every=every) if difference.largest
    ]
    judging = [difference for difference in with_documents if difference.column.better != "neither"]
    return next(iter(judging or with_documents), None)


def document_rows(most: Difference, style: BoardStyle | None = None) -> list[tuple[str, str, str, str]]:
    """The documents that differ most: id, both scores, the difference; in points where the style asks for them."""
    times = choose_points_factor((most.a, most.b)) if style is not None and style.points else 1
    decimals = decimals_for(value * times for document in most.largest for value in (document.a, document.b))
    return [
        (
            document.doc_id,
            format_number(document.a * times, decimals),
            format_number(document.b * times, decimals),
            format_number(document.difference * times, decimals, sign=True),
        )
        for document in most.largest
    ]


def describe_difference_points(rows: Sequence[DifferenceRow]) -> str:
    """That scores of a comparison are times 100, and which are not; nothing where none is."""
    return describe_times((row.column, row.times) for row in rows)


def _difference_row(difference: Difference, style: BoardStyle) -> DifferenceRow:
    times = choose_points_factor((difference.a, difference.b)) if style.points else 1
    a, b = difference.a * times, difference.b * times
    decimals = decimals_for((a, b)) if style.digits is None else style.digits
    return DifferenceRow(
        column=difference.column,
        a=format_number(a, decimals),
        b=format_number(b, decimals),
        difference=format_number(difference.difference * times, decimals, sign=True),
        interval=format_interval(difference.low * times, difference.high * times, decimals, sign=True),
        pvalue=format_pvalue(difference.pvalue),
        significant=difference.pvalue < SIGNIFICANT,
        times=times,
    )
