"""Scoring a run: batches in, a table of scores out."""

from __future__ import annotations

import dataclasses
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError
from gistmeter.io.batches import join_batches
from gistmeter.io.runs import BATCH_ROWS
from gistmeter.io.score_tables import CONTENT_COLUMN, check_table_path, write_table
from gistmeter.scores import KEYS, Scores
from gistmeter.scoring.backends.engine import Engine, check_engine, score_batches
from gistmeter.scoring.backends.processes import BatchesAbandoned
from gistmeter.scoring.batch import Job
from gistmeter.scoring.cache import cache_path
from gistmeter.scoring.earlier import EarlierScores
from gistmeter.scoring.failures import name_failure
from gistmeter.scoring.languages import check_languages
from gistmeter.scoring.pacing import Pace, join_in_pace
from gistmeter.scoring.resume import Spool, StoredPart, make_frame, merge_batches
from gistmeter.scoring.tally import Outcome, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    import polars as pl

    from gistmeter.example import Example
    from gistmeter.io.batches import Batch
    from gistmeter.io.runs import Run
    from gistmeter.metrics.metric import Metric
    from gistmeter.scoring.batch import ScoredBatch

    Progress = Callable[["Advance"], None]


class ScoringInterrupted(KeyboardInterrupt):
    """Ctrl-C while a run was scored into a file: what is saved, for the call that goes on."""

    def __init__(self, *, summaries: int, answers: int, more_answers: bool = False) -> None:
        super().__init__()
        self.summaries = summaries
        self.answers = answers
        """Answers to questions that this call asked, of summaries that are not finished too."""
        self.more_answers = more_answers
        """Whether there may be more of them: workers were ended that had saved some of an unfinished batch."""


@dataclass(frozen=True, slots=True)
class Advance:
    """How far scoring is: summaries and bytes done by this step, and whether they came from an earlier run."""

    rows: int
    read_bytes: int
    resumed: bool = False
    answers: int = 0
    """How many questions were answered; in this process they are told as soon as they are, before their summaries."""
    loads_models: bool = False
    """Whether this is the step before the first, and models are loaded now."""


@dataclass(slots=True)
class _Intake:
    """What comes back from scoring, in the order of the run, with the parts that were scored before between."""

    spool: Spool
    tally: Tally
    earlier: EarlierScores | None
    pace: Pace | None
    progress: Progress | None
    told_answers: bool
    """Whether answers are reported before the summaries that they are of."""
    hears_of_finished: bool
    """Whether `note_finished` is called for each batch before it is taken in."""
    answers: int = 0
    """How many questions the finished batches asked."""
    expected: deque[tuple[str, ...] | StoredPart] = field(default_factory=deque)
    """What comes next: batches that are being scored, by their digests, or a part that was scored before."""

    def choose_unscored(self, entries: Iterator[StoredPart | Batch]) -> Iterator[Batch]:
        """The batches that are still to be scored, those of slow metrics in groups."""
        for entry in entries if self.pace is None else self.pace.group(entries):
            if isinstance(entry, StoredPart):
                self.expected.append(entry)
            else:
                batches = entry if isinstance(entry, list) else [entry]
                batch, digests = join_batches(batches), tuple(map(self.spool.digest, batches))
                self.spool.announce(batch, digests)
                self.expected.append(digests)
                yield batch

    def take(self, scored: ScoredBatch) -> None:
        """Take in a batch that was scored."""
        digests = self.take_stored()
        self._count(scored, resumed=False)
        self.spool.add(digests, scored)
        if not self.hears_of_finished:
            self.answers += scored.answers
        if self.pace is not None:
            self.pace.learn(scored)

    def note_finished(self, batch: Batch, scored: ScoredBatch) -> None:
        """Take note of a batch that a worker has finished, whose turn may be long in coming."""
        self.answers += scored.answers
        self.spool.note_finished(batch, scored)

    def take_stored(self) -> tuple[str, ...]:
        """Take in the parts that come next; gives the digests of the batches behind them, if there are any."""
        while self.expected:
            entry = self.expected.popleft()
            if not isinstance(entry, StoredPart):
                return entry
            self._count(entry.scored, resumed=True)
            self.spool.adopt(entry)
        return ()

    @property
    def pending_rows(self) -> int:
        """How many summaries are in parts of an earlier start whose turn has not come."""
        return sum(len(entry.scored.doc_ids) for entry in self.expected if isinstance(entry, StoredPart))

    def _count(self, scored: ScoredBatch, *, resumed: bool) -> None:
        if self.earlier is not None:
            self.earlier.check(scored)
        self.tally.add(scored)
        _report_progress(self.progress, scored, resumed=resumed, told_answers=self.told_answers)


def score_to_file(
    run: Run,
    metrics: Mapping[str, Metric],
    output: Path,
    *,
    workers: int = 1,
    cache: bool = True,
    engine: Engine = "local",
    progress: Progress | None = None,
    replace: bool = False,
) -> Outcome:
    """Score a run into a file, in constant memory. Interrupted, the same call goes on where it stopped.

    Where the file has scores of the same summaries already, columns are added to them, unless they are to be replaced.
    """
    check_table_path(output, run.input_files)
    check_engine(engine, workers)
    earlier = EarlierScores(output) if output.exists() and not replace else None
    run, metrics = _fit(run, metrics)
    here = workers == 1 and engine == "local"
    note_answers = _tell_answers(progress) if here else None
    job = Job(dict(metrics), run.defaults, cache_path() if cache else None, note_answers=note_answers)
    names = name_number_columns(metrics)
    spool = Spool(output, names, job)
    intake = _Intake(
        spool=spool,
        tally=Tally(metrics),
        earlier=earlier,
        pace=Pace() if _is_slow(metrics) else None,
        progress=progress,
        told_answers=note_answers is not None,
        hears_of_finished=workers > 1 and engine == "local",
    )
    try:
        try:
            _report_loading(progress, metrics)
            unscored = intake.choose_unscored(spool.resume(run.batches(_batch_rows(metrics))))
            for scored in score_batches(
                job, unscored, workers=workers, engine=engine, note_finished=intake.note_finished
            ):
                intake.take(scored)
            intake.take_stored()
        finally:
            spool.flush()
        outcome = intake.tally.outcome(run)
        table = spool.table()
        file_content = outcome
        if earlier is not None:
            table, file_content = earlier.merge(table, outcome)
        described = Scores(
            table=_make_empty_table(names),
            columns=file_content.columns,
            origin=file_content.origin,
            notes=file_content.notes,
        )
        write_table(table, output, described.metadata())
        spool.discard()
    except KeyboardInterrupt as stop:
        raise ScoringInterrupted(
            summaries=spool.rows + intake.pending_rows,
            answers=job.saved_answers if here else intake.answers * cache,
            more_answers=cache and isinstance(stop, BatchesAbandoned),
        ) from None
    finally:
        spool.release()
    return dataclasses.replace(outcome, earlier=file_content.earlier)


def score_in_memory(
    run: Run,
    metrics: Mapping[str, Metric],
    *,
    workers: int = 1,
    cache: bool = False,
    engine: Engine = "local",
    progress: Progress | None = None,
) -> Scores:
    """Score a run into a table in memory."""
    check_engine(engine, workers)
    run, metrics = _fit(run, metrics)
    note_answers = _tell_answers(progress) if workers == 1 and engine == "local" else None
    job = Job(dict(metrics), run.defaults, cache_path() if cache else None, note_answers=note_answers)
    tally = Tally(metrics)
    scored_batches: list[ScoredBatch] = []
    pace = Pace()
    batches = run.batches(_batch_rows(metrics))
    _report_loading(progress, metrics)
    if _is_slow(metrics):
        batches = join_in_pace(batches, pace)
    for scored in score_batches(job, batches, workers=workers, engine=engine):
        tally.add(scored)
        pace.learn(scored)
        scored_batches.append(scored)
        _report_progress(progress, scored, told_answers=note_answers is not None)
    outcome = tally.outcome(run)
    table = make_frame(merge_batches(scored_batches), name_number_columns(metrics))
    return Scores(
        table=table.drop(CONTENT_COLUMN),
        columns=outcome.columns,
        origin=outcome.origin,
        notes=outcome.notes,
        contents=table.select(*KEYS, CONTENT_COLUMN),
    )


def _fit(run: Run, metrics: Mapping[str, Metric]) -> tuple[Run, Mapping[str, Metric]]:
    """The metrics after those that need it have read the whole run, and a run that can be read again."""
    if run.human_row:
        _check_human_row(metrics)
    if not any(metric.fits for metric in metrics.values()):
        return run, metrics
    run = run.rereadable()
    systems = dataclasses.replace(run, human_row=False)
    return run, {label: fit_metric(label, metric, systems) for label, metric in metrics.items()}


def fit_metric(label: str, metric: Metric, run: Run) -> Metric:
    """A metric after it has read the whole run, if it depends on it."""
    if not metric.fits:
        return metric
    with name_failure(label, metric, lambda: "reading the whole run"):
        return metric.fit(_read_in_known_languages(label, metric, run))


def _read_in_known_languages(label: str, metric: Metric, run: Run) -> Iterator[Example]:
    """The examples of a run; one in a language that the metric does not read is refused by file and record."""
    for batch in run.batches():
        examples = run.defaults.read_markers(batch.examples(run.defaults))
        check_languages({label: metric}, examples, batch.locations)
        yield from examples


def _check_human_row(metrics: Mapping[str, Metric]) -> None:
    """Refuse to compare people with themselves."""
    for label, metric in metrics.items():
        if metric.rewards_own_reference:
            raise ArgumentError(
                f"with a human row {label} would compare a reference with itself: score jackknife(metric={label})"
            )


def _is_slow(metrics: Mapping[str, Metric]) -> bool:
    return any(metric.slow for metric in metrics.values())


def _batch_rows(metrics: Mapping[str, Metric]) -> int:
    """Summaries of a batch; those of slow metrics are grouped by how long they take."""
    return 1 if _is_slow(metrics) else BATCH_ROWS


def name_number_columns(metrics: Mapping[str, Metric]) -> list[str]:
    """The number columns of the table: for each metric its scores, then its additive parts."""
    return [
        f"{label}.{name}"
        for label, metric in metrics.items()
        for name in (*(column.name for column in metric.summary_columns), *metric.parts)
    ]


def _make_empty_table(names: list[str]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(schema={"doc_id": pl.String, "system": pl.String, **dict.fromkeys(names, pl.Float64)})


def _report_loading(progress: Progress | None, metrics: Mapping[str, Metric]) -> None:
    """Say that models are loaded, which happens with the first summaries."""
    if progress is not None and any(metric.slow and metric.model_roles for metric in metrics.values()):
        progress(Advance(rows=0, read_bytes=0, loads_models=True))


def _tell_answers(progress: Progress | None) -> Callable[[int], None] | None:
    if progress is None:
        return None
    return lambda answers: progress(Advance(rows=0, read_bytes=0, answers=answers))


def _report_progress(
    progress: Progress | None, scored: ScoredBatch, *, told_answers: bool, resumed: bool = False
) -> None:
    """Report a batch; `told_answers` says that its answers were reported before it."""
    if progress is not None:
        progress(
            Advance(
                rows=len(scored.doc_ids),
                read_bytes=scored.read_bytes,
                resumed=resumed,
                answers=0 if told_answers else scored.answers,
            )
        )
