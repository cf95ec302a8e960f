"""The best of values that come nearer from above: only what may still be among the best is looked at further."""

from __future__ import annotations

import heapq
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROUNDING = 1e-12
"""Values that differ by less are equal: nothing is given up for it."""


def find_best(bounds: Sequence[Iterator[float]], *, keep: int, floor: float = -math.inf) -> dict[int, float]:
    """The values of the `keep` best above `floor`, with those that are as good, by position and in this order.

    Each of the `bounds` gives numbers that its value does not exceed, the last of which is the value. Always the one
    with the highest number is asked for its next, so that none is asked further than it must be. One that has no value
    (NaN) is left out.

    >>> find_best([iter([0.9, 0.2]), iter([0.8, 0.7]), iter([0.6, 0.6])], keep=1)
    {1: 0.7}
    """
    highest = [(-math.inf, position) for position in range(len(bounds))]
    values: dict[int, float] = {}
    best: list[float] = []
    while highest:
        negative, position = highest[0]
        bound = -negative
        if bound <= floor or (len(best) >= keep and bound < best[0] - ROUNDING):
            break
        heapq.heappop(highest)
        nearer = next(bounds[position], None)
        if nearer is None:
            values[position] = bound
            heapq.heappush(best, bound)
            if len(best) > keep:
                heapq.heappop(best)
        elif not math.isnan(nearer):
            heapq.heappush(highest, (-nearer, position))
    return dict(sorted(values.items()))
