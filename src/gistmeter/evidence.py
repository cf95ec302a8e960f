"""Evidence: why one score is what it is, in a form that the terminal and the report can both draw."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"[-+−]?\d[\d.,]*(e[-+]?\d+)?%?")


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked stretch of a text. Marks that share a group belong together across panes.

    `group` decides the colour, `also` are further groups, and `note` is shown when someone points at the mark.
    """

    start: int
    end: int
    group: int = 0
    also: tuple[int, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pane:
    """One text of the comparison and what is marked in it; marks are sorted and do not overlap."""

    title: str
    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that explain a score: matched n-grams, most informative first. `title` says what a row is, in the plural.

    >>> Table(("word", "cosine", "closest"), (("wall", "0.91", "walls"), ("plan", "-", "-"))).numbers
    (False, True, False)
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = "matches"

    @property
    def numbers(self) -> tuple[bool, ...]:
        """For each column whether it has numbers and nothing else; the first names the rows."""
        columns = tuple(zip(*self.rows, strict=True)) or ((),) * len(self.header)
        return tuple(
            index > 0 and any(map(_NUMBER.fullmatch, cells)) and all(_NUMBER.fullmatch(c) or c == "-" for c in cells)
            for index, cells in enumerate(columns)
        )


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why one example got its score: a sentence, texts with marks, and a table. Made only on request."""

    metric: str
    headline: str
    panes: tuple[Pane, ...]
    table: Table | None = None
