"""Simulated trials: each with random numbers of its own, the same for any number of workers."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from gistmeter.stats.resampling.pooling import Interval
from gistmeter.stats.tables import check_counts, check_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Progress = Callable[[int, int], None]

Result = TypeVar("Result")


def share_interval(count: int, total: int, *, confidence: float = 0.95) -> Interval:
    """The share of `count` in `total` with its Wilson interval; NaN without any trial.

    >>> share = share_interval(95, 100)
    >>> round(share.value, 2), round(share.low, 2), round(share.high, 2)
    (0.95, 0.89, 0.98)
    """
    from scipy.special import ndtri

    if not total:
        return Interval(math.nan, math.nan, math.nan)
    z = float(ndtri((1 + confidence) / 2))
    share = count / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half_width = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return Interval(share, max(0.0, centre - half_width), min(1.0, centre + half_width))


def run_trials(
    trials: int,
    work: Callable[[int, np.random.Generator], Result],
    *,
    seed: int,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Result]:
    """The results of `work(number, rng)`, once for each trial, the same for any number of workers.

    `progress(done, total)` is called after each trial.

    >>> def work(number, rng):
    ...     return number + rng.random()
    >>> run_trials(3, work, seed=0) == run_trials(3, work, seed=0, workers=2)
    True
    """
    check_counts(trials=trials, workers=workers)
    check_seed(seed)
    generators = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(trials))
    if workers == 1:
        return _gather(map(work, range(trials), generators), trials, progress)
    # Threads are enough: the compiled loops let go of the interpreter.
    pool = ThreadPoolExecutor(min(workers, trials))
    try:
        return _gather(pool.map(work, range(trials), generators), trials, progress)
    finally:
        # An interrupt does not wait for the trials that have not begun.
        pool.shutdown(cancel_futures=True)


def _gather(results: Iterable[Result], total: int, progress: Progress | None) -> list[Result]:
    """The results as a list, reporting progress after each."""
    gathered = []
    for result in results:
        gathered.append(result)
        if progress:
            progress(len(gathered), total)
    return gathered
