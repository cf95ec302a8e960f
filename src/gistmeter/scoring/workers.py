"""Who does the work: this process, several processes, or a Ray cluster. The results come back in order."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from gistmeter.errors import GistmeterError, MissingExtraError
from gistmeter.models.runtime.settings import install_settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.batch import Job, ScoredBatch

Engine = Literal["local", "ray"]
_AHEAD = 3
"""Batches in flight for each worker: enough to keep it busy, few enough to keep memory constant."""

_job: Job | None = None


def work_through(job: Job, batches: Iterable[Batch], *, workers: int, engine: Engine) -> Iterator[ScoredBatch]:
    """Score batches, in their order."""
    if engine == "ray":
        yield from _with_ray(job, batches, workers)
    elif workers > 1:
        yield from _with_processes(job, batches, workers)
    else:
        try:
            for batch in batches:
                yield job.score(batch)
        finally:
            job.close()


def _with_processes(job: Job, batches: Iterable[Batch], workers: int) -> Iterator[ScoredBatch]:
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if hasattr(context, "set_forkserver_preload"):
        context.set_forkserver_preload(["gistmeter.scoring.warm"])
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_start_worker, initargs=(job, workers))
    waiting: deque[Any] = deque()
    try:
        for batch in batches:
            waiting.append(pool.submit(_score, batch))
            if len(waiting) >= workers * _AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise GistmeterError(
            "a worker process died (out of memory?); run again with fewer --workers: finished parts are kept"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start_worker(job: Job, workers: int) -> None:
    # Each worker's models take their share of the cores, unless the user said how many threads.
    share = max(1, (os.cpu_count() or 1) // workers)
    install_settings(replace(job.runtime, threads=job.runtime.threads or share))
    global _job  # noqa: PLW0603  (a worker process holds one job)
    _job = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_leave_with, args=(parent.sentinel,), daemon=True).start()


def _leave_with(sentinel: int) -> None:
    """End this worker when its parent is gone, also by kill -9."""
    with contextlib.suppress(OSError):
        from multiprocessing.connection import wait

        wait([sentinel])
    os._exit(1)


def _score(batch: Batch) -> ScoredBatch:
    if _job is None:
        raise RuntimeError("worker was not started")
    return _job.score(batch)


def _with_ray(job: Job, batches: Iterable[Batch], workers: int) -> Iterator[ScoredBatch]:
    try:
        import ray
    except ImportError:
        raise MissingExtraError("--engine ray needs the package ray: pip install 'gistmeter[ray]'") from None
    if not ray.is_initialized():
        ray.init(log_to_driver=False, include_dashboard=False, logging_level=logging.ERROR)
    actors = [ray.remote(_RayWorker).remote(job) for _ in range(max(workers, 1))]
    waiting: deque[Any] = deque()
    try:
        for number, batch in enumerate(batches):
            waiting.append(actors[number % len(actors)].score.remote(batch))
            if len(waiting) >= len(actors) * _AHEAD:
                yield _ray_result(ray, waiting.popleft())
        while waiting:
            yield _ray_result(ray, waiting.popleft())
    finally:
        for actor in actors:
            ray.kill(actor)


class _RayWorker:
    """An actor that holds the job, so that a model is loaded once."""

    def __init__(self, job: Job) -> None:
        install_settings(job.runtime)
        self._job = job

    def score(self, batch: Batch) -> ScoredBatch | GistmeterError:
        # A user's mistake travels as a value: Ray would wrap it in an error of its own.
        try:
            return self._job.score(batch)
        except GistmeterError as error:
            return error


def _ray_result(ray: Any, reference: Any) -> ScoredBatch:
    result = ray.get(reference)
    if isinstance(result, GistmeterError):
        raise result
    return result  # type: ignore[no-any-return]
