"""What commands show beside rankings: sheets of results, figures, and bars for work that takes a while."""

from __future__ import annotations

import contextlib
import functools
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.cli.door.latex import choose_latex_options
from gistmeter.cli.door.terminal import console, draw, say, tell, tell_json
from gistmeter.errors import ArgumentError
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gistmeter.judgments import Judgments
    from gistmeter.report.tables.sheet import Sheet
    from gistmeter.result import Result

FIRST_LINE_SECONDS = 2.0
LINE_SECONDS = 10.0
"""Between two lines of progress in a pipe."""

FigureFile = Annotated[
    Path | None,
    typer.Option("--figure", metavar="FILE", help="Also draw the figure: .svg, .png, .pdf or .html."),
    WRITES_FILE,
]


def show_sheet(sheet: Sheet, *, latex: bool, html: bool, markdown: bool, json: bool) -> None:
    """Print a sheet in the form asked for."""
    from gistmeter.report.tables import sheet as forms

    sheet = replace(sheet, notes=tuple(map(_use_flags, sheet.notes)))
    form = o.choose_form(latex=latex, html=html, markdown=markdown, json=json)
    if form is None:
        draw(forms.console(sheet))
    elif form == "latex":
        from gistmeter.report.latex.tables import write_latex

        tell(write_latex(sheet, choose_latex_options()))
    else:
        write = {"html": forms.html, "markdown": forms.markdown, "json": forms.json}[form]
        (tell_json if form == "json" else tell)(write(sheet))


def _use_flags(note: str) -> str:
    """A note with options of the command line in the place of Python's arguments."""
    return o.use_flags(ArgumentError(note), o.META_ARGUMENTS)


def show_result(result: Result, *, latex: bool, html: bool, markdown: bool, json: bool) -> None:
    """Print an answer of `gistmeter.meta` or `gistmeter.human` in the form asked for."""
    if json:
        o.choose_form(latex=latex, html=html, markdown=markdown, json=json)
        tell_json(result.to_json())
        return
    from gistmeter.report.sheets.human import result_sheet

    show_sheet(result_sheet(result), latex=latex, html=html, markdown=markdown, json=False)


def show_csv(result: Result) -> None:
    """Print the rows of an answer as comma-separated values, numbers in full and missing ones empty."""
    import csv
    from io import StringIO

    from gistmeter.io.json_lines import nan_to_null
    from gistmeter.io.writing import guard_cell

    rows: list[dict[str, Any]] = nan_to_null(result.records())
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(guard_cell(name) for name in rows[0])
    writer.writerows([guard_cell(cell) if isinstance(cell, str) else cell for cell in row.values()] for row in rows)
    tell(text.getvalue().rstrip("\n"))


def check_judgments_file(path: Path | None) -> None:
    """Refuse a file of judgments that cannot be written before any long work."""
    if path is not None:
        from gistmeter.io.atomic import check_writable

        check_writable(path)


def write_judgments(judgments: Judgments, path: Path | None) -> None:
    """Write judgments, if a file was asked for, and say how many there are."""
    if path is not None:
        o.say(f"{format_count(judgments.write(path), 'judgment')} written: {path}")


def check_figure(path: Path | None) -> None:
    """Refuse a figure that cannot be drawn before any long work."""
    if path is not None:
        from gistmeter.io.atomic import check_writable
        from gistmeter.report.figures import check_figure_path

        check_figure_path(path)
        check_writable(path)


def draw_chart(make_chart: Callable[[], Any], path: Path | None) -> None:
    """Write a figure, if one was asked for."""
    if path is not None:
        from gistmeter.report.figures import write_figure

        write_figure(make_chart(), path)
        o.say(f"figure: {path}")


def draw_result(result: Result, path: Path | None) -> None:
    """Write the picture of an answer of `gistmeter.meta`, if one was asked for."""
    if path is not None:
        from gistmeter.report.meta_charts import chart

        draw_chart(lambda: chart(result), path)


@contextlib.contextmanager
def draw_bar(what: str) -> Iterator[Callable[..., None] | None]:
    """What moves a bar on a terminal (`completed`, `advance`, `total`, `note`); None in a pipe."""
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=terminal, transient=True) as bar:
        yield functools.partial(bar.update, bar.add_task(what, total=None, note=""))


@contextlib.contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal for work that takes a while; nothing in a pipe."""
    with draw_bar(what) as update:
        yield None if update is None else lambda done, total: update(completed=done, total=total)


@contextlib.contextmanager
def share_progress(what: str) -> Iterator[Callable[[float], None]]:
    """How much of some work is done: a bar on a terminal; in a pipe a line on standard error now and then.

    Work of less than two seconds says nothing in a pipe.
    """
    last_line = time.monotonic() - LINE_SECONDS + FIRST_LINE_SECONDS
    with draw_bar(what) as update:

        def show_share(share: float) -> None:
            nonlocal last_line
            if update is not None:
                update(completed=share, total=1.0)
            elif share < 1 and time.monotonic() - last_line >= LINE_SECONDS:
                last_line = time.monotonic()
                say(f"{what}: {share:.0%} done")

        yield show_share
