"""Scoring on a Ray cluster, in actors that hold the job, so that a model is loaded once by each."""

from __future__ import annotations

import itertools
import logging
from typing import TYPE_CHECKING, Any

from gistmeter.errors import GistmeterError
from gistmeter.extras import missing_extra
from gistmeter.models.runtime.settings import install_settings
from gistmeter.scoring.backends.in_flight import collect_in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.batch import Job, ScoredBatch


def score_on_ray(job: Job, batches: Iterable[Batch], workers: int) -> Iterator[ScoredBatch]:
    """Score batches in so many actors, in turn; a cluster that is running is used, else one is started here."""
    try:
        import ray
    except ImportError:
        raise missing_extra("`engine=ray` needs the package ray", "ray") from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR)
    actors = [ray.remote(_Worker).remote(job) for _ in range(max(workers, 1))]
    turns = itertools.cycle(actors)

    def submit(batch: Batch) -> Any:
        return next(turns).score.remote(batch)

    def wait(reference: Any) -> ScoredBatch:
        result = ray.get(reference)
        if isinstance(result, GistmeterError):
            raise result
        return result  # type: ignore[no-any-return]

    try:
        yield from collect_in_order(batches, submit=submit, wait=wait, workers=len(actors))
    finally:
        for actor in actors:
            ray.kill(actor)


class _Worker:
    """An actor of the cluster."""

    def __init__(self, job: Job) -> None:
        install_settings(job.runtime)
        self._job = job

    def score(self, batch: Batch) -> ScoredBatch | GistmeterError:
        # A user's mistake travels as a value: Ray would wrap it in an error of its own.
        try:
            return self._job.score(batch)
        except GistmeterError as error:
            return error
