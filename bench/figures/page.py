"""The page of figures: headings, what was done, tables, and what they fall short of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bench.figures import specs

    Cell: TypeAlias = "str | float | Bounded | None"
    Figures: TypeAlias = "Sequence[float | Bounded | None]"

_EVEN = 0.0005
"""Figures are shown with three places: what looks equal counts as reached."""


_UNMEASURED = "Not measured yet"


@dataclass(frozen=True, slots=True)
class Bounded:
    """A figure with its interval, shown with two places."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{figure(self.value, 2)} [{figure(self.low, 2)}, {figure(self.high, 2)}]"


@dataclass(frozen=True, slots=True)
class Table:
    """A table made elsewhere, with a title and the sentences before it."""

    title: str
    text: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def __str__(self) -> str:
        lines = [f"### {self.title}", "", self.text, "", _line(self.header), _line(["---"] * len(self.header))]
        return "\n".join([*lines, *(_line(row) for row in self.rows), ""])


def page(title: str, text: str, sections: Iterable[specs.Section], blocks: Mapping[str, str]) -> str:
    """The whole page in Markdown, from the blocks of its tables by title."""
    parts = [f"# {title}", "", text.strip(), ""]
    for section in sections:
        parts += [f"## {section.heading}", ""]
        if section.citation:
            parts += [f"Published: {section.citation}", ""]
        parts += [blocks.get(table.title) or _unmeasured(table) for table in section.tables]
    return "\n".join(parts).rstrip() + "\n"


def blocks_of(text: str) -> dict[str, str]:
    """The blocks of tables in a page that was written before, by title.

    >>> blocks_of("# Page\\n\\n## One\\n\\n### A\\n\\ntext\\n\\n## Two\\n\\n### B\\n\\nmore\\n")
    {'A': '### A\\n\\ntext\\n', 'B': '### B\\n\\nmore\\n'}
    """
    found = re.findall(r"^### (.+)\n((?:(?!##).*\n)*)", text, flags=re.MULTILINE)
    return {title: f"### {title}\n{body}".rstrip() + "\n" for title, body in found if _UNMEASURED not in body}


def cells(text: str, title: str, start: str) -> list[str]:
    """The cells of the one row that starts so, in the table of that title.

    >>> cells("### A\\n\\n| name | r |\\n| --- | --- |\\n| one | .5 |\\n", "A", "one |")
    ['one', '.5']
    """
    (found,) = [line for line in blocks_of(text)[title].splitlines() if line.startswith(f"| {start}")]
    return found.strip("| ").split(" | ")


def block(table: specs.Table, measured: Mapping[str, Figures], *, every: int = 1, before: str = "") -> str:
    """A table with the sentences before and after it; rows that were not measured stand as they did in `before`."""
    text = table.text.strip()
    if every > 1:
        text += f"\n\n**Measured on every {every}th document only.**"
    lines = [f"### {table.title}", "", text, "", _line(["", *table.columns])]
    lines.append("|---|" + "---:|" * len(table.columns))
    standing = before.splitlines()
    for row in table.rows:
        name = _named(row)
        if row.name in measured:
            own = [_line([name, *measured[row.name]])]
        else:
            own = [line for line in standing if line.startswith(f"| {name} |")]
        lines += own
        if row.published:
            model = f", {row.model}" if row.model else ""
            name = f"*published{model}*" if own else f"{row.name}: *published{model}*"
            shown = [figure(value, table.places) for value in row.published]
            lines.append(_line([name, *shown]))
    lines.append("")
    aims = []
    for aim in table.aims:
        if aim.row in measured:
            aims.append(_reached(table, aim, measured[aim.row]))
        else:
            of_aim = (f" {aim.row}, {aim.column}: ", f"({aim.where})")
            aims += [line for line in standing if line.startswith("- ") and all(part in line for part in of_aim)]
    if aims:
        lines += [*aims, ""]
    if table.after:
        lines += [table.after.strip(), ""]
    return "\n".join(lines)


def _unmeasured(table: specs.Table) -> str:
    return f"### {table.title}\n\n{_UNMEASURED}: `python -m bench.figures {table.key}` does it.\n"


def figure(value: float | None, places: int = 3) -> str:
    """A correlation as papers print it: no leading zero.

    >>> figure(0.4567), figure(-0.5), figure(1.0), figure(None)
    ('.457', '-.500', '1.000', '')
    """
    return "" if value is None else re.sub(r"^(-?)0\.", r"\1.", f"{value:.{places}f}")


def _named(row: specs.Row) -> str:
    if not row.metric:
        return row.name
    return f"{row.name}: `{row.metric}`" + (f" {row.column}" if row.column else "")


def _reached(table: specs.Table, aim: specs.Aim, figures: Figures) -> str:
    """One line on a figure that should be reached."""
    value = figures[table.columns.index(aim.column)]
    if not isinstance(value, float):
        raise ValueError(f"{table.key}: there is no figure for {aim.row}, {aim.column}")
    said = f"{aim.row}, {aim.column}: {figure(value)} against {figure(aim.value)} ({aim.where})"
    if value >= aim.value - _EVEN:
        return f"- Reached. {said}."
    return f"- **Short.** {said}. {aim.why}".rstrip()


def _line(cells: Iterable[Cell]) -> str:
    return "| " + " | ".join(str(cell) if isinstance(cell, str | Bounded) else figure(cell) for cell in cells) + " |"
