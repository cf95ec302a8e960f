"""The compiled loops of resampling: correlations of tables whose rows and columns are drawn, or cells swapped.

A table to correlate has one row for each correlation (documents, at summary level) and one column for each
observation (systems, at summary level), NaN where missing, in the same cells of all tables of a call. The rank
coefficients take codes in place of scores: for each score, how many in its row are smaller.

A draw is how often each observation and each row was drawn: no table is ever copied, and ranks come from counting,
without sorting. The plain versions are in tests/support/resampling_oracle.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.stats.resampling.compilation import compile_loop, compile_unordered_loop
from gistmeter.stats.resampling.concordance import concordance_by_pairs, concordance_by_tree, count_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray

    Marks = NDArray[np.uint8]

# The coefficients by number: 0 is Pearson's, 1 Spearman's, 2 Kendall's tau-b and 3 tau-c.
PEARSON, SPEARMAN, TAU_B = range(3)

# A counter for another loop begins as `np.int64(0)`: for a plain 0, numba compiles that loop a second time.

_MAX_PAIRWISE_OBSERVATIONS = 512
"""Up to about this many observations, comparing all pairs is quicker than building a tree."""


@compile_unordered_loop
def _recode(values: FloatArray, width: float) -> None:
    """Replace values (without NaN) by codes, how many are smaller by more than the width of a tie.

    Up to hundreds of values, counting beats sorting.
    """
    originals = values.copy()
    for i in range(len(originals)):
        smaller, bound = 0.0, originals[i] - width
        for k in range(len(originals)):
            smaller += 1.0 if originals[k] < bound else 0.0
        values[i] = smaller


@compile_loop
def _prepare_means(kind: int, means: FloatArray, width: float) -> None:
    """Replace means by codes, for the rank coefficients; for Pearson's, make means that all tie equal."""
    if kind != PEARSON:
        _recode(means, width)
        return
    low, high = math.inf, -math.inf  # in a loop: `means.max()` takes numba half a second to compile
    for i in range(len(means)):
        low, high = min(low, means[i]), max(high, means[i])
    if low <= high and high - low <= width:
        means[:] = means[0]


# One correlation of n observations with weights: two value arrays, the weights, and room for counts. NaN when a
# side is constant. Weights are whole numbers, so all counting below is exact.


@compile_loop
def _pearson(a: FloatArray, b: FloatArray, w: FloatArray, n: int) -> float:
    total = sum_a = sum_b = 0.0
    low_a = high_a = a[0]
    low_b = high_b = b[0]
    for k in range(n):
        total += w[k]
        sum_a += w[k] * a[k]
        sum_b += w[k] * b[k]
        low_a, high_a = min(low_a, a[k]), max(high_a, a[k])
        low_b, high_b = min(low_b, b[k]), max(high_b, b[k])
    if low_a == high_a or low_b == high_b:
        return math.nan
    mean_a, mean_b = sum_a / total, sum_b / total
    # As shares of the largest deviation, squares of tiny scores cannot vanish, nor huge ones overflow.
    scale_a = max(high_a - mean_a, mean_a - low_a)
    scale_b = max(high_b - mean_b, mean_b - low_b)
    aa = bb = ab = 0.0
    for k in range(n):
        da, db = (a[k] - mean_a) / scale_a, (b[k] - mean_b) / scale_b
        aa += w[k] * da * da
        bb += w[k] * db * db
        ab += w[k] * da * db
    return float(max(-1.0, min(1.0, ab / math.sqrt(aa * bb))))


@compile_loop
def _rank_around_mean(codes: FloatArray, w: FloatArray, n: int, ranks: FloatArray) -> float:
    """Fill `ranks` with the rank of each code less the mean rank; return the sum of squares."""
    size = 0
    for k in range(n):
        size = max(size, int(codes[k]) + 1)
    ranks[:size] = 0.0
    total = 0.0
    for k in range(n):
        ranks[int(codes[k])] += w[k]
        total += w[k]
    below = squares = 0.0
    for code in range(size):
        tied = ranks[code]
        ranks[code] = below + (tied - total) / 2.0
        squares += tied * ranks[code] * ranks[code]
        below += tied
    return float(squares)


@compile_loop
def _spearman(a: FloatArray, b: FloatArray, w: FloatArray, n: int, room: FloatArray) -> float:
    ranks_a, ranks_b = room[0], room[1]
    aa = _rank_around_mean(a, w, n, ranks_a)
    bb = _rank_around_mean(b, w, n, ranks_b)
    if aa == 0.0 or bb == 0.0:
        return math.nan
    ab = 0.0
    for k in range(n):
        ab += w[k] * ranks_a[int(a[k])] * ranks_b[int(b[k])]
    return float(max(-1.0, min(1.0, ab / math.sqrt(aa * bb))))


@compile_loop
def _kendall(a: FloatArray, b: FloatArray, w: FloatArray, n: int, room: FloatArray, kind: int) -> float:
    counts = room[0]
    total, untied_a, distinct_a = count_values(a, w, n, counts)
    total, untied_b, distinct_b = count_values(b, w, n, counts)
    if untied_a == 0.0 or untied_b == 0.0:
        return math.nan
    if n <= _MAX_PAIRWISE_OBSERVATIONS:
        concordance = concordance_by_pairs(a, b, w, n)
    else:
        concordance = concordance_by_tree(a, b, w, n, room)
    if kind == TAU_B:
        return float(max(-1.0, min(1.0, concordance / math.sqrt(untied_a * untied_b))))
    fewest = min(distinct_a, distinct_b)
    return float(2.0 * concordance / (total * total * (fewest - 1.0) / fewest))


@compile_loop
def _correlation(kind: int, a: FloatArray, b: FloatArray, w: FloatArray, n: int, room: FloatArray, zero: bool) -> float:
    """One correlation under the policy: with `zero` a constant gives 0, but one observation alone never does."""
    if n == 0:
        return math.nan
    if kind == PEARSON:
        value = _pearson(a, b, w, n)
    elif kind == SPEARMAN:
        value = _spearman(a, b, w, n, room)
    else:
        value = _kendall(a, b, w, n, room, kind)
    if zero and math.isnan(value) and (n > 1 or w[0] > 1.0):
        return 0.0
    return float(value)


@compile_loop
def _room(n: int) -> Any:
    """Room for the counts of n observations; swapped ones may have 2n different codes."""
    return np.empty((4, 2 * n + 2))


@compile_loop
def correlate_rows(kind: int, x: FloatArray, z: FloatArray, zero: bool) -> FloatArray:
    """The correlation of each row of the tables, NaN where it is undefined or nothing is there."""
    size = x.shape[1]
    a, b, w, room = np.empty(size), np.empty(size), np.ones(size), _room(size)
    values = np.empty(len(x))
    for g in range(len(x)):
        n = np.int64(0)
        for k in range(size):
            if not math.isnan(x[g, k]):
                a[n], b[n] = x[g, k], z[g, k]
                n += 1
        values[g] = _correlation(kind, a, b, w, n, room, zero)
    return values


@compile_loop
def resample_rows(
    kind: int, x: FloatArray, z: FloatArray, column_counts: FloatArray, row_counts: FloatArray, zero: bool
) -> FloatArray:
    """The mean correlation of the rows in each draw.

    `column_counts` is how often a draw has each observation (draws x columns), `row_counts` each row (draws x rows).
    """
    size = x.shape[1]
    a, b, w, room = np.empty(size), np.empty(size), np.empty(size), _room(size)
    values = np.empty(len(column_counts))
    for r in range(len(column_counts)):
        total = weight = 0.0
        for g in range(len(x)):
            if row_counts[r, g] == 0.0:
                continue
            n = np.int64(0)
            for k in range(size):
                if column_counts[r, k] > 0.0 and not math.isnan(x[g, k]):
                    a[n], b[n], w[n] = x[g, k], z[g, k], column_counts[r, k]
                    n += 1
            value = _correlation(kind, a, b, w, n, room, zero)
            if not math.isnan(value):
                total += row_counts[r, g] * value
                weight += row_counts[r, g]
        values[r] = total / weight if weight > 0.0 else math.nan
    return values


@compile_loop
def swap_cells(kind: int, xy: FloatArray, z: FloatArray, swaps: Marks, zero: bool) -> FloatArray:
    """The mean correlations of two tables with z (draws x 2) when marked cells of the two are swapped.

    `xy` is 2 x rows x columns, its codes those of both tables together; `swaps` (0 or 1) is draws x rows x columns.
    """
    size = z.shape[1]
    a, b, c, w, room = np.empty(size), np.empty(size), np.empty(size), np.ones(size), _room(size)
    values = np.empty((len(swaps), 2))
    for r in range(len(swaps)):
        total_x = total_y = used_x = used_y = 0.0
        for g in range(len(z)):
            n = np.int64(0)
            for k in range(size):
                if not math.isnan(z[g, k]):
                    swap = swaps[r, g, k]  # an index, not a branch: coins cannot be predicted
                    a[n], b[n], c[n] = xy[swap, g, k], xy[1 - swap, g, k], z[g, k]
                    n += 1
            of_x = _correlation(kind, a, c, w, n, room, zero)
            of_y = _correlation(kind, b, c, w, n, room, zero)
            if not math.isnan(of_x):
                total_x += of_x
                used_x += 1.0
            if not math.isnan(of_y):
                total_y += of_y
                used_y += 1.0
        values[r, 0] = total_x / used_x if used_x > 0.0 else math.nan
        values[r, 1] = total_y / used_y if used_y > 0.0 else math.nan
    return values


# System level: the means change with each draw, and tie by the rule of `gistmeter.stats.ties`. Sums are kept in two
# parts, what a sum rounds to and what rounding lost (Knuth's two-sum), so that many documents do not use up the width
# of a tie. The tables are documents x systems here: the inner loops run over systems, several at once.


@compile_loop
def _add(high: FloatArray, low: FloatArray, values: FloatArray) -> None:
    """Add the values to sums in two parts."""
    for i in range(len(high)):
        total = high[i] + values[i]
        part = total - high[i]
        low[i] += (high[i] - (total - part)) + (values[i] - part)
        high[i] = total


@compile_loop
def _fill_means(
    table: FloatArray,
    present: FloatArray,
    document_counts: FloatArray,
    high: FloatArray,
    low: FloatArray,
    counts: FloatArray,
) -> None:
    """Fill `high` with the systems' means over the documents drawn.

    `table` has 0 where nothing is present; `present` has no rows when all is.
    """
    high[:] = low[:] = 0.0
    drawn = 0.0
    for j in range(len(table)):
        drawn += document_counts[j]
        for _ in range(int(document_counts[j])):
            _add(high, low, table[j])
    counts[:] = drawn if len(present) == 0 else 0.0
    for j in range(len(present)):
        for i in range(len(high)):
            counts[i] += document_counts[j] * present[j, i]
    for i in range(len(high)):
        high[i] = (high[i] + low[i]) / counts[i] if counts[i] > 0.0 else math.nan


@compile_loop
def resample_means(
    kind: int,
    x: FloatArray,
    present_x: FloatArray,
    z: FloatArray,
    present_z: FloatArray,
    system_counts: FloatArray,
    x_document_counts: FloatArray,
    z_document_counts: FloatArray,
    tie_widths: tuple[float, float],
    zero: bool,
) -> FloatArray:
    """The correlation of the systems' means in each draw, each table over documents of its own.

    The counts say how often a draw has each system (draws x systems) and each document of x and of z; means of x and
    of z tie that differ by no more than the `tie_widths`.
    """
    size = x.shape[1]
    a, b, w, room = np.empty(size), np.empty(size), np.empty(size), _room(size)
    means_x, means_z, low, counts = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    values = np.empty(len(system_counts))
    for r in range(len(system_counts)):
        _fill_means(x, present_x, x_document_counts[r], means_x, low, counts)
        _fill_means(z, present_z, z_document_counts[r], means_z, low, counts)
        n = np.int64(0)
        for i in range(size):
            if system_counts[r, i] > 0.0 and not math.isnan(means_x[i]) and not math.isnan(means_z[i]):
                a[n], b[n], w[n] = means_x[i], means_z[i], system_counts[r, i]
                n += 1
        _prepare_means(kind, a[:n], tie_widths[0])
        _prepare_means(kind, b[:n], tie_widths[1])
        values[r] = _correlation(kind, a, b, w, n, room, zero)
    return values


@compile_loop
def swap_means(
    kind: int, xy: FloatArray, counts: FloatArray, z: FloatArray, tie_width: float, swaps: Marks, zero: bool
) -> FloatArray:
    """The correlations of the means of two tables with z (draws x 2) when marked cells of the two are swapped.

    `xy` is 2 x documents x systems (0 where missing), `swaps` draws x documents x systems; `counts` is how many
    documents each system has, at least one, and `z` the systems' values (codes, for ranks). Means tie that differ by no
    more than `tie_width`.
    """
    size = len(z)
    means_x, means_y, low_x, low_y = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    first, second, w, room = np.empty(size), np.empty(size), np.ones(size), _room(size)
    values = np.empty((len(swaps), 2))
    for r in range(len(swaps)):
        means_x[:] = means_y[:] = 0.0
        low_x[:] = low_y[:] = 0.0
        for j in range(xy.shape[1]):
            for i in range(size):
                swap = swaps[r, j, i]
                first[i], second[i] = xy[swap, j, i], xy[1 - swap, j, i]
            _add(means_x, low_x, first)
            _add(means_y, low_y, second)
        for i in range(size):
            means_x[i] = (means_x[i] + low_x[i]) / counts[i]
            means_y[i] = (means_y[i] + low_y[i]) / counts[i]
        _prepare_means(kind, means_x, tie_width)
        _prepare_means(kind, means_y, tie_width)
        values[r, 0] = _correlation(kind, means_x, z, w, size, room, zero)
        values[r, 1] = _correlation(kind, means_y, z, w, size, room, zero)
    return values
