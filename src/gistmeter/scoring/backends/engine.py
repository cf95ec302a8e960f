"""The choice of a backend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from gistmeter.errors import ArgumentError
from gistmeter.scoring.backends.local import score_here
from gistmeter.scoring.backends.processes import score_in_processes
from gistmeter.scoring.backends.ray import score_on_ray

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.backends.processes import NoteFinished
    from gistmeter.scoring.batch import Job, ScoredBatch

Engine = Literal["local", "ray"]
MOST_WORKERS = 1024


def check_engine(engine: Engine, workers: int) -> None:
    """Refuse an engine that there is not, and less than one worker."""
    if engine not in get_args(Engine):
        raise ArgumentError(f"`engine` is {' or '.join(get_args(Engine))}, not {engine}")
    if not 1 <= workers <= MOST_WORKERS:
        raise ArgumentError(f"`workers` is at least 1 and at most {MOST_WORKERS:,}, not {workers}")


def score_batches(
    job: Job, batches: Iterable[Batch], *, workers: int, engine: Engine, note_finished: NoteFinished | None = None
) -> Iterator[ScoredBatch]:
    """Score batches, in their order: on Ray, in several processes of this machine, or in this one.

    `note_finished` hears of each batch that a process of this machine has finished, at once and in another thread.
    """
    if engine == "ray":
        return score_on_ray(job, batches, workers)
    return score_in_processes(job, batches, workers, note_finished) if workers > 1 else score_here(job, batches)
