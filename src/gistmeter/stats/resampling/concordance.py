"""Compiled loops of Kendall's tau: how many pairs of observations two scores order alike, less those they do not.

Observations have codes in place of scores (how many scores are smaller) and weights that are whole numbers, so all
counting is exact.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.stats.resampling.compilation import compile_loop, compile_unordered_loop

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray


@compile_loop
def count_values(codes: FloatArray, w: FloatArray, n: int, counts: FloatArray) -> tuple[float, float, float]:
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
@compile_unordered_loop
def concordance_by_pairs(a: FloatArray, b: FloatArray, w: FloatArray, n: int) -> float:
    """The weight of concordant less that of discordant pairs, from all pairs."""
    concordance = 0.0
    for i in range(1, n):
        row = 0.0
        for k in range(i):
            # Codes are whole numbers: their product is 0, or at least 1 either way. No branch to mispredict.
            row += w[k] * max(-1.0, min(1.0, (a[i] - a[k]) * (b[i] - b[k])))
        concordance += w[i] * row
    return concordance


@compile_loop
def concordance_by_tree(a: FloatArray, b: FloatArray, w: FloatArray, n: int, room: FloatArray) -> float:
    """The weight of concordant less that of discordant pairs, in n log n steps.

    Observations join a Fenwick tree over b in the order of a. `room` has four rows, of which three are overwritten.
    """
    tree, starts, order = room[1], room[2], room[3]
    tree[:] = 0.0
    starts[:] = 0.0
    size_a = size_b = 0
    for k in range(n):
        starts[int(a[k]) + 1] += 1.0
        size_a = max(size_a, int(a[k]) + 1)
        size_b = max(size_b, int(b[k]) + 1)
    for code in range(size_a):
        starts[code + 1] += starts[code]
    for k in range(n):
        order[int(starts[int(a[k])])] = k
        starts[int(a[k])] += 1.0  # in the end, where the next code starts
    concordance = inside = 0.0
    start = 0
    for code in range(size_a):
        end = int(starts[code])
        for p in range(start, end):
            k = int(order[p])
            concordance += w[k] * (_weight_below(tree, int(b[k])) + _weight_below(tree, int(b[k]) + 1) - inside)
        for p in range(start, end):
            k = int(order[p])
            inside += w[k]
            i = int(b[k]) + 1
            while i <= size_b:
                tree[i] += w[k]
                i += i & -i
        start = end
    return concordance


@compile_loop
def _weight_below(tree: FloatArray, code: int) -> float:
    """The weight in the tree of codes less than this one."""
    total = 0.0
    while code > 0:
        total += tree[code]
        code -= code & -code
    return total
