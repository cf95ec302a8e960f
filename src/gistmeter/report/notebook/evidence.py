"""Evidence as HTML with inline styles, for notebooks: texts with marks side by side, and tables below."""

from __future__ import annotations

import html
from itertools import groupby
from typing import TYPE_CHECKING

from gistmeter.evidence import Pane, Table, draw_as
from gistmeter.report.page.markup import html_table, html_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.evidence import Evidence

# The edges of the report's marks; the tint is the same colour, thin enough to read on white and on black.
_COLOURS = ("#3d7bd1", "#cc7422", "#2f9461", "#c2528f", "#7a5fd0", "#9a7b1c")
_TINT = "33"
_TABLE_ROWS = 20
_PANE_STYLE = "flex: 1 1 20em; border: 1px solid #8884; border-radius: 6px; padding: 0.5em 0.8em"


def show_evidence(evidence: Evidence) -> str:
    """Why a summary scores as it does: what the terminal shows, with marks in colour.

    >>> from gistmeter.evidence import Evidence, Mark
    >>> why = Evidence("rouge1", "1 matched 1-gram", (Pane("summary", "<b> cat", (Mark(4, 7),)),))
    >>> '&lt;b&gt; <mark style' in show_evidence(why)
    True
    """
    blocks = draw_as(evidence.blocks, {"pane", "table"})
    listed = {block.title for block in blocks if isinstance(block, Table) and block.rows}
    # What a table lists is not shown twice.
    shown = [block for block in blocks if not (isinstance(block, Pane) and block.title in listed)]
    parts = [f"<p><strong>{html_text(evidence.metric)}</strong> {html_text(evidence.headline)}</p>"]
    for _, neighbours in groupby(shown, key=lambda block: block.kind):
        together = list(neighbours)
        parts.append(_show_panes([block for block in together if isinstance(block, Pane)]))
        parts += [_show_table(block) for block in together if isinstance(block, Table)]
    return "\n".join(part for part in parts if part)


def _show_panes(panes: Sequence[Pane]) -> str:
    if not panes:
        return ""
    boxes = (
        f'<div style="{_PANE_STYLE}"><div style="opacity: 0.7">{html_text(pane.title)}</div>'
        f'<div style="text-align: left">{_mark_text(pane)}</div></div>'
        for pane in panes
    )
    return f'<div style="display: flex; flex-wrap: wrap; gap: 0.8em; max-width: 70em">{"".join(boxes)}</div>'


def _mark_text(pane: Pane) -> str:
    """The text with its marks, escaped, on one line: a blank line would end the HTML where Markdown holds it."""
    pieces, end = [], 0
    for mark in pane.marks:
        colour = _COLOURS[mark.group % len(_COLOURS)]
        style = f"background: {colour}{_TINT}; color: inherit; border-bottom: 2px solid {colour}"
        note = f' title="{html.escape(mark.note)}"' if mark.note else ""
        pieces.append(html.escape(pane.text[end : mark.start]))
        pieces.append(f'<mark style="{style}"{note}>{html.escape(pane.text[mark.start : mark.end])}</mark>')
        end = mark.end
    return "".join([*pieces, html.escape(pane.text[end:])]).replace("\n", "<br>")


def _show_table(table: Table) -> str:
    if not table.rows:
        return ""
    hidden = len(table.rows) - _TABLE_ROWS
    return html_table(
        header=list(map(html_text, table.header)),
        rows=[list(map(html_text, row)) for row in table.rows[:_TABLE_ROWS]],
        caption="",
        notes=[f"{hidden} more {table.title}"] if hidden > 0 else [],
        numeric=list(table.numbers),
    )
