"""Tables and texts for the terminal, all of one look. User text goes in as `Text`, never as markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from gistmeter.wording import replace_controls

if TYPE_CHECKING:
    from collections.abc import Iterable


def make_table(title: Text | None = None) -> Table:
    """An empty table: a rule below the header, no other lines."""
    return Table(
        title=title,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        header_style="bold",
    )


def safe_text(text: str, style: str = "") -> Text:
    """Any text, safe for the terminal and of the same length."""
    return Text(replace_controls(text), style=style)


def dim_text(text: str) -> Text:
    """Text that says how results came about."""
    return safe_text(text, "dim")


def note_texts(notes: Iterable[str]) -> list[Text]:
    """A line for each note to the reader."""
    return [Text.assemble(("note: ", "yellow"), safe_text(note)) for note in notes]
