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
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.pairwise.pairs import differences, pair_places, tie_width
from gistmeter.stats.resampling import draws
from gistmeter.stats.resampling.samples import Resampling, in_blocks
from gistmeter.stats.tables import check_choice, check_share, means, shared_cells, shared_systems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    FloatArray: TypeAlias = NDArray[np.float64]
    IntArray: TypeAlias = NDArray[np.int64]

PairCoefficient = Literal["pearson", "spearman", "kendall"]

TENTHS = tuple(tenth / 10 for tenth in range(1, 11))


@dataclass(frozen=True, slots=True)
class DeltaCorrelation:
    """A system-level correlation over the pairs of systems that differ by `lower` to `upper` in the metric."""

    value: float
    """NaN if there is no such pair, or if one side ties all of them."""
    lower: float
    upper: float
    pairs: int
    coefficient: PairCoefficient
    low: float
    """The ends of the bootstrap interval; NaN if none was asked for."""
    high: float


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
    coefficient: PairCoefficient = "kendall",
    paired: bool = True,
    resamples: int = 0,
    method: Resampling = "both",
    confidence: float = 0.95,
    seed: int = 0,
) -> DeltaCorrelation:
    """r_sys-delta(lower, upper): the correlation over pairs of systems this far apart in the metric `x`.

    With `paired=False` the tables have the same systems but documents of their own, as in eq. 8.3 and all
    figures of the chapter: the metric on the whole test set, people on the judged part of it.

    `resamples` above 0 gives a percentile bootstrap interval; `method` says what is drawn anew: systems, inputs
    (documents) or both. The bounds stay as they are. (A system drawn twice makes a pair that differs in nothing
    and counts for nothing.)

    >>> metric, judges = [[0.1], [0.2], [0.3], [0.9]], [[2], [1], [3], [4]]
    >>> delta_correlation(metric, judges).value, delta_correlation(metric, judges, upper=0.15).value
    (0.666..., 0.0)
    """
    if not 0 <= lower <= upper:
        raise DataError(f"the bounds of a difference must be 0 <= lower <= upper, not {lower} and {upper}")
    study = _Study(x, z, coefficient, paired)
    return study.points([(lower, upper)], resamples, method, confidence, seed)[0]


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

    Each point takes the smallest upper bound that admits that share of the pairs, and all pairs within it.
    Intervals are as in `delta_correlation`, with these bounds.

    >>> metric, judges = [[0.1], [0.2], [0.35], [0.9]], [[2], [1], [3], [4]]
    >>> [(point.pairs, round(point.value, 2)) for point in closest_pairs_curve(metric, judges, shares=[0.5, 1]).points]
    [(3, 0.33), (6, 0.67)]
    """
    study = _Study(x, z, coefficient, paired)
    bounds = [(0.0, upper) for upper in study.uppers(shares)]
    return ClosestPairs(tuple(shares), study.points(bounds, resamples, method, confidence, seed))


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

    The first row is `closest_pairs_curve`. A cell with fewer than `fewest` pairs is left out (NaN).

    >>> metric, judges = [[0.1], [0.2], [0.35], [0.9]], [[2], [1], [3], [4]]
    >>> pairs_heatmap(metric, judges, shares=[0.5, 1], fewest=1).values.round(2)
    array([[0.33, 0.67],
           [ nan, 1.  ]])
    """
    study = _Study(x, z, coefficient, paired)
    upper = study.uppers(shares)
    lower = np.append(0.0, [study.next_above(bound) for bound in upper[:-1]])
    cells = [(row, column) for row in range(len(upper)) for column in range(row, len(upper))]
    bounds = [(lower[row], upper[column]) for row, column in cells]
    values, low, high = np.full((3, len(upper), len(upper)), np.nan)
    pairs = np.zeros((len(upper), len(upper)), dtype=np.int64)
    points = study.points(bounds, resamples, method, confidence, seed)
    for cell, point in zip(cells, points, strict=True):
        pairs[cell] = point.pairs
        if point.pairs >= fewest:
            values[cell], low[cell], high[cell] = point.value, point.low, point.high
    return PairsHeatmap(lower, upper, values, pairs, coefficient, low, high)


class _Study:
    """Two checked tables, the means of their systems and the distances of all pairs."""

    def __init__(self, x: ArrayLike, z: ArrayLike, coefficient: PairCoefficient, paired: bool) -> None:
        check_choice("coefficient", coefficient, PairCoefficient)
        a, b = shared_cells(x, z) if paired else shared_systems(x, z)
        known = ~(np.isnan(a).all(axis=1) | np.isnan(b).all(axis=1))
        self.x, self.z = a[known], b[known]
        if len(self.x) < 3:
            raise DataError(f"pairs by distance need at least 3 systems with scores in both tables, not {len(self.x)}")
        self.coefficient, self.paired = coefficient, paired
        self.places = pair_places(len(self.x))
        self.widths = tie_width(self.x), tie_width(self.z)
        self.centres = means(self.x), means(self.z)
        self.distances = np.sort(np.abs(differences(self.centres[0], self.places, self.widths[0])))

    def uppers(self, shares: Sequence[float]) -> FloatArray:
        """The smallest bounds that admit these shares of the pairs."""
        if not shares or min(shares) <= 0 or max(shares) > 1 or list(shares) != sorted(set(shares)):
            raise DataError(f"shares of pairs rise, from above 0 to at most 1, unlike {list(shares)}")
        # A product such as 0.07 * 100 is a little above 7, and that is not 8 pairs.
        counts = [math.ceil(share * len(self.distances) - 1e-9) for share in shares]
        return np.array([self.distances[count - 1] for count in counts])

    def next_above(self, bound: float) -> float:
        """The smallest distance above the bound; infinite if there is none."""
        place = int(np.searchsorted(self.distances, bound, side="right"))
        return float(self.distances[place]) if place < len(self.distances) else math.inf

    def points(
        self, bounds: Sequence[tuple[float, float]], resamples: int, method: Resampling, confidence: float, seed: int
    ) -> tuple[DeltaCorrelation, ...]:
        """The correlations between each of the bounds, with intervals if there are resamples."""
        x, z = (centre[np.newaxis] for centre in self.centres)
        values, counts = self._correlations(x, z, bounds)
        low, high = np.full((2, len(bounds)), np.nan)
        if resamples:
            check_choice("method", method, Resampling)
            check_share("confidence", confidence)

            def draw(count: int, rng: np.random.Generator) -> FloatArray:
                return self._correlations(*self._drawn(count, method, rng), bounds)[0]

            drawn = in_blocks(resamples, draw, name="resamples", seed=seed, workers=1)
            known = ~np.isnan(drawn).all(axis=0)
            tail = (1 - confidence) / 2
            low[known], high[known] = np.nanquantile(drawn[:, known], [tail, 1 - tail], axis=0)
        ends = zip(bounds, values[0].tolist(), counts[0].tolist(), low.tolist(), high.tolist(), strict=True)
        return tuple(
            DeltaCorrelation(value, float(lower), float(upper), count, self.coefficient, left, right)
            for (lower, upper), value, count, left, right in ends
        )

    def _correlations(
        self, x: FloatArray, z: FloatArray, bounds: Sequence[tuple[float, float]]
    ) -> tuple[FloatArray, IntArray]:
        """The correlations and numbers of pairs for rows of system means: rows x bounds."""
        apart = differences(x, self.places, self.widths[0])
        distance = np.abs(apart)
        if self.coefficient == "kendall":
            a, b = np.sign(apart), np.sign(differences(z, self.places, self.widths[1]))
        elif self.coefficient == "spearman":
            a, b = (differences(_ranks(side), self.places, 0.0) for side in (x, z))
        else:
            a, b = apart, differences(z, self.places, self.widths[1])
        missing = np.isnan(a) | np.isnan(b)
        a[missing] = b[missing] = 0.0
        products, squares_a, squares_b = a * b, a * a, b * b
        values = np.empty((len(x), len(bounds)))
        counts = np.empty((len(x), len(bounds)), dtype=np.int64)
        for i, (lower, upper) in enumerate(bounds):
            within = (distance >= lower) & (distance <= upper) & ~missing
            sums = [np.where(within, terms, 0.0).sum(axis=1) for terms in (products, squares_a, squares_b)]
            with np.errstate(invalid="ignore"):
                values[:, i] = np.clip(sums[0] / (np.sqrt(sums[1]) * np.sqrt(sums[2])), -1.0, 1.0)
            counts[:, i] = within.sum(axis=1)
        return values, counts

    def _drawn(self, count: int, method: Resampling, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """The means of the systems by metric and people in `count` resamples, each resamples x systems."""
        systems = len(self.x)
        if method == "systems":
            x, z = (np.tile(centre, (count, 1)) for centre in self.centres)
        elif self.paired:
            x, z = np.split(_drawn_means(np.concatenate([self.x, self.z]), count, rng), 2, axis=1)
        else:
            x, z = _drawn_means(self.x, count, rng), _drawn_means(self.z, count, rng)
        if method != "inputs":
            chosen = rng.integers(systems, size=(count, systems))
            x, z = np.take_along_axis(x, chosen, axis=1), np.take_along_axis(z, chosen, axis=1)
        return x, z


def _drawn_means(scores: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """The means over documents drawn anew, the same ones for all rows: resamples x rows; NaN where none is known."""
    present = ~np.isnan(scores)
    filled = np.where(present, scores, 0.0)
    sums, known = np.zeros((2, count, len(scores)))
    for block, weights in draws.resamples(scores.shape[1], count, len(scores), rng):
        sums += weights @ filled[:, block].T
        known += weights @ present[:, block].T
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / known)


def _ranks(values: FloatArray) -> FloatArray:
    """Ranks along rows, ties sharing theirs, NaN left out."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(values, axis=1, nan_policy="omit"))
