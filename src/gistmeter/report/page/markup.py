"""Markdown and HTML: how any text or number is written so that it shows as it is."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def markdown_row(cells: Sequence[str]) -> str:
    """One row of a Markdown table, its cells already escaped."""
    return f"| {' | '.join(cells)} |"


def markdown_text(text: str) -> str:
    r"""A text that Markdown shows as it is; a line break would end a table's row.

    >>> markdown_text("[−0.1, 0.2]"), markdown_text("[1](x)")
    ('[−0.1, 0.2]', '[1\\](x)')
    """
    return re.sub(r"([\\`*_{}<>#|~&]|\[(?![0-9+−])|\](?=[\[(:]))", r"\\\1", " ".join(text.split()))


def html_text(text: str) -> str:
    """A text that HTML shows as it is.

    >>> html_text('<b>"x"</b> & co')
    '&lt;b&gt;&quot;x&quot;&lt;/b&gt; &amp; co'
    """
    return html.escape(" ".join(text.split()))


def html_table(
    *,
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    caption: str,
    notes: Iterable[str] = (),
    numeric: Sequence[bool],
) -> str:
    """A table that needs no style sheet; header and cells are already HTML, caption and notes are plain text.

    `numeric` says of each column whether it is of numbers, which stand to the right.
    """
    styles = [' style="text-align: right"' if right else ' style="text-align: left"' for right in numeric]
    titles = (f'<th scope="col"{style}>{title}</th>' for title, style in zip(header, styles, strict=True))
    lines = ["<table>", *([f"  <caption>{html_text(caption)}</caption>"] if caption else [])]
    lines += ["  <thead>", f"    <tr>{''.join(titles)}</tr>", "  </thead>", "  <tbody>"]
    for row in rows:
        cells = (f"<td{style}>{cell}</td>" for cell, style in zip(row, styles, strict=True))
        lines.append(f"    <tr>{''.join(cells)}</tr>")
    lines.append("  </tbody>")
    below = [f'    <tr><td colspan="{len(header)}">Note: {html_text(note)}</td></tr>' for note in notes]
    lines += ["  <tfoot>", *below, "  </tfoot>"] if below else []
    return "\n".join([*lines, "</table>"])
