"""`gistmeter score`: score a run and write the scores."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import WRITES_FILE, WRITES_SCORES
from gistmeter.cli.door.terminal import console, draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gistmeter.scoring.run import Advance


INTERRUPTED = 130


def score(
    run: o.RunFiles = None,
    metrics: o.Metrics = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write scores here: .parquet, .jsonl or .csv."), WRITES_SCORES
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Also write an HTML report here."), WRITES_FILE] = None,
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    units: o.UnitFiles = None,
    weights: o.WeightFile = None,
    labels: o.LabelFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    markers: o.MarkerReading = "read",
    human_row: Annotated[
        bool,
        typer.Option("--human-row", help="Add a system `human`: a reference a document, for metrics with jackknife."),
    ] = False,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes to score with.")] = 1,
    engine: Annotated[Literal["local", "ray"], typer.Option(help="local, or ray for a Ray cluster.")] = "local",
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace an output that is there; otherwise scores are added to it.")
    ] = False,
    no_cache: o.NoCache = False,
    device: o.Device = None,
    threads: o.Threads = None,
    allow_pickle: o.AllowPickle = False,
) -> None:
    """Score summaries with any metrics, in one table.

    Interrupted, the same command goes on where it stopped (with --output). An output that has scores of the same
    summaries gets new columns.
    """
    from gistmeter import api
    from gistmeter.io.atomic import check_writable
    from gistmeter.io.score_tables import check_table_path
    from gistmeter.report.console import standings_table
    from gistmeter.report.tables.numbers import format_count
    from gistmeter.wording import join_names

    if output is not None:
        check_table_path(output)
    if report is not None:
        check_writable(report)
    runtime = o.runtime_settings(device=device, threads=threads, allow_pickle=allow_pickle)
    opened = o.open_run_files(
        run, summaries, references, documents, language, units=units, weights=weights, labels=labels, fields=fields
    ).with_markers(markers)
    if human_row:
        opened = opened.with_human_row()
    with explain_interrupt(output), progress_bar(opened.total_bytes()) as progress, o.notes_on_stderr():
        scored = api.score_systems(
            opened,
            metrics or [o.DEFAULT_METRICS],
            output=output,
            report=report is not None,
            options=api.ScoringOptions(
                workers=workers,
                cache=not no_cache,
                engine=engine,
                progress=progress,
                runtime=runtime,
                replace=replace,
            ),
        )
    draw(standings_table(scored.standings))
    if output is not None:
        beside = f" (beside {join_names(scored.earlier)}, which it had)" if scored.earlier else ""
        o.say(f"{format_count(scored.summaries, 'summary')} scored: {output}{beside}")
    if report is not None:
        scored.write_report(report)
        o.say(f"report: {report}")


@contextlib.contextmanager
def explain_interrupt(output: Path | None) -> Iterator[None]:
    """On Ctrl-C, say what became of the work."""
    try:
        yield
    except KeyboardInterrupt:
        resumable = "what was finished is kept: the same command goes on from there"
        o.say(f"gistmeter: stopped; {resumable if output else 'nothing is kept without --output'}")
        raise typer.Exit(INTERRUPTED) from None


@contextlib.contextmanager
def progress_bar(total: int | None = None) -> Iterator[Callable[[Advance], None] | None]:
    """A bar on a terminal, nothing in a pipe; `total` is how many bytes there are to read, where that is known."""
    terminal = console(stderr=True)
    if not terminal.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("scoring"),
        BarColumn(),
        TextColumn("{task.fields[rows]} summaries"),
        TimeElapsedColumn(),
        *([TimeRemainingColumn()] if total else []),
        console=terminal,
        transient=True,
    )
    rows = 0
    with bar:
        task = bar.add_task("scoring", total=total, rows=0)

        def advance(step: Advance) -> None:
            nonlocal rows
            rows += step.rows
            bar.update(task, advance=step.read_bytes, rows=rows)

        yield advance
