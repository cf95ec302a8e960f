"""Pairs of scores: how far apart they are, which is 0 for those that tie (`gistmeter.stats.ties`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray

    Indices: TypeAlias = NDArray[np.intp]


def pair_indices(count: int) -> tuple[Indices, Indices]:
    """The indices of the first and of the second member of every pair of `count` items.

    >>> pair_indices(3)
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    return np.triu_indices(count, 1)


def pair_differences(values: FloatArray, pairs: tuple[Indices, Indices], width: float) -> FloatArray:
    """First less second of each pair along the last axis, exactly 0 where they differ by at most `width`.

    A difference is NaN where one of the two is missing.

    >>> pair_differences(np.array([0.3, 0.1 + 0.2, 0.1]), pair_indices(3), 1e-12).round(3)
    array([0. , 0.2, 0.2])
    """
    first, second = pairs
    difference = values[..., first] - values[..., second]
    return np.where(np.abs(difference) <= width, 0.0, difference)
