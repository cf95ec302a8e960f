"""Evidence: why one score is what it is, in a form that the terminal and the report can both draw."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked stretch of a text. Marks of one `group` belong together across panes."""

    start: int
    end: int
    group: int = 0


@dataclass(frozen=True, slots=True)
class Pane:
    """One text of the comparison and what is marked in it; marks are sorted and do not overlap."""

    title: str
    text: str
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that explain a score: matched n-grams, most informative first."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why one example got its score: a sentence, texts with marks, and a table. Made only on request."""

    metric: str
    headline: str
    panes: tuple[Pane, ...]
    table: Table | None = None
