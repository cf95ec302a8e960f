"""A pyramid built by machine: segments of references that say the same make a unit, and a summary states some.

After EDUA, the greedy form (Gao et al., 2019): a unit has at most one segment of each reference, and every two of its
segments are alike. Its weight is the number of references in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class BuiltUnit:
    """The segments of a unit: for each the number of its reference and its place in it, in the order of references."""

    members: tuple[tuple[int, int], ...]

    @property
    def weight(self) -> int:
        """How many references state it."""
        return len(self.members)


@dataclass(frozen=True, slots=True)
class Assigned:
    """A segment of the summary, the unit that it states, and how alike they are."""

    segment: int
    unit: int
    similarity: float


def build_units(similarities: FloatArray, references: Sequence[int], least: float) -> list[BuiltUnit]:
    """Units of the segments of several references, the heaviest first.

    `similarities` is a table of all segments by all, `references` the number of the reference of each. The two most
    similar groups of segments are joined first, as their least similar pair says, while it is at least `least` and the
    groups share no reference.

    >>> alike = np.array([[1.0, 0.9, 0.2], [0.9, 1.0, 0.1], [0.2, 0.1, 1.0]])
    >>> [unit.members for unit in build_units(alike, [0, 1, 1], 0.5)]
    [((0, 0), (1, 0)), ((1, 1),)]
    """
    positions = [sum(other == number for other in references[:at]) for at, number in enumerate(references)]
    groups: dict[int, list[int]] = {at: [at] for at in range(len(references))}
    linked = {
        (left, right): float(similarities[left, right])
        for left in groups
        for right in groups
        if left < right and references[left] != references[right] and similarities[left, right] >= least
    }
    while linked:
        (left, right), _ = max(linked.items(), key=lambda item: (item[1], -item[0][0], -item[0][1]))
        groups[left] += groups.pop(right)
        linked = {pair: value for pair, value in linked.items() if not {left, right} & set(pair)}
        held = {references[at] for at in groups[left]}
        for other, members in groups.items():
            if other == left or held & {references[at] for at in members}:
                continue
            value = float(similarities[np.ix_(groups[left], members)].min())
            if value >= least:
                linked[min(left, other), max(left, other)] = value
    units = [BuiltUnit(tuple(sorted((references[at], positions[at]) for at in members))) for members in groups.values()]
    return sorted(units, key=lambda unit: (-unit.weight, unit.members))


def assign_segments(similarities: FloatArray, weights: Sequence[int], least: float) -> list[Assigned]:
    """The assignment of segments (rows) to units (columns) of the greatest weight, each once; exact (Hungarian method).

    A segment states a unit if they are alike by `least`; among assignments of equal weight the more alike one is taken.
    """
    table = np.asarray(similarities, dtype=np.float64)
    if not table.size:
        return []
    # Similarities decide among equal weights: their sum stays below the smallest difference of weights.
    gain = np.where(table >= least, np.array(weights)[None, :] + np.clip(table, 0, 1) / (1 + min(table.shape)), 0.0)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return [
        Assigned(int(row), int(column), float(table[row, column]))
        for row, column in zip(rows, columns, strict=True)
        if gain[row, column] > 0
    ]


def sum_heaviest(weights: Sequence[int], count: float) -> float:
    """The most that so many units can weigh; a part of a unit counts as a part of the next.

    >>> sum_heaviest([3, 2, 1], 2), sum_heaviest([3, 2, 1], 2.5), sum_heaviest([1], 4)
    (5.0, 5.5, 1.0)
    """
    ordered = sorted(weights, reverse=True)
    whole = min(int(count), len(ordered))
    part = (count - whole) * ordered[whole] if whole < len(ordered) else 0.0
    return float(sum(ordered[:whole]) + part)
