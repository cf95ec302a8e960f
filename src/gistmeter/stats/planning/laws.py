"""The law by which widths and spreads fall with the number of documents, systems or raters, fitted to a pilot.

    value(n)^2 = floor^2 + slope^2 / n

The floor is what the other units leave: with "both", more documents do not help against having few systems. Without
a floor ("documents" for documents, "systems" for systems) value(n) = slope / sqrt(n). Rankings of a fixed set of
systems converge more slowly than that; there the exponent of n is fitted as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.planning.pilot import Pilot


@dataclass(frozen=True, slots=True)
class Law:
    """value(n)^2 = floor + slope n^-exponent.

    >>> Law(floor=9.0, slope=64.0).value_at(4)
    5.0
    """

    floor: float
    slope: float
    exponent: float = 1.0

    def value_at(self, size: float) -> float:
        """The value that the law gives for a size."""
        return math.sqrt(self.floor + self.slope * size**-self.exponent)


def fit_law(pilot: Pilot, sizes: Sequence[int], squares: FloatArray) -> Law | None:
    """The law of squares measured at these sizes, by least squares of relative errors; None if there is none."""
    from scipy.optimize import nnls

    if not np.isfinite(squares).all():
        return None
    if not (squares > 0).all():
        return Law(0.0, 0.0) if not squares.any() else None
    inverse = 1 / np.asarray(sizes, dtype=np.float64)
    if (pilot.unit, pilot.method) not in (("documents", "documents"), ("systems", "systems")):
        (floor, slope), _ = nnls(np.stack([1 / squares, inverse / squares], axis=1), np.ones(len(squares)))
        return Law(float(floor), float(slope))
    if pilot.unit == "documents" and pilot.level == "system" and pilot.coefficient != "pearson":
        exponent, constant = np.polyfit(np.log(inverse), np.log(squares), 1)
        return Law(0.0, math.exp(constant), float(np.clip(exponent, 0.1, 2.0)))
    return Law(0.0, float(np.exp(np.mean(np.log(squares / inverse)))))


def mean_square(values: FloatArray, *, centred: bool = False) -> float:
    """The mean square of the values that are not NaN; with `centred`, of their distances from the mean.

    >>> mean_square(np.array([1.0, 3, np.nan])), mean_square(np.array([1.0, 3, np.nan]), centred=True)
    (5.0, 1.0)
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return math.nan
    return float(defined.var() if centred else (defined**2).mean())


def interval_indices(numbers: FloatArray) -> list[int]:
    """Which numbers are the ends of the 95% interval of the first, by the bias-corrected bootstrap of the others.

    >>> interval_indices(np.array([5.0, 4, 6, 3, 7]))
    [3, 4]
    """
    from scipy.special import ndtr, ndtri

    others = numbers[1:]
    if not len(others):
        return [0, 0]
    below = (np.mean(others < numbers[0]) + np.mean(others <= numbers[0])) / 2
    bias = ndtri(np.clip(below, 0.5 / len(others), 1 - 0.5 / len(others)))
    # Numbers that occur, none in between: there is no mean of a number and "never".
    ranks = np.round(ndtr(2 * bias + ndtri([0.025, 0.975])) * (len(others) - 1)).astype(int)
    return [int(index) + 1 for index in np.argsort(others, kind="stable")[ranks]]
