"""Results for the terminal, as rich renderables. User text goes in as `Text`, never as markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from gistmeter.ranking.means import SystemMeans
from gistmeter.report.catalogue import column_about, group_text, needs_marks, needs_text, pages_by_family, preset_text
from gistmeter.report.tables.board import Board, heading, ranking_board
from gistmeter.report.tables.differences import comparison_caption, comparison_rows, document_rows, most_differing
from gistmeter.report.tables.means import means_sheet
from gistmeter.report.tables.sheet import console
from gistmeter.report.terminal import dim_text, make_table, note_texts, safe_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from gistmeter.ranking.compare import Comparison, Difference
    from gistmeter.ranking.rank import Ranking
    from gistmeter.report.catalogue import MetricPage
    from gistmeter.report.tables.board import BoardStyle, Cell
    from gistmeter.report.tables.differences import DifferenceRow

_LONGEST_NAME = 28
_LEAST_CELL = 24
"""A score with its interval, which a terminal that is narrower still has to fold."""
_MARKS_WIDTH = 7
_METRICS_LEGEND = (
    "R needs references, D the document, U content units, M models (the extra `models`); * works without references.\n"
    "Any case, hyphens and underscores: ROUGE-1 is rouge1. `gistmeter metrics NAME` says more."
)


def ranking_table(ranking: Ranking, style: BoardStyle | None = None) -> RenderableType:
    """The leaderboard: systems x scores, intervals, letters."""
    return _BoardView(ranking_board(ranking, style))


def standings_table(standings: Ranking | SystemMeans) -> RenderableType:
    """The leaderboard after scoring: the ranking, or the means of a run too long to rank at once."""
    return console(means_sheet(standings)) if isinstance(standings, SystemMeans) else ranking_table(standings)


def comparison_table(comparison: Comparison, style: BoardStyle | None = None) -> RenderableType:
    """Two systems by each score, then the documents on which they differ most."""
    every = style is not None and style.every
    table = make_table()
    table.add_column("score", overflow="fold")
    for name in (comparison.system_a, comparison.system_b):
        table.add_column(safe_text(name), justify="right", overflow="fold")
    table.add_column("difference", justify="right", no_wrap=True)
    table.add_column("p", justify="right", no_wrap=True)
    rows = comparison_rows(comparison, style)
    widths = [max((len(getattr(row, part)) for row in rows), default=0) for part in ("difference", "interval")]
    for row in rows:
        table.add_row(safe_text(heading(row.column)), row.a, row.b, _difference(row, widths), row.pvalue)
    parts: list[RenderableType] = [table, dim_text(comparison_caption(comparison, rows)), *note_texts(comparison.notes)]
    most = most_differing(comparison, every=every)
    if most is not None:
        parts += [Text(), _documents_table(comparison, most, style)]
    return Group(*parts)


def metrics_table(pages: Iterable[MetricPage]) -> RenderableType:
    """All metrics under the headings of their families, a line for each: its name, what it needs, what it is."""
    families = pages_by_family(pages)
    width = max((len(_name_line(page)) for listed in families.values() for page in listed), default=0)
    parts: list[RenderableType] = []
    for family, listed in families.items():
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(style="bold", no_wrap=True, min_width=width)
        table.add_column(no_wrap=True, min_width=_MARKS_WIDTH)
        table.add_column()
        for page in listed:
            about = safe_text(page.first_line)
            about.no_wrap, about.overflow = True, "ellipsis"
            table.add_row(safe_text(_name_line(page)), needs_marks(page), about)
        heading = Text.assemble((family.title, "bold underline"), f": {family.about}{group_text(family)}")
        parts += [heading, table, Text()]
    return Group(*parts, dim_text(_METRICS_LEGEND))


def _name_line(page: MetricPage) -> str:
    """The names of a metric, of many the first and the last."""
    return ", ".join(page.names) if len(page.names) < 3 else f"{page.names[0]} to {page.names[-1]}"


def metric_page(page: MetricPage) -> RenderableType:
    """One metric: what it needs, what it returns, its settings, its paper, its signature."""
    scores = make_table()
    scores.add_column("score", style="bold", no_wrap=True)
    scores.add_column("better", no_wrap=True)
    scores.add_column("what it is", overflow="fold")
    for column in page.columns:
        scores.add_row(safe_text(column.name), column.better, safe_text(column_about(column)))
    facts = Table.grid(padding=(0, 2, 0, 0))
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(overflow="fold")
    facts.add_row("needs", safe_text(needs_text(page)))
    if page.paper:
        facts.add_row("paper", safe_text(page.paper))
    facts.add_row("evidence", "gistmeter explain shows what matched" if page.explains else "none")
    facts.add_row("signature", safe_text(page.signature))
    parts: list[RenderableType] = [safe_text(page.name, "bold"), safe_text(page.about), Text(), facts, Text(), scores]
    if page.settings:
        settings = make_table()
        settings.add_column("setting", style="bold", no_wrap=True)
        settings.add_column("default", no_wrap=True)
        settings.add_column("takes", overflow="fold")
        for setting in page.settings:
            settings.add_row(safe_text(setting.name), safe_text(setting.default), safe_text(setting.takes))
        parts += [Text(), settings]
    if page.presets:
        presets = make_table()
        presets.add_column("preset", style="bold", no_wrap=True)
        presets.add_column("stands for", overflow="fold")
        presets.add_column("what it is", overflow="fold")
        for name, preset in page.presets.items():
            presets.add_row(safe_text(f"preset={name}"), safe_text(preset_text(preset)), safe_text(preset.about))
        parts += [Text(), presets]
    return Group(*parts)


class _BoardView:
    """A board as one table, or as several below each other when its columns do not fit side by side."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.cells = [[row.cells[index] for row in board.rows] for index in range(len(board.columns))]
        self.widths = [
            max(sum(_cell_widths(column)), min(_LONGEST_NAME, len(title)))
            for column, title in zip(self.cells, board.headings, strict=True)
        ]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = options.max_width - sum(self._name_widths) - 2 * (len(self._name_widths) - 1)
        for block_number, indices in enumerate(self._blocks(room)):
            if block_number:
                yield Text()
            yield self._block(indices, room - 2)
        yield dim_text(self.board.caption)
        yield from note_texts(self.board.notes)

    def _blocks(self, room: int) -> list[list[int]]:
        blocks: list[list[int]] = []
        left = 0
        for index, wanted in enumerate(self.widths):
            if not blocks or left < wanted + 2:
                blocks.append([])
                left = room
            blocks[-1].append(index)
            left -= wanted + 2
        return blocks

    def _block(self, indices: Sequence[int], room: int) -> Table:
        table = make_table()
        for label, width in zip(self.board.labels, self._name_widths, strict=True):
            table.add_column(safe_text(label), width=width, overflow="fold")
        for index in indices:
            title = safe_text(self.board.headings[index])
            # Thousands of systems may have hundreds of letters: these go on below, and names keep their room.
            width = min(self.widths[index], max(room, _LEAST_CELL))
            table.add_column(title, width=width, overflow="fold")
        cells_by_column = {index: _align_cells(self.cells[index]) for index in indices}
        for line, row in enumerate(self.board.rows):
            table.add_row(
                *map(safe_text, self.board.name_row(row)), *(cells_by_column[index][line] for index in indices)
            )
        return table

    @property
    def _name_widths(self) -> list[int]:
        columns = zip(*([self.board.labels, *map(self.board.name_row, self.board.rows)]), strict=True)
        return [max(len(label), min(_LONGEST_NAME, max(map(len, names), default=0))) for label, *names in columns]


def _cell_widths(cells: Sequence[Cell]) -> tuple[int, int, int]:
    """The widths of value, interval and letters; the last two with the space before them."""
    value = max((len(cell.value) for cell in cells), default=0)
    bounds = max((len(cell.interval) for cell in cells), default=0)
    letters = max((len(cell.letters) for cell in cells), default=0)
    return value, bounds + 1 if bounds else 0, letters + 1 if letters else 0


def _align_cells(cells: Sequence[Cell]) -> list[Text]:
    value, bounds, letters = _cell_widths(cells)
    return [
        Text.assemble(
            (cell.value.rjust(value), "bold" if cell.best else ""),
            (cell.interval.rjust(bounds) if bounds else "", "dim"),
            f" {cell.letters}".ljust(letters) if letters else "",
        )
        for cell in cells
    ]


def _difference(row: DifferenceRow, widths: Sequence[int]) -> Text:
    return Text.assemble(row.difference.rjust(widths[0]), " ", (row.interval.rjust(widths[1]), "dim"))


def _documents_table(comparison: Comparison, most: Difference, style: BoardStyle | None) -> Table:
    table = make_table(title=safe_text(f"documents that differ most by {most.column.name}", "bold"))
    table.add_column("document", overflow="fold")
    for name in (comparison.system_a, comparison.system_b):
        table.add_column(safe_text(name), justify="right", overflow="fold")
    table.add_column("difference", justify="right", no_wrap=True)
    for row in document_rows(most, style):
        table.add_row(*(safe_text(cell) for cell in row))
    return table
