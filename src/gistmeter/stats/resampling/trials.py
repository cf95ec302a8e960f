"""Simulated trials: each with random numbers of its own, the same for any number of workers."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.resampling.pooling import Interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Progress = Callable[[int, int], None]

Result = TypeVar("Result")


def share_interval(count: int, total: int, *, confidence: float = 0.95) -> Interval:
    """A share with its Wilson interval; NaN without any trial.

    >>> found = share_interval(95, 100)
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
    (0.95, 0.89, 0.98)
    """
    from scipy.special import ndtri

    if not total:
        return Interval(math.nan, math.nan, math.nan)
    z = float(ndtri((1 + confidence) / 2))
    share = count / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    reach = z / (1 + z * z / total) * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return Interval(share, max(0.0, centre - reach), min(1.0, centre + reach))


def in_trials(
    trials: int,
    work: Callable[[int, np.random.Generator], Result],
    *,
    seed: int,
    workers: int = 1,
    progress: Progress | None = None,
) -> list[Result]:
    """The results of `work(number, rng)`, once for each trial, the same for any number of workers.

    `progress` is told how many are done, and of how many.

    >>> def work(number, rng):
    ...     return number + rng.random()
    >>> in_trials(3, work, seed=0) == in_trials(3, work, seed=0, workers=2)
    True
    """
    for name, number in (("trials", trials), ("workers", workers)):
        if number < 1:
            raise DataError(f"{name} must be at least 1, not {number}")
    if seed < 0:
        raise DataError(f"seed must be 0 or more, not {seed}")
    generators = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(trials))
    if workers == 1:
        return _gathered(map(work, range(trials), generators), trials, progress)
    # Threads are enough: the compiled loops let go of the interpreter.
    pool = ThreadPoolExecutor(min(workers, trials))
    try:
        return _gathered(pool.map(work, range(trials), generators), trials, progress)
    finally:
        # Who interrupts does not wait for the trials that have not begun.
        pool.shutdown(cancel_futures=True)


def _gathered(results: Iterable[Result], total: int, progress: Progress | None) -> list[Result]:
    found = []
    for result in results:
        found.append(result)
        if progress:
            progress(len(found), total)
    return found
