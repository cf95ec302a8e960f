"""`gistmeter score`: score a run and write the scores."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import WRITES_FILE, WRITES_SCORES
from gistmeter.cli.door.terminal import draw
from gistmeter.cli.output import FIRST_LINE_SECONDS, LINE_SECONDS, draw_bar
from gistmeter.cli.run_files import NO_FILES, RunFiles, take_run_files
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gistmeter.scoring.run import Advance


INTERRUPTED = 130
LOADING = "loading models"


@take_run_files
def score(
    run: o.RunFiles = None,
    metrics: o.Metrics = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write scores here: .parquet, .jsonl or .csv."), WRITES_SCORES
    ] = None,
    report: Annotated[Path | None, typer.Option(help="Also write an HTML report here."), WRITES_FILE] = None,
    files: RunFiles = NO_FILES,
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
    from gistmeter.cli.output import share_progress
    from gistmeter.io.atomic import check_writable
    from gistmeter.io.score_tables import check_table_path
    from gistmeter.report.console import standings_table
    from gistmeter.wording import join_names

    if output is not None:
        check_table_path(output)
    if report is not None:
        check_writable(report)
    runtime = o.runtime_settings(device=device, threads=threads, allow_pickle=allow_pickle)
    opened = files.open_run(run).with_markers(markers)
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
    with share_progress("ranking") as ranking_progress:
        standings = scored.rank_systems(ranking_progress)
    draw(standings_table(standings))
    if output is not None:
        beside = f" (beside {join_names(scored.earlier)}, which it had)" if scored.earlier else ""
        o.say(f"{format_count(scored.summaries, 'summary')} scored: {output}{beside}")
    if report is not None:
        scored.write_report(report)
        o.say(f"report: {report}")


@contextlib.contextmanager
def explain_interrupt(output: Path | None) -> Iterator[None]:
    """On Ctrl-C, say what became of the work."""
    from gistmeter.scoring.run import ScoringInterrupted

    try:
        yield
    except KeyboardInterrupt as stop:
        stored = []
        if isinstance(stop, ScoringInterrupted):
            stored = [format_count(stop.summaries, "finished summary")] if stop.summaries else []
            least = "at least " if stop.more_answers else ""
            stored += [f"{least}{format_count(stop.answers, 'new answer')} to questions"] if stop.answers else []
        if output is None:
            outcome = "nothing is kept without --output"
        elif stored:
            outcome = f"kept: {' and '.join(stored)}; the same command goes on from there"
        else:
            outcome = "no summary was finished, so nothing is kept"
        o.say(f"gistmeter: stopped; {outcome}")
        raise typer.Exit(INTERRUPTED) from None


@contextlib.contextmanager
def progress_bar(total: int | None = None) -> Iterator[Callable[[Advance], None]]:
    """A bar on a terminal, in a pipe a line on standard error now and then, for work of more than two seconds.

    `total` is how many bytes there are to read, where that is known.
    """
    counts = _Counts()
    with draw_bar("scoring") as update:
        if update is None:
            with contextlib.closing(_ProgressLines(total)) as lines:
                yield lines.tell
            return

        def advance(step: Advance) -> None:
            counts.add(step)
            update(advance=step.read_bytes, total=total, note=LOADING if step.loads_models else counts.describe())

        yield advance


@dataclass(slots=True)
class _Counts:
    """How much of a run is scored."""

    rows: int = 0
    answers: int = 0
    read_bytes: int = 0
    resumed_bytes: int = 0

    def add(self, step: Advance) -> None:
        self.rows += step.rows
        self.answers += step.answers
        self.read_bytes += step.read_bytes
        self.resumed_bytes += step.read_bytes if step.resumed else 0

    def describe(self) -> str:
        answers = f", {format_count(self.answers, 'question')} answered" if self.answers else ""
        return format_count(self.rows, "summary") + answers


class _ProgressLines:
    """Progress as lines, the first after two seconds, then one every ten.

    Where models are still being loaded after two seconds, the first line says so; the next comes with the first step.
    """

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._counts = _Counts()
        self._started = time.monotonic()
        self._next_line = self._started + FIRST_LINE_SECONDS
        self._loading: threading.Timer | None = None

    def close(self) -> None:
        """Have nothing said any more."""
        if self._loading is not None:
            self._loading.cancel()
            self._loading = None

    def tell(self, step: Advance) -> None:
        """Take note of a step, and print a line if it is time."""
        self.close()
        if step.loads_models:
            self._loading = threading.Timer(FIRST_LINE_SECONDS, o.say, (f"scoring: {LOADING}",))
            self._loading.daemon = True
            self._loading.start()
            return
        self._counts.add(step)
        now = time.monotonic()
        finished = self._total is not None and self._counts.read_bytes >= self._total
        if now >= self._next_line and not finished:
            self._next_line = now + LINE_SECONDS
            o.say(f"scoring: {self._counts.describe()}{self._describe_rest(now)}")

    def _describe_rest(self, now: float) -> str:
        done = self._counts.read_bytes - self._counts.resumed_bytes
        if not self._total or done <= 0:
            return ""
        rest = (now - self._started) / done * (self._total - self._counts.read_bytes)
        seconds, minutes = max(1, round(rest)), round(rest / 60)
        return f", about {format_count(seconds, 'second') if rest < 90 else format_count(minutes, 'minute')} left"
