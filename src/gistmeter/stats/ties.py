"""When two scores tie: the one rule that correlations, accuracies, tests and rankings follow.

Two scores of a table, or two means of them, tie when they differ by no more than a rounding error: 1e-12 of the largest
score (by amount). So means with the same total tie although 1/3 + 2/3 and 1/2 + 1/2 are added up differently. Compiled
loops, which make means of their own, take the same width (`gistmeter.stats.resampling.kernels`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray

TIE_TOLERANCE = 1e-12
"""The largest rounding error: of scores and their means as a share of the largest score, of correlations as it is."""


def tie_width(*tables: FloatArray) -> float:
    """The difference up to which two scores of these tables, or means of them, are the same but for rounding.

    >>> tie_width(np.array([[0.5, -50.0]]))
    5e-11
    """
    largest = (np.fmax.reduce(np.abs(table), axis=None, initial=0.0) for table in tables)
    return TIE_TOLERANCE * max(map(float, largest))


def snap_ties(values: FloatArray, width: float) -> FloatArray:
    """The values with ties made equal: along the last axis, each becomes the smallest that it ties with.

    A value ties with another if as many are smaller than either by more than `width`. NaN stays NaN.

    >>> snap_ties(np.array([0.3, 0.1 + 0.2, 0.1, np.nan]), 1e-12)
    array([0.3, 0.3, 0.1, nan])
    """
    order = np.argsort(values, axis=-1)  # NaN goes last
    ordered = np.take_along_axis(values, order, axis=-1)
    steps = ordered[..., 1:] - ordered[..., :-1]
    if not ((steps > 0) & (steps <= width)).any():
        return values
    rows = ordered.reshape(-1, values.shape[-1])
    # How many are smaller by more than the width: the place of the first that is not, in order.
    smallest = np.stack([row[np.searchsorted(row, row - width)] for row in rows]).reshape(values.shape)
    snapped = np.empty_like(values)
    np.put_along_axis(snapped, order, smallest, axis=-1)
    return snapped


def rank_rows(x: FloatArray) -> FloatArray:
    """Ranks from 0 along each row of a table; equal values share the mean of their ranks, NaN stays NaN.

    >>> rank_rows(np.array([[0.3, 0.5, 0.3, np.nan]]))
    array([[0.5, 2. , 0.5, nan]])
    """
    order = np.argsort(x, axis=1, kind="stable")  # NaN goes last
    ordered = np.take_along_axis(x, order, axis=1)
    changes = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(x), 1), dtype=bool)
    positions = np.arange(x.shape[1])
    first = np.maximum.accumulate(np.where(np.hstack([edge, changes]), positions, 0), axis=1)
    ends = np.where(np.hstack([changes, edge]), positions, positions[-1])
    last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty_like(x)
    np.put_along_axis(ranks, order, (first + last) / 2, axis=1)
    ranks[np.isnan(x)] = np.nan
    return ranks
