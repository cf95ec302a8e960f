"""Greedy matching: for every token of one text the most similar token of another, and the scores that follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray, IntArray

    StateArray = NDArray[np.float32]

_BLOCK = 2048
"""Rows and columns compared at once, so that two texts of 100,000 words never make a matrix of their product."""


@dataclass(frozen=True, slots=True)
class Matches:
    """For each row of the left and of the right states the highest cosine on the other side, and where it is."""

    left: StateArray
    right: StateArray
    nearest_right: IntArray
    nearest_left: IntArray


def find_best_cosines(left: StateArray, right: StateArray) -> tuple[StateArray, StateArray]:
    """The highest cosine of each left row with any right row, and the other way round; rows have length 1.

    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> find_best_cosines(rows, rows[:1])
    (array([1., 0.], dtype=float32), array([1.], dtype=float32))
    """
    if len(left) <= _BLOCK and len(right) <= _BLOCK:
        cosines = left @ right.T
        return cosines.max(axis=1), cosines.max(axis=0)
    for_left = np.full(len(left), -np.inf, np.float32)
    for_right = np.full(len(right), -np.inf, np.float32)
    for rows, columns in _blocks(len(left), len(right), _BLOCK):
        cosines = left[rows] @ right[columns].T
        np.maximum(for_left[rows], cosines.max(axis=1), out=for_left[rows])
        np.maximum(for_right[columns], cosines.max(axis=0), out=for_right[columns])
    return for_left, for_right


def find_best_matches(left: StateArray, right: StateArray, block: int = _BLOCK) -> Matches:
    """The best match of each row on the other side (of equal ones the first).

    >>> rows = np.array([[1.0, 0.0], [0.0, 1.0]], dtype=np.float32)
    >>> find_best_matches(rows, rows[::-1]).nearest_right
    array([1, 0])
    """
    matches = Matches(
        left=np.full(len(left), -np.inf, np.float32),
        right=np.full(len(right), -np.inf, np.float32),
        nearest_right=np.zeros(len(left), np.int64),
        nearest_left=np.zeros(len(right), np.int64),
    )
    for rows, columns in _blocks(len(left), len(right), block):
        cosines = left[rows] @ right[columns].T
        _improve(matches.left[rows], matches.nearest_right[rows], cosines, columns.start)
        _improve(matches.right[columns], matches.nearest_left[columns], cosines.T, rows.start)
    return matches


def weighted_mean(values: StateArray, weights: FloatArray) -> float:
    """The mean of values by weight; where nothing weighs anything, the plain mean.

    >>> weighted_mean(np.array([0.5, 1.0], dtype=np.float32), np.array([3.0, 1.0]))
    0.625
    """
    total = weights.sum()
    return float(values @ weights / total) if total > 0 else float(values.mean())


def _blocks(rows: int, columns: int, size: int) -> Iterator[tuple[slice, slice]]:
    for top in range(0, rows, size):
        for first in range(0, columns, size):
            yield slice(top, top + size), slice(first, first + size)


def _improve(best: StateArray, at: IntArray, cosines: StateArray, offset: int) -> None:
    """Take over, in place, the best of a block where it beats what was found before."""
    nearest = cosines.argmax(axis=1)
    values = cosines[np.arange(len(cosines)), nearest]
    better = values > best
    best[better] = values[better]
    at[better] = nearest[better] + offset
