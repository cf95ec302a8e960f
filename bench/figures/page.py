"""A page of figures: headings, what was done, tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a title and the sentences before it."""

    title: str
    text: str
    header: Sequence[str]
    rows: Sequence[Sequence[str | float | None]]

    def __str__(self) -> str:
        lines = [f"### {self.title}", "", self.text, "", _line(self.header), _line(["---"] * len(self.header))]
        return "\n".join([*lines, *(_line(row) for row in self.rows), ""])


def page(title: str, text: str, sections: Iterable[tuple[str, Iterable[Table]]]) -> str:
    """The whole page in Markdown."""
    parts = [f"# {title}", "", text, ""]
    for heading, tables in sections:
        parts += [f"## {heading}", "", *map(str, tables)]
    return "\n".join(parts).rstrip() + "\n"


def figure(value: float | None, places: int = 3) -> str:
    """A correlation as papers print it: no leading zero.

    >>> figure(0.4567), figure(-0.5), figure(None)
    ('.457', '-.500', '')
    """
    return "" if value is None else f"{value:.{places}f}".replace("0.", ".", 1)


def _line(cells: Iterable[str | float | None]) -> str:
    return "| " + " | ".join(cell if isinstance(cell, str) else figure(cell) for cell in cells) + " |"
