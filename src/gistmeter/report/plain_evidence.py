"""Evidence as plain text, for messages: marked words in guillemets, the first rows of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.evidence import Pane, Table, draw_as

if TYPE_CHECKING:
    from gistmeter.evidence import Evidence

_ROWS = 6
_CELL_CHARACTERS = 100
_TEXT_CHARACTERS = 600


def evidence_text(evidence: Evidence) -> str:
    """Why a summary scores as it does, without colours and frames; a long document is left out.

    >>> from gistmeter.evidence import Evidence, Mark
    >>> why = Evidence("rouge1", "1 matched 1-gram", (Pane("summary", "a cat sat", (Mark(2, 5),)),))
    >>> print(evidence_text(why))
    rouge1: 1 matched 1-gram
      summary: a «cat» sat
    """
    lines = [f"{evidence.metric}: {evidence.headline}"]
    blocks = draw_as(evidence.blocks, {"pane", "table"})
    titles = {block.title for block in blocks if isinstance(block, Table)}
    for block in blocks:
        if isinstance(block, Table):
            lines += _list_rows(block)
        elif isinstance(block, Pane) and block.title not in titles and len(block.text) <= _TEXT_CHARACTERS:
            lines.append(f"  {block.title}: {_mark_text(block)}")
    return "\n".join(lines)


def shorten_text(text: str, characters: int = 300) -> str:
    """A text on one line, cut where it is long.

    >>> shorten_text("one\\n two three", 9)
    'one two …'
    """
    line = " ".join(text.split())
    return line if len(line) <= characters else f"{line[: characters - 1]}…"


def _list_rows(table: Table) -> list[str]:
    if not table.rows:
        return []
    lines = [f"  {table.title}: {' | '.join(table.header)}"]
    lines += [f"    {' | '.join(shorten_text(cell, _CELL_CHARACTERS) for cell in row)}" for row in table.rows[:_ROWS]]
    hidden = len(table.rows) - _ROWS
    return [*lines, f"    and {hidden} more"] if hidden > 0 else lines


def _mark_text(pane: Pane) -> str:
    pieces, end = [], 0
    for mark in pane.marks:
        pieces += [pane.text[end : mark.start], "«", pane.text[mark.start : mark.end], "»"]
        end = mark.end
    return " ".join("".join([*pieces, pane.text[end:]]).split())
