"""The compiled loops of resampling: correlations of tables whose rows and columns are drawn, or cells swapped.

A table to correlate has one row for each correlation (documents, at summary level) and one column for each
observation (systems, at summary level), NaN where missing, at the same places in all tables of a call. The rank
coefficients take codes in place of scores: for each score, how many in its row are smaller.

A draw is how often each observation and each row was drawn: no table is ever copied, and ranks come from counting,
without sorting. The plain versions are in tests/stats/resampling_oracle.py.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Marks = NDArray[np.uint8]

PEARSON, SPEARMAN, TAU_B, TAU_C = range(4)

# Up to about this many observations, comparing all pairs is quicker than building a tree.
_FEW = 512


def _compiled(function: Callable[..., Any]) -> Any:
    return njit(cache=True, nogil=True)(function)


def _compiled_unordered(function: Callable[..., Any]) -> Any:
    return njit(cache=True, nogil=True, fastmath={"reassoc"})(function)


@_compiled_unordered
def _recode(values: Floats) -> None:
    """Put codes in the place of values without NaN: how many are smaller. Up to hundreds, counting beats sorting."""
    given = values.copy()
    for i in range(len(given)):
        smaller = 0.0
        for k in range(len(given)):
            smaller += 1.0 if given[k] < given[i] else 0.0
        values[i] = smaller


# One correlation of n observations with weights: two value arrays, the weights, and room for counts. NaN when a
# side is constant. Weights are whole numbers, so all counting below is exact.


@_compiled
def _pearson(a: Floats, b: Floats, w: Floats, n: int) -> float:
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


@_compiled
def _centred_ranks(codes: Floats, w: Floats, n: int, ranks: Floats) -> float:
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


@_compiled
def _spearman(a: Floats, b: Floats, w: Floats, n: int, room: Floats) -> float:
    ranks_a, ranks_b = room[0], room[1]
    aa = _centred_ranks(a, w, n, ranks_a)
    bb = _centred_ranks(b, w, n, ranks_b)
    if aa == 0.0 or bb == 0.0:
        return math.nan
    ab = 0.0
    for k in range(n):
        ab += w[k] * ranks_a[int(a[k])] * ranks_b[int(b[k])]
    return float(max(-1.0, min(1.0, ab / math.sqrt(aa * bb))))


@_compiled
def _kendall(a: Floats, b: Floats, w: Floats, n: int, room: Floats, kind: int) -> float:
    counts = room[0]
    total, untied_a, distinct_a = _spread(a, w, n, counts)
    total, untied_b, distinct_b = _spread(b, w, n, counts)
    if untied_a == 0.0 or untied_b == 0.0:
        return math.nan
    agreement = _agreement_by_pairs(a, b, w, n) if n <= _FEW else _agreement_by_tree(a, b, w, n, room)
    if kind == TAU_B:
        return float(max(-1.0, min(1.0, agreement / math.sqrt(untied_a * untied_b))))
    fewest = min(distinct_a, distinct_b)
    return float(2.0 * agreement / (total * total * (fewest - 1.0) / fewest))


@_compiled
def _spread(codes: Floats, w: Floats, n: int, counts: Floats) -> tuple[float, float, float]:
    """How many observations there are, how many pairs of them differ, and how many different values they have."""
    size = 0
    for k in range(n):
        size = max(size, int(codes[k]) + 1)
    counts[:size] = 0.0
    for k in range(n):
        counts[int(codes[k])] += w[k]
    total = same = distinct = 0.0
    for code in range(size):
        total += counts[code]
        same += counts[code] * (counts[code] - 1.0)
        distinct += min(1.0, counts[code])
    return total, (total * (total - 1.0) - same) / 2.0, distinct


# Sums of whole numbers may be added up in any order, and so four pairs at a time.
@_compiled_unordered
def _agreement_by_pairs(a: Floats, b: Floats, w: Floats, n: int) -> float:
    """Concordant less discordant pairs."""
    agreement = 0.0
    for i in range(1, n):
        row = 0.0
        for k in range(i):
            # Codes are whole numbers: their product is 0, or at least 1 either way. No branch to mispredict.
            row += w[k] * max(-1.0, min(1.0, (a[i] - a[k]) * (b[i] - b[k])))
        agreement += w[i] * row
    return agreement


@_compiled
def _agreement_by_tree(a: Floats, b: Floats, w: Floats, n: int, room: Floats) -> float:
    """The same in n log n steps: observations join a Fenwick tree over b in the order of a."""
    tree, places, order = room[1], room[2], room[3]
    tree[:] = 0.0
    places[:] = 0.0
    size_a = size_b = 0
    for k in range(n):
        places[int(a[k]) + 1] += 1.0
        size_a = max(size_a, int(a[k]) + 1)
        size_b = max(size_b, int(b[k]) + 1)
    for code in range(size_a):
        places[code + 1] += places[code]
    for k in range(n):
        order[int(places[int(a[k])])] = k
        places[int(a[k])] += 1.0  # in the end, where the next code starts
    agreement = inside = 0.0
    start = 0
    for code in range(size_a):
        end = int(places[code])
        for p in range(start, end):
            k = int(order[p])
            agreement += w[k] * (_below(tree, int(b[k])) + _below(tree, int(b[k]) + 1) - inside)
        for p in range(start, end):
            k = int(order[p])
            inside += w[k]
            i = int(b[k]) + 1
            while i <= size_b:
                tree[i] += w[k]
                i += i & -i
        start = end
    return agreement


@_compiled
def _below(tree: Floats, code: int) -> float:
    """The weight in the tree of codes less than this one."""
    total = 0.0
    while code > 0:
        total += tree[code]
        code -= code & -code
    return total


@_compiled
def _correlation(kind: int, a: Floats, b: Floats, w: Floats, n: int, room: Floats, zero: bool) -> float:
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


@_compiled
def _room(n: int) -> Any:
    """Room for the counts of n observations; swapped ones may have 2n different codes."""
    return np.empty((4, 2 * n + 2))


@_compiled
def group_correlations(kind: int, x: Floats, z: Floats, zero: bool) -> Floats:
    """The correlation of each row of the tables, NaN where it is undefined or nothing is there."""
    size = x.shape[1]
    a, b, w, room = np.empty(size), np.empty(size), np.ones(size), _room(size)
    values = np.empty(len(x))
    for g in range(len(x)):
        n = 0
        for k in range(size):
            if not math.isnan(x[g, k]):
                a[n], b[n] = x[g, k], z[g, k]
                n += 1
        values[g] = _correlation(kind, a, b, w, n, room, zero)
    return values


@_compiled
def resampled(kind: int, x: Floats, z: Floats, seen: Floats, taken: Floats, zero: bool) -> Floats:
    """The mean correlation of the rows in each draw.

    `seen` is how often a draw has each observation (draws x columns), `taken` each row (draws x rows).
    """
    size = x.shape[1]
    a, b, w, room = np.empty(size), np.empty(size), np.empty(size), _room(size)
    values = np.empty(len(seen))
    for r in range(len(seen)):
        total = weight = 0.0
        for g in range(len(x)):
            if taken[r, g] == 0.0:
                continue
            n = 0
            for k in range(size):
                if seen[r, k] > 0.0 and not math.isnan(x[g, k]):
                    a[n], b[n], w[n] = x[g, k], z[g, k], seen[r, k]
                    n += 1
            value = _correlation(kind, a, b, w, n, room, zero)
            if not math.isnan(value):
                total += taken[r, g] * value
                weight += taken[r, g]
        values[r] = total / weight if weight > 0.0 else math.nan
    return values


@_compiled
def swapped(kind: int, xy: Floats, z: Floats, swaps: Marks, zero: bool) -> Floats:
    """The mean correlations of two tables with z (draws x 2) when marked cells of the two change places.

    `xy` is 2 x rows x columns, its codes those of both tables together; `swaps` (0 or 1) is draws x rows x columns.
    """
    size = z.shape[1]
    a, b, c, w, room = np.empty(size), np.empty(size), np.empty(size), np.ones(size), _room(size)
    values = np.empty((len(swaps), 2))
    for r in range(len(swaps)):
        total_x = total_y = used_x = used_y = 0.0
        for g in range(len(z)):
            n = 0
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


# System level: the means change with each draw. Sums are kept in two parts, what a sum rounds to and what rounding
# lost (Knuth's two-sum), so that systems with the same scores in another order tie exactly. The tables are
# documents x systems here: the inner loops run over systems, and the compiler does several at once.


@_compiled
def _add(high: Floats, low: Floats, values: Floats) -> None:
    for i in range(len(high)):
        total = high[i] + values[i]
        part = total - high[i]
        low[i] += (high[i] - (total - part)) + (values[i] - part)
        high[i] = total


@_compiled
def _drawn_means(table: Floats, present: Floats, taken: Floats, high: Floats, low: Floats, counts: Floats) -> None:
    """Fill `high` with the systems' means over the documents taken.

    `table` has 0 where nothing is present; `present` has no rows when all is.
    """
    high[:] = low[:] = 0.0
    all_taken = 0.0
    for j in range(len(table)):
        all_taken += taken[j]
        for _ in range(int(taken[j])):
            _add(high, low, table[j])
    counts[:] = all_taken if len(present) == 0 else 0.0
    for j in range(len(present)):
        for i in range(len(high)):
            counts[i] += taken[j] * present[j, i]
    for i in range(len(high)):
        high[i] = (high[i] + low[i]) / counts[i] if counts[i] > 0.0 else math.nan


@_compiled
def resampled_systems(
    kind: int,
    x: Floats,
    present_x: Floats,
    z: Floats,
    present_z: Floats,
    seen: Floats,
    taken_x: Floats,
    taken_z: Floats,
    zero: bool,
) -> Floats:
    """The correlation of the systems' means in each draw, each table over documents of its own.

    `seen` is how often a draw has each system, `taken_x` and `taken_z` each document.
    """
    size = x.shape[1]
    a, b, w, room = np.empty(size), np.empty(size), np.empty(size), _room(size)
    means_x, means_z, low, counts = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    values = np.empty(len(seen))
    for r in range(len(seen)):
        _drawn_means(x, present_x, taken_x[r], means_x, low, counts)
        _drawn_means(z, present_z, taken_z[r], means_z, low, counts)
        n = 0
        for i in range(size):
            if seen[r, i] > 0.0 and not math.isnan(means_x[i]) and not math.isnan(means_z[i]):
                a[n], b[n], w[n] = means_x[i], means_z[i], seen[r, i]
                n += 1
        if kind != PEARSON:
            _recode(a[:n])
            _recode(b[:n])
        values[r] = _correlation(kind, a, b, w, n, room, zero)
    return values


@_compiled
def swapped_systems(kind: int, xy: Floats, counts: Floats, z: Floats, swaps: Marks, zero: bool) -> Floats:
    """The correlations of the means of two tables with z (draws x 2) when marked cells of the two change places.

    `xy` is 2 x documents x systems (0 where missing), `swaps` draws x documents x systems; `counts` is how many
    documents each system has, at least one, and `z` the systems' values (codes, for ranks).
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
        if kind != PEARSON:
            _recode(means_x)
            _recode(means_y)
        values[r, 0] = _correlation(kind, means_x, z, w, size, room, zero)
        values[r, 1] = _correlation(kind, means_y, z, w, size, room, zero)
    return values
