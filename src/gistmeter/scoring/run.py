"""Scoring a run: batches in, a table of scores out."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.runs import BATCH_ROWS
from gistmeter.io.tables import check_table_path, write_table
from gistmeter.scores import ScoreColumn, Scores
from gistmeter.scoring.batch import Job, missing_key
from gistmeter.scoring.cache import cache_path
from gistmeter.scoring.resume import Spool, add_traits, frame, merge
from gistmeter.scoring.workers import Engine, work_through

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import polars as pl

    from gistmeter.io.batches import Batch
    from gistmeter.io.origin import Origin
    from gistmeter.io.runs import Run
    from gistmeter.metrics.metric import Metric
    from gistmeter.scoring.batch import ScoredBatch, Traits

    Progress = Callable[["Advance"], None]


_SLOW_ROWS = 256


@dataclass(frozen=True, slots=True)
class Advance:
    """How far scoring is: summaries and bytes done by this step, and whether they came from an earlier run."""

    rows: int
    read_bytes: int
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What scoring gave: the columns with their signatures, how many rows, and what to tell the user."""

    columns: tuple[ScoreColumn, ...]
    rows: int
    notes: tuple[str, ...]
    origin: Origin


def score_to_file(
    run: Run,
    metrics: Mapping[str, Metric],
    output: Path,
    *,
    workers: int = 1,
    cache: bool = True,
    engine: Engine = "local",
    progress: Progress | None = None,
) -> Outcome:
    """Score a run into a file, in constant memory. Interrupted, the same call goes on where it stopped."""
    check_table_path(output)
    if any(Path(file).exists() and output.exists() and Path(file).samefile(output) for file in run.origin.named):
        raise DataError(f"{output} is one of the files to score: name another output")
    if workers < 1 or engine not in ("local", "ray"):
        raise DataError(f"there must be at least 1 worker, on the engine local or ray (not {workers} on {engine})")
    run, metrics = _fitted(run, metrics)
    job = Job(dict(metrics), run.reading, cache_path() if cache else None)
    names = table_columns(metrics)
    spool = Spool(output, names, job)
    tally = _Tally(metrics)
    digests: deque[str] = deque()

    def fresh(batches: Iterator[Batch]) -> Iterator[Batch]:
        for batch in batches:
            digests.append(spool.digest(batch))
            yield batch

    try:
        kept, rest = spool.resume(run.batches(_rows(metrics)))
        for scored in kept:
            tally.add(scored)
            _tell(progress, scored, resumed=True)
        try:
            for scored in work_through(job, fresh(rest), workers=workers, engine=engine):
                tally.add(scored)
                spool.add(digests.popleft(), scored)
                _tell(progress, scored)
        finally:
            spool.flush()
        outcome = tally.outcome(run)
        described = Scores(_no_rows(names), outcome.columns, outcome.origin, outcome.notes).metadata()
        write_table(spool.table(), output, described)
        spool.discard()
    finally:
        spool.release()
    return outcome


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
    run, metrics = _fitted(run, metrics)
    job = Job(dict(metrics), run.reading, cache_path() if cache else None)
    tally = _Tally(metrics)
    done: list[ScoredBatch] = []
    for scored in work_through(job, run.batches(_rows(metrics)), workers=workers, engine=engine):
        tally.add(scored)
        done.append(scored)
        _tell(progress, scored)
    outcome = tally.outcome(run)
    table = frame(merge(done), table_columns(metrics))
    return Scores(table, outcome.columns, outcome.origin, outcome.notes)


def _fitted(run: Run, metrics: Mapping[str, Metric]) -> tuple[Run, Mapping[str, Metric]]:
    """The metrics after those that need it have read the whole run, and a run that can be read again."""
    if not any(metric.fits for metric in metrics.values()):
        return run, metrics
    run = run.rereadable()
    return run, {label: metric.fit(run.examples()) if metric.fits else metric for label, metric in metrics.items()}


def _rows(metrics: Mapping[str, Metric]) -> int:
    return _SLOW_ROWS if any(metric.slow for metric in metrics.values()) else BATCH_ROWS


def table_columns(metrics: Mapping[str, Metric]) -> list[str]:
    """The number columns of the table: for each metric its scores, then its additive parts."""
    return [
        f"{label}.{name}"
        for label, metric in metrics.items()
        for name in (*(column.name for column in metric.summary_columns), *metric.parts)
    ]


class _Tally:
    """What accumulates while batches come in: who was scored already, traits, counts."""

    def __init__(self, metrics: Mapping[str, Metric]) -> None:
        self._metrics = metrics
        self._seen: set[bytes] = set()
        self._traits: Traits = {}
        self._counts: Counter[str] = Counter()
        self._missing: Counter[str] = Counter()
        self._widths = {label: len(metric.summary_columns) for label, metric in metrics.items()}
        self._first_columns: dict[str, int] = {}
        place = 0
        for label, metric in metrics.items():
            if self._widths[label]:
                self._first_columns[label] = place
            place += metric.width
        self._rows = 0

    def add(self, scored: ScoredBatch) -> None:
        """Count a batch in; a document twice from one system is a mistake."""
        for i, (doc_id, system) in enumerate(zip(scored.doc_ids, scored.systems, strict=True)):
            # A short hash, not the names: a million rows stay a few dozen megabytes.
            key = hashlib.blake2b(f"{len(system)}\0{system}{doc_id}".encode(), digest_size=10).digest()
            if key in self._seen:
                raise DataError(f"{scored.places.at(i)}: document {doc_id!r} by system {system!r} is there twice")
            self._seen.add(key)
        self._rows += len(scored.doc_ids)
        self._counts += scored.counts
        for label, column in self._first_columns.items():
            self._missing[label] += int(
                np.isnan(scored.numbers[:, column : column + self._widths[label]]).all(axis=1).sum()
            )
        add_traits(self._traits, scored.traits)

    def outcome(self, run: Run) -> Outcome:
        """The columns and notes once all batches are in."""
        if not self._rows:
            raise DataError(f"there are no summaries in {', '.join(run.origin.sources) or 'the run'}")
        return Outcome(
            columns=tuple(_score_columns(self._metrics, self._traits)),
            rows=self._rows,
            notes=tuple(self._notes()),
            origin=run.origin,
        )

    def _notes(self) -> Iterator[str]:
        explained = {
            "empty summary": "summaries are empty: their scores of overlap are 0",
            "empty references": "summaries have only empty references: scores against them are missing (NaN)",
            "empty document": "summaries have an empty document: scores against it are missing (NaN)",
        }
        needs = {need for metric in self._metrics.values() for need in metric.needs}
        relevant = {
            "empty summary": True,
            "empty references": "references" in needs,
            "empty document": "document" in needs,
        }
        for what, sentence in explained.items():
            if self._counts[what] and relevant[what]:
                yield f"{self._counts[what]} of {self._rows} {sentence}"
        for label, missing in self._missing.items():
            said = {need: self._counts[f"empty {need}"] for need in self._metrics[label].needs}
            if missing > sum(said.values()):
                yield f"{missing} of {self._rows} summaries have no {label} (NaN): {self._reasons(label)}"

    def _reasons(self, label: str) -> str:
        """Why scores are missing, the most frequent reason first, with how many summaries each holds of."""
        start = missing_key(label, "")
        found = {key.removeprefix(start): count for key, count in self._counts.most_common() if key.startswith(start)}
        if len(found) == 1:
            return next(iter(found))
        return "; ".join(f"{reason} ({count})" for reason, count in found.items()) or self._metrics[label].missing


def _score_columns(metrics: Mapping[str, Metric], traits: Traits) -> Iterator[ScoreColumn]:
    for label, metric in metrics.items():
        signature = metric.signature(traits.get(label))
        parts = tuple(f"{label}.{part}" for part in metric.parts)
        for column in metric.columns:
            yield ScoreColumn(
                name=f"{label}.{column.name}",
                signature=signature,
                better=column.better,
                about=column.about,
                parts=parts if column.pooled else (),
            )


def _no_rows(names: list[str]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(schema={"doc_id": pl.String, "system": pl.String, **dict.fromkeys(names, pl.Float64)})


def _tell(progress: Progress | None, scored: ScoredBatch, *, resumed: bool = False) -> None:
    if progress is not None:
        progress(Advance(len(scored.doc_ids), scored.read_bytes, resumed))
