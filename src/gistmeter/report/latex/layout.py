"""How a table is laid out so that it fits: letters get smaller, titles shorter, and columns stand below one another."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from gistmeter.report.latex.text import ANY_LETTER, latex_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COLUMN_POINTS = 216.0
"""A column of the narrowest of the usual two-column styles (ACL: 3.03 inches), which others' 3.3 inches hold, too."""
PAGE_POINTS = 450.0
"""The width of the text of the same styles, for a table across both columns."""

_LETTER_POINTS = {
    **dict.fromkeys("mwMW@%&", 8.8),
    **dict.fromkeys("iljtf.,:;!'|()[]-· ", 3.4),
    **dict.fromkeys("↑↓−+=<>", 8.0),
}
"""The widths of letters of 10 points that are wider or narrower than most."""
_RAISED, _SMALL = 0.75, 0.85
"""How much smaller raised letters and the settings and intervals beside a text are."""
_SHARE_OF_NAMES = 0.42
"""How much of the width columns of texts get at most when they are wrapped."""
_LEAST_POINTS = 30.0
_BREAKS = re.compile(r"(?<=[-_/.,:=])(?! ?[↑↓])|(?<= )(?![↑↓])")
"""Where a text may be broken: after signs and blanks, but not before an arrow."""
_LONGEST_WORD = 10


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell in plain text: what stands in it, what is raised beside it, and what may be left out."""

    text: str
    raised: str = ""
    aside: str = ""
    """An interval, in small letters."""
    form: str = "{}"
    """The LaTeX around the text, such as bold."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column: its title, the shorter one, and settings that stand below in small letters."""

    title: str
    short: str = ""
    settings: str = ""
    numeric: bool = True


@dataclass(frozen=True, slots=True)
class LatexTable:
    """A table of a paper before it is laid out; all texts are plain."""

    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    caption: str
    """How the numbers came about."""
    caption_without_asides: str
    """The same of a table without intervals."""
    label: str = ""
    comments: tuple[str, ...] = ()
    leading: int = 1
    """How many columns name a row, which all parts of a table have."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """One way to write a table."""

    size: str = ""
    scale: float = 1.0
    separation: int = 6
    short: bool = False
    asides: bool = True
    broken: bool = False


def write_table(table: LatexTable, *, narrow: bool | None = None) -> str:
    """The table as LaTeX with booktabs, in the first layout that fits.

    `narrow` says whether it is for one column of a page or for both; None leaves intervals out where only a table
    without them fits a column.
    """
    width = PAGE_POINTS if narrow is False else COLUMN_POINTS
    layouts = list(_list_layouts(narrow))
    layout = next((each for each in layouts if _measure_table(table, each) <= width), layouts[-1])
    parts = _split_columns(table, layout, width)
    environment = "table*" if narrow is False else "table"
    asides = any(cell.aside for row in table.rows for cell in row)
    comments = ["needs \\usepackage{booktabs} in the preamble", *table.comments]
    if asides and not layout.asides:
        comments.append("intervals are left out, so that the table fits a column; a wide table has them")
    caption = table.caption if layout.asides else table.caption_without_asides
    body = [
        f"\\begin{{{environment}}}",
        "  \\centering",
        *([f"  {layout.size}"] if layout.size else []),
        *([f"  \\setlength{{\\tabcolsep}}{{{layout.separation}pt}}"] if layout.size else []),
    ]
    for number, columns in enumerate(parts):
        body += [*(["", "  \\medskip"] if number else []), *_write_tabular(table, columns, layout, width)]
    body += [f"  \\caption{{{latex_text(caption)}}}"] if caption else []
    body += [f"  \\label{{{table.label}}}"] if table.label else []
    body.append(f"\\end{{{environment}}}")
    needed = [ANY_LETTER] if any("\\anyletter" in line for line in body) else []
    if needed:
        comments.append("\\anyletter: pdfLaTeX has no such letters; XeLaTeX and LuaLaTeX show them, if the font does")
    return "\n".join([*(f"% {' '.join(comment.split())}" for comment in comments), *needed, *body])


def _list_layouts(narrow: bool | None) -> Iterator[_Layout]:
    """From the most legible to the smallest, with intervals and then without."""
    for asides in (True, False) if narrow is not True else (False,):
        yield _Layout(asides=asides)
        yield _Layout("\\small", 0.9, 4, asides=asides)
        yield _Layout("\\small", 0.9, 4, short=True, asides=asides)
        yield _Layout("\\footnotesize", 0.8, 3, short=True, asides=asides)
    yield _Layout("\\footnotesize", 0.8, 3, short=True, asides=False, broken=True)


def _estimate_width(text: str) -> float:
    """About how many points a text takes in letters of 10 points."""
    return sum(_LETTER_POINTS.get(letter) or _guess_points(letter) for letter in text)


def _guess_points(letter: str) -> float:
    if "{U+" in latex_text(letter):  # its number is shown
        return 36.0
    if letter.islower() or letter.isdigit():
        return 5.1
    return 7.4 if letter < "\u2000" else 10.0


def _measure_cell(cell: TableCell, layout: _Layout) -> float:
    bold = 1.15 if "textbf" in cell.form else 1.0
    aside = _SMALL * _estimate_width(f" {cell.aside}") if cell.aside and layout.asides else 0.0
    return layout.scale * (bold * _estimate_width(cell.text) + _RAISED * _estimate_width(cell.raised) + aside)


def _measure_column(table: LatexTable, column: int, layout: _Layout) -> float:
    cells = max((_measure_cell(row[column], layout) for row in table.rows), default=0.0)
    titles = [
        layout.scale * (_SMALL if small else 1.0) * _estimate_width(line)
        for line, small in _list_titles(table, column, layout)
    ]
    return max([cells, *titles])


def _measure_table(table: LatexTable, layout: _Layout) -> float:
    widths = [_measure_column(table, column, layout) for column in range(len(table.columns))]
    return sum(widths) + 2 * layout.separation * (len(widths) - 1)


def _list_titles(table: LatexTable, column: int, layout: _Layout) -> list[tuple[str, bool]]:
    """The lines above a column, and of each whether it is in small letters."""
    described = table.columns[column]
    title = described.short if layout.short and described.short else described.title
    lines = [(title, False), *([(described.settings, True)] if described.settings else [])]
    if not layout.broken:
        return lines
    cells = max((_estimate_width(row[column].text) for row in table.rows), default=0.0)
    limit = max(cells * 1.2, _LEAST_POINTS)
    return [(part, small) for line, small in lines for part in _break_text(line, limit)]


def _break_text(text: str, limit: float) -> list[str]:
    """A text in lines that are no wider than a limit, as far as there are places to break it."""
    lines = [""]
    for part in _BREAKS.split(text):
        if lines[-1] and _estimate_width(lines[-1] + part.rstrip()) > limit:
            lines.append("")
        lines[-1] += part
    return [line.strip() for line in lines]


def _split_columns(table: LatexTable, layout: _Layout, width: float) -> list[list[int]]:
    """The columns of each part of a table: one part where all fit, else parts that stand below one another."""
    names, others = list(range(table.leading)), range(table.leading, len(table.columns))
    if _measure_table(table, layout) <= width or not others:
        return [[*names, *others]]
    widths = _limit_widths(table, layout, width)
    name_points = sum(widths[column] + 2 * layout.separation for column in names)
    parts: list[list[int]] = []
    room = 0.0
    for column in others:
        needed = widths[column] + 2 * layout.separation
        if not parts or needed > room:
            parts.append([*names])
            room = width - name_points + 2 * layout.separation
        parts[-1].append(column)
        room -= needed
    return parts


def _limit_widths(table: LatexTable, layout: _Layout, width: float) -> list[float]:
    """The width of each column where texts are wrapped that would take too much of it."""
    most = _SHARE_OF_NAMES * width / max(table.leading, 1)
    widths = [_measure_column(table, column, layout) for column in range(len(table.columns))]
    return [
        points if described.numeric else min(points, most)
        for points, described in zip(widths, table.columns, strict=True)
    ]


def _write_tabular(table: LatexTable, columns: Sequence[int], layout: _Layout, width: float) -> Iterator[str]:
    shown = _measure_table(table, layout)
    limits = _limit_widths(table, layout, width) if shown > width else [shown] * len(table.columns)
    wrapped = [
        not table.columns[column].numeric and limits[column] < _measure_column(table, column, layout)
        for column in columns
    ]
    kinds = [
        f"p{{{limits[column]:.0f}pt}}" if wrap else "r" if table.columns[column].numeric else "l"
        for column, wrap in zip(columns, wrapped, strict=True)
    ]
    yield f"  \\begin{{tabular}}{{@{{}}{''.join(kinds)}@{{}}}}"
    yield "    \\toprule"
    titles = [[*reversed(_list_titles(table, column, layout))] for column in columns]
    for line in reversed(list(zip_longest(*titles, fillvalue=("", False)))):
        cells = [_write_title(text, small=small, wrap=wrap) for (text, small), wrap in zip(line, wrapped, strict=True)]
        yield f"    {' & '.join(cells)} \\\\"
    yield "    \\midrule"
    for row in table.rows:
        cells = [
            _write_cell(row[column] if layout.asides else replace(row[column], aside=""), wrap=wrap)
            for column, wrap in zip(columns, wrapped, strict=True)
        ]
        # A row that begins with [ or * would be read as an argument of the line break before it.
        yield f"    {'{}' if cells[0].startswith(('[', '*')) else ''}{' & '.join(cells)} \\\\"
    yield "    \\bottomrule"
    yield "  \\end{tabular}"


def _write_title(text: str, *, small: bool, wrap: bool) -> str:
    if text == "p":
        return "$p$"
    if wrap:
        return f"\\raggedright\\hspace{{0pt}}{_write_breakable(text)}"
    return f"{{\\footnotesize {latex_text(text)}}}" if small and text else latex_text(text)


def _write_cell(cell: TableCell, *, wrap: bool) -> str:
    if wrap:
        text = f"\\raggedright\\hspace{{0pt}}{_write_breakable(cell.text)}"
    else:
        text = latex_text(cell.text)
    raised = f"\\textsuperscript{{{latex_text(cell.raised)}}}" if cell.raised else ""
    aside = f" {{\\footnotesize {latex_text(cell.aside)}}}" if cell.aside else ""
    return f"{cell.form.format(text)}{raised}{aside}"


def _write_breakable(text: str) -> str:
    """A text that LaTeX may break after signs, and within very long words."""
    parts = []
    for part in _BREAKS.split(text):
        parts += [part[start : start + _LONGEST_WORD] for start in range(0, len(part), _LONGEST_WORD)]
    written = "\\allowbreak{}".join(latex_text(part) + (" " if part.endswith(" ") else "") for part in parts)
    return written.replace("}\\anyletter", "}\\allowbreak{}\\anyletter")
