"""Swapping whole columns of two metrics' tables by matrix products, in place of a loop over all cells of all draws.

As in `kernels`, a table has one row for each correlation and one column for each observation. A draw swaps the same
columns in all rows: with s = 1 for a column that is swapped, x' = x + s (y - x). So the sums that Pearson's coefficient
is made of (of x', of its squares and of its products with z) are linear in s, and the pairs that Kendall's tau-b counts
depend on s_i, s_j and s_i s_j. y' is x' with the other columns swapped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gistmeter.arrays import BoolArray, FloatArray

    Marks = NDArray[np.uint8]

_MIN_VARIANCE = 1e-3
"""Rows with less of the variance that they might have are correlated by the loop: a difference of sums is not exact."""
_MAX_PAIRED_COLUMNS = 64
"""Beyond so many columns, the pairs of them take too much memory."""


def swap_columns(kind: int, xy: FloatArray, z: FloatArray, marks: Marks, zero: bool) -> FloatArray:
    """The mean correlations of two tables with z (draws x 2) when marked columns of the two are swapped.

    `xy` is 2 x rows x columns, `marks` (0 or 1) draws x columns; `kind` is a coefficient by its number in `kernels`.
    """
    from gistmeter.stats.resampling import kernels

    if kind == kernels.PEARSON or (kind == kernels.TAU_B and marks.shape[1] <= _MAX_PAIRED_COLUMNS):
        return _average_sides(swap_columns_by_row(kind, xy, z, marks, zero))
    return np.asarray(kernels.swap_cells(kind, xy, z, np.repeat(marks[:, None], len(z), axis=1), zero))


def swap_columns_by_row(kind: int, xy: FloatArray, z: FloatArray, marks: Marks, zero: bool) -> FloatArray:
    """The correlation of each row when marked columns are swapped: of x' in all draws, and then of y'.

    There are 2 draws x rows of them, NaN where undefined. Arguments are those of `swap_columns`.

    >>> x, y, z = np.array([[1.0, 2, 4]]), np.array([[3.0, 2, 1]]), np.array([[1.0, 2, 3]])
    >>> marks = np.array([[0, 0, 0], [1, 1, 0]], dtype=np.uint8)
    >>> swap_columns_by_row(0, np.stack([x, y]), z, marks, zero=False).ravel().round(3)
    array([ 0.982,  0.5  , -1.   ,  0.   ])
    """
    from gistmeter.stats.resampling import kernels

    sides = np.concatenate([marks, 1 - marks])
    if kind == kernels.PEARSON:
        return _swap_pearson(xy, z, sides, zero)
    if kind == kernels.TAU_B and marks.shape[1] <= _MAX_PAIRED_COLUMNS:
        return _swap_kendall(xy, z, sides, zero)
    chosen = np.ones((len(sides), len(z)), dtype=bool)
    return _correlate_swapped(kind, xy, z, sides, chosen, zero).reshape(chosen.shape)


def _swap_pearson(xy: FloatArray, z: FloatArray, sides: Marks, zero: bool) -> FloatArray:
    """Pearson's coefficient of each row (sides x rows)."""
    present = ~np.isnan(z)
    counts = present.sum(axis=1)
    constant = _is_constant(z, present)
    # The same shift and scale for both metrics changes no correlation, and keeps the sums small.
    x, y = _centre(xy, present)
    judged = _centre(z[None], present)[0]
    change = y - x
    forms = np.concatenate([change * judged, change, y * y - x * x])
    bases = np.concatenate([(x * judged).sum(axis=1), x.sum(axis=1), (x * x).sum(axis=1)])
    products, sums, squares = np.split(bases + sides.astype(np.float64) @ forms.T, 3, axis=1)
    divisors = np.maximum(counts, 1)
    variances = squares - sums**2 / divisors
    # Around its mean, z has products with the deviations of x' alone.
    with np.errstate(invalid="ignore", divide="ignore"):
        values = np.clip(products / np.sqrt(variances * (judged * judged).sum(axis=1)), -1.0, 1.0)
    doubtful = (variances <= _MIN_VARIANCE * divisors) & ~constant
    if doubtful.any():
        values[doubtful] = _correlate_swapped(0, xy, z, sides, doubtful, zero)
    values[:, constant] = np.where(counts[constant] > 1, 0.0, np.nan) if zero else np.nan
    return np.asarray(values)


def _swap_kendall(xy: FloatArray, z: FloatArray, sides: Marks, zero: bool) -> FloatArray:
    """Kendall's tau-b of each row (sides x rows), from scores or from codes, those of both tables together."""
    first, second = np.triu_indices(z.shape[1], 1)
    present = ~np.isnan(z)

    def signs(later: FloatArray, earlier: FloatArray) -> FloatArray:
        with np.errstate(invalid="ignore"):
            steps = later[:, second] - earlier[:, first]
        # Whole numbers of pairs, exact in single precision.
        return np.sign(np.where(present[:, first] & present[:, second], steps, 0.0)).astype(np.float32)

    x, y = xy
    judged = signs(z, z)
    # By what is swapped of a pair: neither, the earlier, the later, both.
    orders = signs(x, x), signs(x, y), signs(y, x), signs(y, y)
    forms = [
        _pair_forms(np.stack(counted), first, second, z.shape[1])
        for counted in ([judged * order for order in orders], [np.abs(order) for order in orders])
    ]
    pairs_swapped = sides[:, first] * sides[:, second]
    terms = np.concatenate([np.ones((len(sides), 1)), sides, pairs_swapped], axis=1, dtype=np.float32)
    concordant, untied = np.split((terms @ np.concatenate(forms).T).astype(np.float64), 2, axis=1)
    pairs = untied * np.abs(judged).sum(axis=1, dtype=np.float64)
    undefined = np.where(present.sum(axis=1) > 1, 0.0, np.nan) if zero else np.full(len(z), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(pairs > 0, np.clip(concordant / np.sqrt(pairs), -1.0, 1.0), undefined)


def _pair_forms(values: FloatArray, first: NDArray[np.intp], second: NDArray[np.intp], columns: int) -> FloatArray:
    """What a sum over pairs is in 1, s_i and s_i s_j (rows x terms).

    `values` are those of the pairs (rows x pairs) by what is swapped of a pair: neither, the earlier, the later, both.
    """
    neither, earlier, later, both = values
    single = np.zeros((len(neither), columns), dtype=np.float32)
    for column in range(columns):
        single[:, column] = (earlier - neither)[:, first == column].sum(axis=1)
        single[:, column] += (later - neither)[:, second == column].sum(axis=1)
    return np.concatenate(
        [neither.sum(axis=1, keepdims=True), single, both - earlier - later + neither], axis=1, dtype=np.float32
    )


def _centre(tables: FloatArray, present: BoolArray) -> FloatArray:
    """Tables around the mean that each row has over all of them, in units of the largest distance; 0 where missing."""
    counts = np.maximum(len(tables) * present.sum(axis=1, keepdims=True), 1)
    means = np.where(present, tables, 0.0).sum(axis=(0, 2))[:, None] / counts
    away = np.where(present, tables - means, 0.0)
    largest = np.abs(away).max(axis=(0, 2))[:, None]
    scaled = away / np.where(largest > 0, largest, 1.0)
    # Once more: what rounding left of huge means.
    return np.asarray(np.where(present, scaled - scaled.sum(axis=(0, 2))[:, None] / counts, 0.0))


def _is_constant(z: FloatArray, present: BoolArray) -> BoolArray:
    """Which rows have no two different scores."""
    low = np.where(present, z, np.inf).min(axis=1)
    return np.asarray(low >= np.where(present, z, -np.inf).max(axis=1))


def _correlate_swapped(
    kind: int, xy: FloatArray, z: FloatArray, sides: Marks, chosen: BoolArray, zero: bool
) -> FloatArray:
    """Chosen correlations (sides x rows), each by itself."""
    from gistmeter.stats.resampling import kernels

    draws, rows = np.nonzero(chosen)
    swapped = np.where(sides[draws] > 0, xy[1, rows], xy[0, rows])
    return np.asarray(kernels.correlate_rows(kind, swapped, z[rows], zero))


def _average_sides(values: FloatArray) -> FloatArray:
    """The mean over rows of what is not NaN, of x' (the first half of the sides) and y' in two columns."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        means = np.where(defined, values, 0.0).sum(axis=1) / defined.sum(axis=1)
    return np.asarray(np.stack(np.split(means, 2), axis=1))
