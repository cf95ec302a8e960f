"""Boards: a ranking or a comparison as rows of written cells, which every text format then draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.ranking.columns import main_columns
from gistmeter.report.tables.numbers import (
    bound_decimals,
    decimals_for,
    format_count,
    format_interval,
    format_number,
    format_percent,
    format_pvalue,
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
    columns = main_columns((ranked.column for ranked in ranking.columns), every=every)
    cells = [_write_cells(ranked) for ranked in ranking.columns if ranked.column in columns]
    order = [ranked.system for ranked in ranking.leading.systems]
    rows = tuple(BoardRow(system, tuple(column[system] for column in cells)) for system in order)
    return Board(columns=columns, rows=rows, caption=ranking_caption(ranking), notes=ranking.notes)


def ranking_caption(ranking: Ranking) -> str:
    """How the intervals and the letters of a ranking came about."""
    intervals = (
        f"{format_percent(ranking.confidence)} intervals: bootstrap over "
        f"{format_count(ranking.documents, 'document')}, "
        f"{format_count(ranking.resamples, 'resample')}, seed {ranking.seed}"
    )
    if not any(ranked.group for column in ranking.columns for ranked in column.systems):
        return f"{intervals}."
    alpha = f"{ranking.alpha:g}".removeprefix("0")
    return (
        f"{intervals}. Systems that share a letter do not differ significantly "
        f"(paired permutation test, Holm-corrected, alpha {alpha})."
    )


def comparison_rows(comparison: Comparison, *, every: bool = False) -> tuple[DifferenceRow, ...]:
    """The differences of a comparison, written out."""
    return tuple(_difference_row(difference) for difference in list_shown_differences(comparison, every=every))


def comparison_caption(comparison: Comparison) -> str:
    """How the intervals and p-values of a comparison came about."""
    documents = {difference.documents for difference in comparison.differences}
    exact = all(count < 64 and 2**count <= comparison.permutations for count in documents)
    swaps = "all ways to swap" if exact else format_count(comparison.permutations, "permutation")
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


def document_rows(most: Difference) -> list[tuple[str, str, str, str]]:
    """The documents that differ most: id, both scores, the difference."""
    decimals = decimals_for(value for document in most.largest for value in (document.a, document.b))
    return [
        (
            document.doc_id,
            format_number(document.a, decimals),
            format_number(document.b, decimals),
            format_number(document.difference, decimals, sign=True),
        )
        for document in most.largest
    ]


def _write_cells(ranked: ColumnRanking) -> dict[str, Cell]:
    decimals = decimals_for(ranked_system.value for ranked_system in ranked.systems)
    bounds = bound_decimals(((ranked_system.low, ranked_system.high) for ranked_system in ranked.systems), decimals)
    judges = ranked.column.better != "neither" and len(ranked.systems) > 1
    best = format_number(ranked.systems[0].value, decimals) if ranked.systems else ""
    return {
        ranked_system.system: Cell(
            value=format_number(ranked_system.value, decimals),
            interval=format_interval(ranked_system.low, ranked_system.high, bounds),
            letters=ranked_system.group,
            # Written alike is best alike: bold for one of two equal numbers would puzzle.
            best=judges
            and ranked_system.value == ranked_system.value
            and format_number(ranked_system.value, decimals) == best,
        )
        for ranked_system in ranked.systems
    }


def _difference_row(difference: Difference) -> DifferenceRow:
    decimals = decimals_for((difference.a, difference.b))
    return DifferenceRow(
        column=difference.column,
        a=format_number(difference.a, decimals),
        b=format_number(difference.b, decimals),
        difference=format_number(difference.difference, decimals, sign=True),
        interval=format_interval(difference.low, difference.high, decimals, sign=True),
        pvalue=format_pvalue(difference.pvalue),
    )
