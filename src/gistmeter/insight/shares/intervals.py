"""Means of shares over summaries, with bootstrap intervals over documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.stats import bootstrap_interval, ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class MeanShares:
    """For each column of shares the mean and the ends of its interval, NaN where there is one document."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


def bootstrap_means(shares: FloatArray, documents: Sequence[str], *, resamples: int, seed: int) -> MeanShares:
    """Means over summaries (rows), resampled by document; `documents` names that of each row.

    >>> means = bootstrap_means(np.array([[0.25], [0.75]]), ["1", "2"], resamples=100, seed=0)
    >>> means.value, means.low, means.high
    (array([0.5]), array([0.25]), array([0.75]))
    """
    number = {name: position for position, name in enumerate(dict.fromkeys(documents))}
    owners = np.array([number[name] for name in documents])
    parts = np.zeros((shares.shape[1], len(number), 2))
    for column in range(shares.shape[1]):
        np.add.at(parts[column, :, 0], owners, shares[:, column])
        np.add.at(parts[column, :, 1], owners, 1.0)
    if len(number) == 1:  # drawn again and again it is always the same: no interval, not one of no width
        means = shares.mean(axis=0)
        return MeanShares(means, np.full_like(means, np.nan), np.full_like(means, np.nan))
    intervals = bootstrap_interval(parts, ratio, resamples=resamples, seed=seed)
    return MeanShares(np.asarray(intervals.value), np.asarray(intervals.low), np.asarray(intervals.high))
