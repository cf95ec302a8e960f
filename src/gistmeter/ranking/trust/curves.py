"""Curves: the share of pairs of systems on which people side with a metric, given how far apart it puts them.

Both curves start at one half for a gap of 0: which of two equal systems a metric puts first is chance. `Logistic` has
one number, how fast it rises; `Isotonic` takes any shape that does not fall. gistmeter ships the first, because it
foretells datasets that it was not fitted to better than the second does (`gistmeter.ranking.trust.transfer`).

Either is fitted with one pair more than there are, which agrees by half, as in Jeffreys' rule for a share: where all
of few pairs agree, the curve stays short of certainty.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

_ADDED = 1.0
_MOST_STEPS = 100
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Logistic:
    """1 / (1 + exp(-slope x gap)). A negative slope is a metric that people tend to contradict.

    >>> Logistic(40.0).at([0.0, 0.01, 0.05]).round(2)
    array([0.5 , 0.6 , 0.88])
    """

    slope: float

    def at(self, gaps: ArrayLike) -> FloatArray:
        """The share of pairs with such gaps on which people agree with the metric."""
        return np.asarray(expit(self.slope * np.asarray(gaps, dtype=np.float64)))

    @classmethod
    def fit(cls, gaps: ArrayLike, agrees: ArrayLike) -> Logistic:
        """The curve most likely to give these pairs: their gaps, and whether people agree (1 or 0).

        >>> round(Logistic.fit([0.01, 0.02, 0.03, 0.04], [0, 1, 1, 1]).slope, 1)
        55.0
        """
        g, a = np.asarray(gaps, dtype=np.float64), np.asarray(agrees, dtype=np.float64)
        return cls(float(fit_slopes(g, a, np.ones_like(g), typical=float(np.median(g)))))


@dataclass(frozen=True, slots=True, eq=False)
class Isotonic:
    """The best curve that never falls: straight between its knots, level after the last."""

    gaps: FloatArray
    shares: FloatArray

    def at(self, gaps: ArrayLike) -> FloatArray:
        """The share of pairs with such gaps on which people agree with the metric."""
        return np.interp(np.asarray(gaps, dtype=np.float64), self.gaps, self.shares)

    @classmethod
    def fit(cls, gaps: ArrayLike, agrees: ArrayLike) -> Isotonic:
        """The curve of least squares; the added pair stands at the largest gap.

        >>> Isotonic.fit([0.01, 0.02, 0.03, 0.04], [0, 1, 1, 1]).at([0.01, 0.02, 0.5]).round(2)
        array([0.5 , 0.88, 0.88])
        """
        from scipy.optimize import isotonic_regression

        g, a = np.asarray(gaps, dtype=np.float64), np.asarray(agrees, dtype=np.float64)
        order = np.argsort(g, kind="stable")
        knots = np.append(g[order], g.max())
        weights = np.append(np.ones(len(g)), _ADDED)
        shares = isotonic_regression(np.append(a[order], 0.5), weights=weights).x
        return cls(np.append(0.0, knots), np.append(0.5, np.maximum(shares, 0.5)))


def fit_slopes(gaps: FloatArray, agrees: FloatArray, weights: FloatArray, *, typical: float) -> FloatArray:
    """The slope of the logistic curve for each row of pairs (last axis); the three arrays broadcast.

    A pair of weight 0 is left out. The added pair stands at the gap `typical`.

    >>> fit_slopes(np.array([0.5, 1.0]), np.array([[1.0, 1.0], [0.0, 1.0]]), np.ones(2), typical=1.0).round(2)
    array([1.57, 0.45])
    """
    units = gaps / typical
    rows = np.broadcast_shapes(gaps.shape, agrees.shape, weights.shape)[:-1]
    slopes = np.zeros(rows)
    for _ in range(_MOST_STEPS):
        shares = expit(slopes[..., None] * units)
        middle = expit(slopes)
        rise = (weights * units * (agrees - shares)).sum(axis=-1) + _ADDED * (0.5 - middle)
        bend = (weights * units**2 * shares * (1 - shares)).sum(axis=-1) + _ADDED * middle * (1 - middle)
        # Newton's steps, none longer than 1: the log-likelihood is concave, but flat far out.
        steps = np.clip(rise / bend, -1.0, 1.0)
        slopes = slopes + steps
        if np.abs(steps).max(initial=0.0) < _CLOSE:
            break
    return slopes / typical
