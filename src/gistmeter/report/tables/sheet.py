"""Sheet: any table of results, to be shown on the terminal or written as Markdown, HTML or JSON."""

from __future__ import annotations

import json as _json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from rich.console import Group
from rich.text import Text

from gistmeter.io.json_lines import nan_to_null
from gistmeter.report.page.markup import html_table, html_text, markdown_row, markdown_text
from gistmeter.report.tables.numbers import NumberCell, format_number, format_pvalue
from gistmeter.report.terminal import dim_text, make_table, note_texts, safe_text
from gistmeter.wording import replace_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rich.console import RenderableType

_DECIMALS = 3

Mark = Literal["best", "tied"]
"""What is said of a cell: the best of its column (bold), or not told from the best by a test (underlined)."""
_STYLES: dict[Mark, str] = {"best": "bold", "tied": "underline"}
_MARKDOWN: dict[Mark, str] = {"best": "**{}**", "tied": "<u>{}</u>"}
_HTML: dict[Mark, str] = {"best": "<strong>{}</strong>", "tied": "<u>{}</u>"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows of named values, with a caption that says how they came about and notes on what a reader should know.

    Floats are shown with three decimals, unless `decimals` has others for their column; a column named `p` as a
    p-value. JSON has them in full.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    caption: str = ""
    notes: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)
    """Data that JSON carries beside the rows."""
    marks: Mapping[tuple[int, int], Mark] = field(default_factory=dict)
    """What is said of cells, by row and column."""
    one_scale: tuple[str, ...] = ()
    """Columns of the same scores, which are multiplied together or not at all."""
    decimals: Mapping[str, int] = field(default_factory=dict)
    """Of columns that are no scores, such as minutes and money: they are never multiplied."""

    @classmethod
    def of(
        cls, rows: Sequence[Mapping[str, Any]], *, caption: str = "", notes: Sequence[str] = (), **more: Any
    ) -> Sheet:
        """A sheet from rows that all have the same keys."""
        columns = tuple(rows[0]) if rows else ()
        return cls(
            columns=columns,
            rows=tuple(tuple(row[name] for name in columns) for row in rows),
            caption=caption,
            notes=tuple(notes),
            more=more,
        )

    def format_row(self, row: Sequence[Any]) -> list[str]:
        """A row as shown."""
        return [
            _format_value(name, value, self.decimals.get(name, _DECIMALS))
            for name, value in zip(self.columns, row, strict=True)
        ]

    def is_numeric(self, column: int) -> bool:
        """Whether a column is of numbers, which are written to the right."""
        return all(isinstance(row[column], int | float | None) for row in self.rows)


def console(sheet: Sheet) -> RenderableType:
    """For the terminal."""
    table = make_table()
    for index, name in enumerate(sheet.columns):
        table.add_column(safe_text(name), justify="right" if sheet.is_numeric(index) else "left", overflow="fold")
    for number, row in enumerate(sheet.rows):
        cells = enumerate(map(replace_controls, sheet.format_row(row)))
        # A style of the text alone: that of a whole Text would underline the blanks before it, too.
        table.add_row(*(Text.assemble((cell, _find_style(sheet, number, column))) for column, cell in cells))
    below = [dim_text(sheet.caption)] if sheet.caption else []
    return Group(table, *below, *note_texts(sheet.notes))


def markdown(sheet: Sheet) -> str:
    """As a Markdown table.

    >>> print(markdown(Sheet.of([{"metric": "rouge_2", "value": 0.25}], caption="Pearson.")))
    | metric | value |
    | --- | ---: |
    | rouge\\_2 | 0.250 |
    <BLANKLINE>
    Pearson.
    """
    rule = ["---", *["---:"] * (len(sheet.columns) - 1)]
    lines = [markdown_row([markdown_text(name) for name in sheet.columns]), markdown_row(rule)]
    lines += [markdown_row(row) for row in _write_rows(sheet, markdown_text, _MARKDOWN)]
    for text in (sheet.caption, *(f"Note: {note}" for note in sheet.notes)):
        lines += ["", markdown_text(text)] if text else []
    return "\n".join(lines)


def html(sheet: Sheet) -> str:
    """As an HTML table with its caption and notes, to be put into any page.

    >>> print(html(Sheet.of([{"metric": "<b>x</b>", "r": 0.25}], caption="Pearson.")))
    <table>
      <caption>Pearson.</caption>
      <thead>
        <tr><th scope="col" style="text-align: left">metric</th><th scope="col" style="text-align: right">r</th></tr>
      </thead>
      <tbody>
        <tr><td style="text-align: left">&lt;b&gt;x&lt;/b&gt;</td><td style="text-align: right">0.250</td></tr>
      </tbody>
    </table>
    """
    return html_table(
        header=[html_text(name) for name in sheet.columns],
        rows=_write_rows(sheet, html_text, _HTML),
        caption=sheet.caption,
        notes=sheet.notes,
        numeric=[sheet.is_numeric(column) for column in range(len(sheet.columns))],
    )


def json(sheet: Sheet) -> str:
    """As JSON: `rows`, `notes` and what else there is; a single row's values stand at the top as well."""
    rows = [
        {
            name: value.write() if isinstance(value, NumberCell) else value
            for name, value in zip(sheet.columns, row, strict=True)
        }
        for row in sheet.rows
    ]
    alone = rows[0] if len(rows) == 1 else {}
    return _json.dumps(
        nan_to_null({**alone, **sheet.more, "rows": rows, "notes": list(sheet.notes)}), ensure_ascii=False
    )


def _write_rows(sheet: Sheet, escape: Callable[[str], str], templates: Mapping[Mark, str]) -> list[list[str]]:
    """The cells of all rows, escaped and marked."""
    return [
        [
            templates[mark].format(escape(cell)) if (mark := sheet.marks.get((number, column))) else escape(cell)
            for column, cell in enumerate(sheet.format_row(row))
        ]
        for number, row in enumerate(sheet.rows)
    ]


def _find_style(sheet: Sheet, row: int, column: int) -> str:
    mark = sheet.marks.get((row, column))
    return _STYLES[mark] if mark else ""


def _format_value(name: str, value: Any, decimals: int) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return format_pvalue(value) if name == "p" or name.endswith(" p") else format_number(value, decimals)
    if isinstance(value, NumberCell):
        return value.write()
    return f"{value:,}" if isinstance(value, int) else str(value)
