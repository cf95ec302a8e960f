"""Paired permutation tests without permutations: the tail of the swapped differences by a saddlepoint approximation.

A permutation gives the difference of each document a sign, so that the statistic is a sum of signed numbers, whose
cumulants are known: K(t) = sum of log cosh(t d). Its tail is approximated as Robinson (1982, JRSS B) did it, in the
form of Barndorff-Nielsen (1986), with the correction for statistics on a grid of Daniels (1987). So a p-value of one in
a million costs what one in ten costs, where permutations would have to be counted in millions, and it does not depend
on a seed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.resampling.compilation import compile_loop
from gistmeter.stats.ties import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike

    from gistmeter.arrays import BoolArray, FloatArray

BLOCK_CELLS = 1 << 25
"""Differences of documents that are gone through between two reports of progress."""

_GRID_STEPS = 64
_GRID_TOLERANCE = 1e-7
_HIGHEST_Z = 9.0
_LOWEST_Z = 1.0
_TIE = TIE_TOLERANCE


def pairwise_saddlepoint_pvalues(
    scores: ArrayLike, *, others: ArrayLike | None = None, progress: Callable[[float], None] | None = None
) -> FloatArray:
    """Two-sided paired tests of no difference between the means of systems, for all pairs, without permutations.

    Parameters
    ----------
    scores : array_like
        The scores of summaries, systems x documents; NaN where a system lacks a document.
    others : array_like, optional
        Systems (rows) to test each system against; without it, all pairs are tested.
    progress : callable, optional
        Called now and then with the share of the pairs that are done.

    Returns
    -------
    array of float
        The p-values, systems x systems (or systems x others): NaN for a system with itself and for pairs without a
        common document. They are those of `pairwise_mean_pvalues` with all permutations, within a few percent of each
        where there are 30 documents or more, and are not corrected for their number.

    Raises
    ------
    ArgumentError
        `others` names no rows of the scores.
    DataError
        The array does not have two dimensions, is empty or holds infinite values.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(size=(3, 40)) + [[0], [0.5], [2]]
    >>> pairwise_saddlepoint_pvalues(scores).round(4)
    array([[   nan, 0.0005, 0.    ],
           [0.0005,    nan, 0.    ],
           [0.    , 0.    ,    nan]])
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2 or 0 in values.shape:
        raise DataError(f"scores are systems x documents, and some of each, but the array is {values.shape}")
    if np.isinf(values).any():
        raise DataError("scores to test must be finite, or NaN where they are missing")
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    if others is not None:
        columns = np.asarray(others, dtype=np.float64)
        if columns.ndim != 1 or not np.isin(columns, np.arange(len(values))).all():
            raise ArgumentError(f"`others` are rows of the scores, which are 0 to {len(values) - 1}")
        columns = columns.astype(np.int64)
        pvalues = np.empty((len(values), len(columns)))
        for rows, share in _split_rows(len(values), len(columns) * values.shape[1]):
            _test_rows(filled, present, rows.start, rows.stop, columns, pvalues)
            if progress is not None:
                progress(share)
        return pvalues
    pvalues = np.full((len(values), len(values)), np.nan)
    for rows, share in _split_rows(len(values), values.size):
        _test_upper(filled, present, rows.start, rows.stop, pvalues)
        if progress is not None:
            progress(share)
    return pvalues


def swap_pvalues(differences: ArrayLike, observed: ArrayLike) -> FloatArray:
    """The chance that signed differences of documents add up to what was observed or more, in either direction.

    Parameters
    ----------
    differences : array_like
        What each document adds to the statistic, pairs x documents; 0 for a document that does not count.
    observed : array_like
        The statistic of each pair, such as the sum of its differences.

    Returns
    -------
    array of float
        The p-values, NaN where the statistic is.

    Raises
    ------
    DataError
        The differences are not a table with a row for each statistic.

    Examples
    --------
    Ten documents, one difference throughout: 2 of the 1,024 ways to sign them are as extreme.

    >>> bool(swap_pvalues([[0.1] * 10], [1.0])[0] == 2 / 1024)
    True
    """
    given = np.ascontiguousarray(differences, dtype=np.float64)
    totals = np.asarray(observed, dtype=np.float64)
    if given.ndim != 2 or totals.shape != given.shape[:1]:
        raise DataError(
            f"differences are pairs x documents with a statistic for each pair, not {given.shape} and {totals.shape}"
        )
    pvalues = np.full(len(given), np.nan)
    for pair in np.flatnonzero(~np.isnan(totals)):
        pvalues[pair] = _find_tail(given[pair], len(given[pair]), abs(totals[pair]))
    return pvalues


def _split_rows(rows: int, width: int) -> Iterator[tuple[slice, float]]:
    """Blocks of rows of which each makes `width` differences, and the share of all that is done after each."""
    step = max(1, BLOCK_CELLS // max(1, width))
    for start in range(0, rows, step):
        stop = min(rows, start + step)
        yield slice(start, stop), stop / rows


@compile_loop
def _find_tail(differences: FloatArray, count: int, observed: float) -> float:
    """The two-sided p-value of a sum of `count` differences with random signs; `observed` is at least 0."""
    nonzero = 0
    reach = squares = 0.0
    smallest = np.inf
    for i in range(count):
        size = abs(differences[i])
        if size > 0:
            nonzero += 1
            reach += size
            squares += size * size
            smallest = min(smallest, size)
    if nonzero == 0 or observed <= 0:
        return 1.0
    least = 2.0 ** (1 - nonzero)  # all documents one way, or all the other
    if observed >= reach * (1 - 1e-9):
        return least
    z = observed / math.sqrt(squares)
    if z < _LOWEST_Z:  # one in three: nearer than this does not matter
        return max(least, math.erfc(z / math.sqrt(2)))
    if z > _HIGHEST_Z:  # Hoeffding's bound, below 1e-17: farther than this does not matter
        return max(least, 2 * math.exp(-z * z / 2))
    grid = 2 * smallest
    for i in range(count):
        steps = abs(differences[i]) / smallest
        if steps > _GRID_STEPS or abs(steps - round(steps)) > _GRID_TOLERANCE * steps:
            grid = 0.0
            break
    # Where the slope of the cumulants is what was observed. The slope is concave: Newton's steps never overshoot.
    tilt = observed / squares
    slope = curvature = 0.0
    for _ in range(200):
        slope = curvature = 0.0
        for i in range(count):
            size = abs(differences[i])
            decay = math.exp(-2 * tilt * size)
            tangent = (1 - decay) / (1 + decay)
            slope += size * tangent
            curvature += size * size * (1 - tangent * tangent)
        if curvature <= 0:
            break
        step = (observed - slope) / curvature
        tilt += step
        if step <= 1e-7 * tilt:
            break
    cumulant = 0.0
    for i in range(count):
        size = tilt * abs(differences[i])
        cumulant += size + math.log1p(math.exp(-2 * size)) - math.log(2.0)
    gain = 2 * (tilt * observed - cumulant)
    if curvature <= 0 or gain <= 0:
        return least
    root = math.sqrt(gain)
    width = tilt if grid == 0 else -math.expm1(-grid * tilt) / grid
    corrected = root + math.log(width * math.sqrt(curvature) / root) / root
    return min(1.0, max(least, math.erfc(corrected / math.sqrt(2))))


@compile_loop
def _test_pair(values: FloatArray, present: BoolArray, first: int, second: int, differences: FloatArray) -> float:
    """The p-value of two systems on the documents that both have; `differences` has room for a document each."""
    shared = 0
    total = first_sum = second_sum = 0.0
    for document in range(values.shape[1]):
        if present[first, document] and present[second, document]:
            difference = values[first, document] - values[second, document]
            differences[shared] = difference
            total += difference
            first_sum += values[first, document]
            second_sum += values[second, document]
            shared += 1
    if shared == 0:
        return np.nan
    scale = max(1.0, max(abs(first_sum), abs(second_sum)) / shared)
    if abs(total) / shared <= _TIE * scale:
        return 1.0
    return float(_find_tail(differences, shared, abs(total)))


@compile_loop
def _test_upper(values: FloatArray, present: BoolArray, start: int, stop: int, pvalues: FloatArray) -> None:
    """Fill the p-values of systems from `start` to `stop` with all that come after them, on both sides."""
    differences = np.empty(values.shape[1])
    for first in range(start, stop):
        for second in range(first + 1, len(values)):
            pvalues[first, second] = _test_pair(values, present, first, second, differences)
            pvalues[second, first] = pvalues[first, second]


@compile_loop
def _test_rows(
    values: FloatArray, present: BoolArray, start: int, stop: int, columns: FloatArray, pvalues: FloatArray
) -> None:
    """Fill the p-values of systems from `start` to `stop` with those of `columns`."""
    differences = np.empty(values.shape[1])
    for first in range(start, stop):
        for index, second in enumerate(columns):
            if first == second:
                pvalues[first, index] = np.nan
            else:
                pvalues[first, index] = _test_pair(values, present, first, second, differences)
