"""Evidence in the terminal: a drawing for each kind of block; a kind without one is drawn as its parts."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Group
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from gistmeter.evidence import Pane, Table, draw_as
from gistmeter.report.terminal import dim_text, make_table, safe_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from gistmeter.evidence import Evidence

# Middle tones of the 256-colour cube: each has a contrast of at least 3 with black and with white.
GROUP_COLOURS = ("color(32)", "color(166)", "color(35)", "color(169)", "color(99)", "color(136)")
_TABLE_ROWS = 20
_SIDE_BY_SIDE = 90


def evidence_view(evidence: Evidence) -> RenderableType:
    """Why a summary scores as it does: the texts with what matched, side by side if there is room.

    >>> from rich.console import Console
    >>> from gistmeter.evidence import Evidence, Mark, Pane
    >>> why = Evidence("rouge1", "1 matched 1-grams", (Pane("summary", "a cat", (Mark(2, 5),)),))
    >>> Console(width=24).print(evidence_view(why))
    rouge1 1 matched
    1-grams
    ╭─ summary ────────────╮
    │ a cat                │
    ╰──────────────────────╯
    """
    blocks = draw_as(evidence.blocks, DRAWINGS)
    listed = {block.title for block in blocks if isinstance(block, Table) and block.rows}
    # What a table lists is not shown twice.
    shown = [block for block in blocks if not (isinstance(block, Pane) and block.title in listed)]
    parts: list[RenderableType] = [
        Text.assemble(safe_text(evidence.metric, "bold"), "  ", safe_text(evidence.headline))
    ]
    for kind, neighbours in groupby(shown, key=lambda block: block.kind):
        parts += DRAWINGS[kind](list(neighbours))
    return Group(*parts)


class _Panes:
    """Marked texts in panels, two by two when the terminal is wide enough."""

    def __init__(self, panes: Sequence[Pane]) -> None:
        self.panes = panes

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        together = 2 if options.max_width >= _SIDE_BY_SIDE else 1
        for first in range(0, len(self.panes), together):
            grid = Grid.grid(expand=True)
            row = [_panel(pane) for pane in self.panes[first : first + together]]
            for _ in row:
                grid.add_column(ratio=1)
            grid.add_row(*row)
            yield grid


def _panel(pane: Pane) -> Panel:
    text = safe_text(pane.text)
    for mark in pane.marks:
        text.stylize(f"{GROUP_COLOURS[mark.group % len(GROUP_COLOURS)]} underline", mark.start, mark.end)
    return Panel(text, title=safe_text(pane.title), title_align="left", border_style="dim", box=box.ROUNDED)


def _draw_panes(panes: Sequence[Pane]) -> Iterable[RenderableType]:
    yield _Panes(panes)


def _draw_tables(tables: Sequence[Table]) -> Iterable[RenderableType]:
    for table in tables:
        if not table.rows:
            continue
        grid = make_table()
        for title, numbers in zip(table.header, table.numbers, strict=True):
            grid.add_column(safe_text(title), justify="right" if numbers else "left", overflow="fold")
        for row in table.rows[:_TABLE_ROWS]:
            grid.add_row(*(safe_text(cell) for cell in row))
        yield grid
        hidden = len(table.rows) - _TABLE_ROWS
        if hidden > 0:
            yield dim_text(f"and {hidden} more")


DRAWINGS: dict[str, Callable[[Sequence[Any]], Iterable[RenderableType]]] = {
    "pane": _draw_panes,
    "table": _draw_tables,
}
"""How neighbouring blocks of a kind are drawn, by kind."""
