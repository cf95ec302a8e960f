"""Boards: a ranking or a comparison as rows of written cells, which every text format then draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.ranking.columns import main_columns
from gistmeter.report.tables.numbers import (
    bound_decimals,
    counted,
    decimals_for,
    interval,
    number,
    percent,
    pvalue,
)

if TYPE_CHECKING:
    from gistmeter.ranking.compare import Comparison, Difference
    from gistmeter.ranking.rank import ColumnRanking, Ranking
    from gistmeter.scores import Better, ScoreColumn

ARROWS: dict[Better, str] = {"higher": "↑", "lower": "↓", "neither": ""}


@dataclass(frozen=True, slots=True)
class Cell:
    """One score of one system, written out."""

    value: str
    interval: str = ""
    letters: str = ""
    best: bool = False


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A system and its cells, one for each column of the board."""

    system: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """Systems x scores, written out, and what a reader must know to read them."""

    columns: tuple[ScoreColumn, ...]
    rows: tuple[BoardRow, ...]
    caption: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One score of two systems and its difference, written out."""

    column: ScoreColumn
    a: str
    b: str
    difference: str
    interval: str
    pvalue: str


def heading(column: ScoreColumn) -> str:
    """A column's name and which way is good.

    >>> from gistmeter.scores import ScoreColumn
    >>> heading(ScoreColumn("js.divergence", "", "lower")), heading(ScoreColumn("length.words", "", "neither"))
    ('js.divergence ↓', 'length.words')
    """
    return f"{column.name} {ARROWS[column.better]}".rstrip()


def ranking_board(ranking: Ranking, *, every: bool = False) -> Board:
    """A ranking, written out; systems are in the order of the first score that judges."""
    columns = main_columns((one.column for one in ranking.columns), every=every)
    cells = [_cells(one) for one in ranking.columns if one.column in columns]
    order = [ranked.system for ranked in ranking.leading.systems]
    rows = tuple(BoardRow(system, tuple(column[system] for column in cells)) for system in order)
    return Board(columns, rows, ranking_caption(ranking), ranking.notes)


def ranking_caption(ranking: Ranking) -> str:
    """How the intervals and the letters of a ranking came about."""
    intervals = (
        f"{percent(ranking.confidence)} intervals: bootstrap over {counted(ranking.documents, 'document')}, "
        f"{counted(ranking.resamples, 'resample')}, seed {ranking.seed}"
    )
    if not any(one.group for column in ranking.columns for one in column.systems):
        return f"{intervals}."
    alpha = f"{ranking.alpha:g}".removeprefix("0")
    return (
        f"{intervals}. Systems that share a letter do not differ significantly "
        f"(paired permutation test, Holm-corrected, alpha {alpha})."
    )


def comparison_rows(comparison: Comparison, *, every: bool = False) -> tuple[DifferenceRow, ...]:
    """The differences of a comparison, written out."""
    return tuple(_difference_row(one) for one in shown_differences(comparison, every=every))


def comparison_caption(comparison: Comparison) -> str:
    """How the intervals and p-values of a comparison came about."""
    documents = {one.documents for one in comparison.differences}
    exact = all(count < 64 and 2**count <= comparison.permutations for count in documents)
    swaps = "all ways to swap" if exact else counted(comparison.permutations, "permutation")
    over = counted(documents.pop(), "shared document") if len(documents) == 1 else "the shared documents"
    return (
        f"{percent(comparison.confidence)} intervals: bootstrap over {over}, "
        f"{counted(comparison.resamples, 'resample')}; p: two-sided paired permutation test, "
        f"{swaps}; seed {comparison.seed}."
    )


def shown_differences(comparison: Comparison, *, every: bool = False) -> tuple[Difference, ...]:
    """The differences of the main columns."""
    columns = main_columns((one.column for one in comparison.differences), every=every)
    return tuple(one for one in comparison.differences if one.column in columns)


def most_differing(comparison: Comparison, *, every: bool = False) -> Difference | None:
    """The difference whose documents are worth showing: of the first score that judges and has any."""
    with_documents = [one for one in shown_differences(comparison, every=every) if one.largest]
    judging = [one for one in with_documents if one.column.better != "neither"]
    return next(iter(judging or with_documents), None)


def document_rows(most: Difference) -> list[tuple[str, str, str, str]]:
    """The documents that differ most: id, both scores, the difference."""
    decimals = decimals_for(value for one in most.largest for value in (one.a, one.b))
    return [
        (
            one.doc_id,
            number(one.a, decimals),
            number(one.b, decimals),
            number(one.difference, decimals, sign=True),
        )
        for one in most.largest
    ]


def _cells(ranked: ColumnRanking) -> dict[str, Cell]:
    decimals = decimals_for(one.value for one in ranked.systems)
    bounds = bound_decimals(((one.low, one.high) for one in ranked.systems), decimals)
    judges = ranked.column.better != "neither" and len(ranked.systems) > 1
    best = number(ranked.systems[0].value, decimals) if ranked.systems else ""
    return {
        one.system: Cell(
            value=number(one.value, decimals),
            interval=interval(one.low, one.high, bounds),
            letters=one.group,
            # Written alike is best alike: bold for one of two equal numbers would puzzle.
            best=judges and one.value == one.value and number(one.value, decimals) == best,
        )
        for one in ranked.systems
    }


def _difference_row(one: Difference) -> DifferenceRow:
    decimals = decimals_for((one.a, one.b))
    return DifferenceRow(
        column=one.column,
        a=number(one.a, decimals),
        b=number(one.b, decimals),
        difference=number(one.difference, decimals, sign=True),
        interval=interval(one.low, one.high, decimals, sign=True),
        pvalue=pvalue(one.pvalue),
    )
