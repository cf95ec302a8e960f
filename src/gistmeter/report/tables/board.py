"""Boards: a ranking as rows of written cells, which every text format then draws, and the style of such tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError
from gistmeter.ranking.columns import choose_points_factor, main_columns
from gistmeter.report.tables.numbers import (
    bound_decimals,
    decimals_for,
    format_count,
    format_interval,
    format_number,
    format_percent,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.ranking.rank import ColumnRanking, Letters, RankedSystem, Ranking
    from gistmeter.scores import Better, ScoreColumn

ARROWS: dict[Better, str] = {"higher": "↑", "lower": "↓", "neither": ""}

_LETTERS: dict[Letters, str] = {
    "groups": "Systems that share a letter do not differ significantly",
    "runs": "A letter marks a run of systems that do not differ significantly from the first of it",
    "best": "Systems with an a do not differ significantly from the best",
}


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
    section: str = ""
    """The label of its section, in the first row of the section alone."""


@dataclass(frozen=True, slots=True)
class Board:
    """Systems x scores, written out, and what a reader must know to read them."""

    columns: tuple[ScoreColumn, ...]
    headings: tuple[str, ...]
    """What each column is called."""
    rows: tuple[BoardRow, ...]
    caption: str
    notes: tuple[str, ...] = ()
    by: str = ""
    """What sections go by, if there are any."""
    times: tuple[int, ...] = ()
    """What each score is multiplied by: 100, or 1."""

    @property
    def labels(self) -> list[str]:
        """What stands above the columns that say whose row it is."""
        return [self.by, "system"] if self.by else ["system"]

    def name_row(self, row: BoardRow) -> list[str]:
        """Whose row it is."""
        return [row.section, row.system] if self.by else [row.system]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardStyle:
    """How scores are written: times 100 (as papers do), under other names, with precision and recall too.

    `digits` is how many decimals they have; None means as many as a column needs.
    """

    every: bool = False
    points: bool = False
    names: tuple[str, ...] = ()
    digits: int | None = None


def heading(column: ScoreColumn) -> str:
    """A column's name and which way is good.

    >>> from gistmeter.scores import ScoreColumn
    >>> heading(ScoreColumn("js.divergence", "", "lower")), heading(ScoreColumn("length.words", "", "neither"))
    ('js.divergence ↓', 'length.words')
    """
    return f"{column.marked_name} {ARROWS[column.better]}".rstrip()


def ranking_board(ranking: Ranking, style: BoardStyle | None = None) -> Board:
    """A ranking, written out; systems are in the order of the first score that judges, section by section.

    Raises
    ------
    ArgumentError
        If there are not as many names as scores.
    """
    style = style or BoardStyle()
    columns = main_columns((ranked.column for ranked in ranking.columns), every=style.every)
    shown = [ranked for ranked in ranking.columns if ranked.column in columns]
    check_names(style.names, columns)
    times = tuple(
        choose_points_factor(system.value for system in ranked.systems) if style.points else 1 for ranked in shown
    )
    cells = [_write_cells(ranked, factor, style.digits) for ranked, factor in zip(shown, times, strict=True)]
    board = Board(
        columns=columns,
        headings=tuple(heading(replace(column, name=name)) for column, name in zip(columns, style.names, strict=True))
        if style.names
        else tuple(map(heading, columns)),
        rows=_arrange_rows(ranking, cells),
        caption=f"{ranking_caption(ranking)} {explain_order(ranking, shown)}".rstrip(),
        notes=ranking.notes,
        by=ranking.by,
        times=times,
    )
    return replace(board, caption=f"{board.caption} {describe_points(board)}".rstrip())


def describe_points(board: Board) -> str:
    """That scores are times 100, and which are not; nothing where none is."""
    return describe_times(zip(board.columns, board.times, strict=True))


def describe_times(columns: Iterable[tuple[ScoreColumn, int]]) -> str:
    """That scores are times 100, but for those whose factor is 1; nothing where all are."""
    factors = list(columns)
    if all(factor == 1 for _, factor in factors):
        return ""
    others = [column.name for column, factor in factors if factor == 1]
    but = f", but for {', '.join(others)}" if others else ""
    return f"Scores are times 100{but}."


def check_names(names: Sequence[str], columns: Sequence[ScoreColumn]) -> None:
    """Refuse names that are not as many as the scores they are for."""
    if names and len(names) != len(columns):
        scores = ", ".join(column.name for column in columns)
        raise ArgumentError(
            f"`names` has {format_count(len(names), 'name')} for {format_count(len(columns), 'score')}: {scores}"
        )


def explain_order(ranking: Ranking, shown: Sequence[ColumnRanking]) -> str:
    """By which of several scores the systems are sorted, and what is bold, as a sentence after a caption."""
    facts = [f"Sorted by {ranking.leading.column.name}"] if len(shown) > 1 else []
    if any(list_best(ranked) for ranked in shown):
        facts.append("bold: not significantly worse than the best")
    text = "; ".join(facts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _arrange_rows(ranking: Ranking, cells: Sequence[Mapping[str, Cell]]) -> tuple[BoardRow, ...]:
    """The rows by sections, which are in the order of their best systems."""
    order = [ranked.system for ranked in ranking.leading.systems]
    labels = [ranking.sections.get(system, "") for system in order]
    sections = list(dict.fromkeys(labels))
    rows: list[BoardRow] = []
    for section in sections:
        systems = [system for system, label in zip(order, labels, strict=True) if label == section]
        rows += [
            BoardRow(system, tuple(column[system] for column in cells), "" if position else section)
            for position, system in enumerate(systems)
        ]
    return tuple(rows)


def ranking_caption(ranking: Ranking) -> str:
    """How the intervals and the letters of a ranking came about."""
    if not any(ranked.group for column in ranking.columns for ranked in column.systems):
        return f"{describe_intervals(ranking)}."
    return f"{describe_intervals(ranking)}. {describe_letters(ranking)}"


def describe_intervals(ranking: Ranking) -> str:
    """How the intervals of a ranking came about."""
    return (
        f"{format_percent(ranking.confidence)} intervals: bootstrap over "
        f"{format_count(ranking.documents, 'document')}, "
        f"{format_count(ranking.resamples, 'resample')}, seed {ranking.seed}"
        if ranking.documents > 1
        else "1 document: no intervals"
    )


def describe_means(ranking: Ranking) -> str:
    """What the scores of a ranking are of, where no intervals are shown."""
    return f"Scores of systems over {format_count(ranking.documents, 'document')}"


def describe_letters(ranking: Ranking) -> str:
    """What the letters of a ranking mean."""
    return f"{_LETTERS[ranking.letters]} {describe_test(ranking)}."


def describe_test(ranking: Ranking) -> str:
    """The test behind the letters of a ranking, in brackets."""
    alpha = f"{ranking.alpha:g}".removeprefix("0")
    test = "paired permutation test"
    if ranking.tests != "permutations":
        test += " by saddlepoint approximation, " + (
            "all pairs" if ranking.tests == "saddlepoint" else "no other pairs"
        )
    return f"({test}, Holm-corrected, alpha {alpha})"


def _write_cells(ranked: ColumnRanking, times: int = 1, digits: int | None = None) -> dict[str, Cell]:
    if times != 1:
        ranked = replace(ranked, systems=tuple(_multiply(ranked_system, times) for ranked_system in ranked.systems))
    decimals = decimals_for(ranked_system.value for ranked_system in ranked.systems) if digits is None else digits
    bounds = bound_decimals(((ranked_system.low, ranked_system.high) for ranked_system in ranked.systems), decimals)
    best = list_best(ranked)
    return {
        ranked_system.system: Cell(
            value=format_number(ranked_system.value, decimals),
            interval=format_interval(ranked_system.low, ranked_system.high, bounds),
            letters=ranked_system.group,
            best=ranked_system.system in best,
        )
        for ranked_system in ranked.systems
    }


def list_best(ranked: ColumnRanking) -> frozenset[str]:
    """The systems written in bold: those that share a letter with the best; none where there are no letters."""
    letters = split_letters([ranked_system.group for ranked_system in ranked.systems])
    return frozenset(
        ranked_system.system for ranked_system, own in zip(ranked.systems, letters, strict=True) if own & letters[0]
    )


def split_letters(groups: Sequence[str]) -> list[set[str]]:
    """The letters of each system of a ranking; of very many groups some have two ("aa"), with spaces between them.

    >>> [sorted(letters) for letters in split_letters(["ab", "b", ""])]
    [['a', 'b'], ['b'], []]
    >>> [sorted(letters) for letters in split_letters(["a aa", "aa", "ab"])]
    [['a', 'aa'], ['aa'], ['ab']]
    """
    spaced = any(" " in group or list(group) != sorted(set(group)) for group in groups)
    return [set(group.split()) if spaced else set(group) for group in groups]


def _multiply(ranked: RankedSystem, times: int) -> RankedSystem:
    return replace(ranked, value=ranked.value * times, low=ranked.low * times, high=ranked.high * times)
