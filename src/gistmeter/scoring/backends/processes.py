"""Scoring in several processes of this machine."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gistmeter.errors import GistmeterError
from gistmeter.models.runtime.settings import install_settings
from gistmeter.scoring.backends.in_flight import collect_in_order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.connection import Connection

    from gistmeter.io.batches import Batch
    from gistmeter.scoring.batch import Job, ScoredBatch

    NoteFinished = Callable[[Batch, ScoredBatch], None]

_PRELOADED_MODULE = "gistmeter.scoring.backends.preload"
_job: Job | None = None


def score_in_processes(
    job: Job, batches: Iterable[Batch], workers: int, note_finished: NoteFinished | None = None
) -> Iterator[ScoredBatch]:
    """Score batches in so many processes, each with the job and with models of its own."""
    methods = multiprocessing.get_all_start_methods()
    context: Any = multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")
    if hasattr(context, "set_forkserver_preload"):
        context.set_forkserver_preload([_PRELOADED_MODULE])
    line_end, lifeline = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=_start_worker, initargs=(job, workers, line_end)
    )

    def submit(batch: Batch) -> Future[ScoredBatch]:
        ticket = pool.submit(_score, batch)
        if note_finished is not None:
            ticket.add_done_callback(lambda done: _note(note_finished, batch, done))
        return ticket

    try:
        yield from collect_in_order(batches, submit=submit, wait=Future.result, workers=workers)
    except BrokenProcessPool:
        raise GistmeterError(
            "a worker process died (out of memory?); run again with fewer `workers=`: finished parts are kept"
        ) from None
    finally:
        try:
            pool.shutdown(wait=True, cancel_futures=True)  # after Ctrl-C, what was begun is finished
        except KeyboardInterrupt:
            raise BatchesAbandoned from None
        finally:
            lifeline.close()


class BatchesAbandoned(KeyboardInterrupt):
    """A second Ctrl-C: the workers are ended in the middle of their batches."""


def _note(note_finished: NoteFinished, batch: Batch, done: Future[ScoredBatch]) -> None:
    if not done.cancelled() and done.exception() is None:
        note_finished(batch, done.result())


def _start_worker(job: Job, workers: int, line_end: Connection) -> None:
    # Each worker's models take their share of the cores, unless the user said how many threads.
    share = max(1, (os.cpu_count() or 1) // workers)
    install_settings(replace(job.runtime, threads=job.runtime.threads or share))
    global _job  # noqa: PLW0603  (a worker process holds one job)
    _job = job
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent.sentinel, line_end), daemon=True).start()


def _exit_after(sentinel: int, line_end: Connection) -> None:
    """End this worker when its parent is gone, also by kill -9, or has let go of the other end of the line."""
    with contextlib.suppress(OSError):
        from multiprocessing.connection import wait

        wait([sentinel, line_end])
    os._exit(1)


def _score(batch: Batch) -> ScoredBatch:
    if _job is None:
        raise RuntimeError("worker was not started")
    return _job.score(batch)
