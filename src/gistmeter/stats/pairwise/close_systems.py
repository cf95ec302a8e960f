"""How well a metric ranks systems that are as close as those that people compare (Deutsch 2022, section 8.4).

r_sys-delta(l, u) is the system-level correlation over the pairs of systems whose metric scores differ by l to u,
both included, instead of over all pairs. The thesis defines it for Kendall's tau-b. All three coefficients are
sums over pairs of systems (Daniels, 1944),

    sum a_ij b_ij / sqrt(sum a_ij^2  sum b_ij^2)

with a_ij the difference of the systems i and j by the metric and b_ij by people: of scores for Pearson, of ranks
for Spearman, of neither but its sign for Kendall. Here the sums run over the pairs between the bounds alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError
from gistmeter.stats.pairwise.pair_distances import DeltaCorrelation, PairBootstrap, PairCoefficient, SystemPairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.stats.resampling.samples import Resampling

TENTHS = tuple(tenth / 10 for tenth in range(1, 11))


@dataclass(frozen=True, slots=True)
class ClosestPairs:
    """The correlation on ever larger shares of the pairs of systems, the closest first (Fig. 34 and 41)."""

    shares: tuple[float, ...]
    points: tuple[DeltaCorrelation, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PairsHeatmap:
    """Correlations for many bounds (Fig. 42): `lower` by row, `upper` by column, NaN where there is none."""

    lower: FloatArray
    upper: FloatArray
    values: FloatArray
    pairs: IntArray
    coefficient: PairCoefficient
    low: FloatArray
    high: FloatArray


def delta_correlation(
    x: ArrayLike,
    z: ArrayLike,
    *,
    lower: float = 0.0,
    upper: float = math.inf,
    lower_share: float | None = None,
    upper_share: float | None = None,
    coefficient: PairCoefficient = "kendall",
    paired: bool = True,
    resamples: int = 0,
    method: Resampling = "both",
    confidence: float = 0.95,
    seed: int = 0,
) -> DeltaCorrelation:
    """r_sys-delta(lower, upper): the correlation over pairs of systems this far apart in the metric `x`.

    Parameters
    ----------
    x, z : array_like
        The tables of the metric and of people, systems x documents.
    lower, upper : float
        The bounds of the difference of two systems in the metric, both included.
    lower_share, upper_share : float, optional
        Bounds as shares of the pairs, the closest first, in place of `lower` and `upper`: without the closest
        `lower_share` of them (0 for none), up to the smallest bound that admits `upper_share`.
    coefficient : {"pearson", "spearman", "kendall"}
        Which correlation; the thesis takes Kendall's.
    paired : bool
        False if the tables have the same systems but documents of their own, as in eq. 8.3 and all figures of the
        chapter: the metric on the whole test set, people on the judged part of it.
    resamples : int
        Above 0 there is a percentile bootstrap interval of so many resamples. The bounds stay as they are. (A system
        drawn twice makes a pair that differs in nothing and counts for nothing.)
    method : {"systems", "documents", "both"}
        What a resample draws anew.
    confidence, seed
        The confidence of the interval, and the seed of the draws.

    Returns
    -------
    DeltaCorrelation

    Raises
    ------
    ArgumentError
        The bounds are not 0 <= lower <= upper, a choice does not exist, or a number is out of its range.
    DataError
        Fewer than three systems have scores in both tables.

    Examples
    --------
    >>> metric, judges = [[0.1], [0.2], [0.3], [0.9]], [[2], [1], [3], [4]]
    >>> delta_correlation(metric, judges).value, delta_correlation(metric, judges, upper=0.15).value
    (0.666..., 0.0)
    >>> delta_correlation(metric, judges, lower_share=0.5).pairs
    3
    """
    pairs = SystemPairs(x=x, z=z, coefficient=coefficient, paired=paired)
    if lower_share is not None:
        lower = pairs.next_above(float(pairs.upper_bounds([lower_share])[0])) if lower_share else 0.0
    if upper_share is not None:
        upper = float(pairs.upper_bounds([upper_share])[0])
    if not 0 <= lower <= upper:
        raise ArgumentError(f"the bounds of a difference must be 0 <= lower <= upper, not {lower} and {upper}")
    return pairs.correlate_within(
        [(lower, upper)], PairBootstrap(resamples=resamples, method=method, confidence=confidence, seed=seed)
    )[0]


def closest_pairs_curve(
    x: ArrayLike,
    z: ArrayLike,
    *,
    shares: Sequence[float] = TENTHS,
    coefficient: PairCoefficient = "kendall",
    paired: bool = True,
    resamples: int = 0,
    method: Resampling = "both",
    confidence: float = 0.95,
    seed: int = 0,
) -> ClosestPairs:
    """The correlation on the closest 10%, 20% ... 100% of all pairs of systems.

    Parameters
    ----------
    x, z : array_like
        The tables of the metric and of people, systems x documents.
    shares : sequence of float
        Rising shares of the pairs. Each point takes the smallest upper bound that admits that share, and all pairs
        within it.
    coefficient, paired, resamples, method, confidence, seed
        As in `delta_correlation`.

    Returns
    -------
    ClosestPairs

    Raises
    ------
    ArgumentError
        The shares do not rise from above 0 to at most 1, a choice does not exist, or a number is out of its range.
    DataError
        Fewer than three systems have scores in both tables.

    Examples
    --------
    >>> metric, judges = [[0.1], [0.2], [0.35], [0.9]], [[2], [1], [3], [4]]
    >>> [(point.pairs, round(point.value, 2)) for point in closest_pairs_curve(metric, judges, shares=[0.5, 1]).points]
    [(3, 0.33), (6, 0.67)]
    """
    pairs = SystemPairs(x=x, z=z, coefficient=coefficient, paired=paired)
    bounds = [(0.0, upper) for upper in pairs.upper_bounds(shares)]
    points = pairs.correlate_within(
        bounds, PairBootstrap(resamples=resamples, method=method, confidence=confidence, seed=seed)
    )
    return ClosestPairs(tuple(shares), points)


def pairs_heatmap(
    x: ArrayLike,
    z: ArrayLike,
    *,
    shares: Sequence[float] = TENTHS,
    coefficient: PairCoefficient = "kendall",
    fewest: int = 5,
    paired: bool = True,
    resamples: int = 0,
    method: Resampling = "both",
    confidence: float = 0.95,
    seed: int = 0,
) -> PairsHeatmap:
    """The correlation without the closest 0%, 10%, 20% ... of the pairs (rows), up to 10%, 20% ... 100% (columns).

    The first row is `closest_pairs_curve`.

    Parameters
    ----------
    x, z : array_like
        The tables of the metric and of people, systems x documents.
    shares : sequence of float
        Rising shares of the pairs, closest first: the columns, and where the rows begin.
    fewest : int
        A cell with fewer pairs than this is left out (NaN).
    coefficient, paired, resamples, method, confidence, seed
        As in `delta_correlation`.

    Returns
    -------
    PairsHeatmap

    Raises
    ------
    ArgumentError, DataError
        As in `closest_pairs_curve`.

    Examples
    --------
    >>> metric, judges = [[0.1], [0.2], [0.35], [0.9]], [[2], [1], [3], [4]]
    >>> pairs_heatmap(metric, judges, shares=[0.5, 1], fewest=1).values.round(2)
    array([[0.33, 0.67],
           [ nan, 1.  ]])
    """
    system_pairs = SystemPairs(x=x, z=z, coefficient=coefficient, paired=paired)
    upper = system_pairs.upper_bounds(shares)
    lower = np.append(0.0, [system_pairs.next_above(bound) for bound in upper[:-1]])
    cells = [(row, column) for row in range(len(upper)) for column in range(row, len(upper))]
    bounds = [(lower[row], upper[column]) for row, column in cells]
    values, low, high = np.full((3, len(upper), len(upper)), np.nan)
    pairs = np.zeros((len(upper), len(upper)), dtype=np.int64)
    points = system_pairs.correlate_within(
        bounds, PairBootstrap(resamples=resamples, method=method, confidence=confidence, seed=seed)
    )
    for cell, point in zip(cells, points, strict=True):
        pairs[cell] = point.pairs
        if point.pairs >= fewest:
            values[cell], low[cell], high[cell] = point.value, point.low, point.high
    return PairsHeatmap(
        lower=lower, upper=upper, values=values, pairs=pairs, coefficient=coefficient, low=low, high=high
    )
