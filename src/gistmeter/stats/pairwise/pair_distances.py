"""Correlations over the pairs of systems whose metric scores differ by so much, and their bootstrap intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.pairwise.pairs import pair_differences, pair_indices
from gistmeter.stats.resampling import draws
from gistmeter.stats.resampling.samples import Resampling, run_in_blocks
from gistmeter.stats.tables import align_cells, align_systems, check_choice, check_share, system_means
from gistmeter.stats.ties import rank_rows, snap_ties, tie_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray, IntArray

PairCoefficient = Literal["pearson", "spearman", "kendall"]


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
class PairBootstrap:
    """How intervals are made: without resamples there are none."""

    resamples: int
    method: Resampling
    confidence: float
    seed: int


class SystemPairs:
    """Two tables, the means of their systems and the distances of all pairs of systems by the metric."""

    def __init__(self, x: ArrayLike, z: ArrayLike, coefficient: PairCoefficient, paired: bool) -> None:
        check_choice("coefficient", coefficient, PairCoefficient)
        a, b = align_cells(x, z) if paired else align_systems(x, z)
        scored = ~(np.isnan(a).all(axis=1) | np.isnan(b).all(axis=1))
        self.x, self.z = a[scored], b[scored]
        if len(self.x) < 3:
            raise DataError(f"pairs by distance need at least 3 systems with scores in both tables, not {len(self.x)}")
        self.coefficient, self.paired = coefficient, paired
        self.pairs = pair_indices(len(self.x))
        self.widths = tie_width(self.x), tie_width(self.z)
        self.means = system_means(self.x), system_means(self.z)
        # Distances are differences of two means, each with a rounding error of its own.
        self.slack = 2 * self.widths[0]
        distances = np.abs(pair_differences(self.means[0], self.pairs, self.widths[0]))
        self.distances = np.sort(snap_ties(distances, self.slack))

    def upper_bounds(self, shares: Sequence[float]) -> FloatArray:
        """The smallest upper bounds that admit these shares of the pairs."""
        if not shares or min(shares) <= 0 or max(shares) > 1 or list(shares) != sorted(set(shares)):
            raise ArgumentError(f"shares of pairs rise, from above 0 to at most 1, unlike {list(shares)}")
        # A product such as 0.07 * 100 is a little above 7, and that is not 8 pairs.
        counts = [math.ceil(share * len(self.distances) - 1e-9) for share in shares]
        return np.array([self.distances[count - 1] for count in counts])

    def next_above(self, bound: float) -> float:
        """The smallest distance above the bound; infinite if there is none."""
        index = int(np.searchsorted(self.distances, bound, side="right"))
        return float(self.distances[index]) if index < len(self.distances) else math.inf

    def correlate_within(
        self, bounds: Sequence[tuple[float, float]], bootstrap: PairBootstrap
    ) -> tuple[DeltaCorrelation, ...]:
        """The correlations within each of the bounds, with intervals if there are resamples."""
        x, z = (means[np.newaxis] for means in self.means)
        values, counts = self._correlations(x, z, bounds)
        low, high = np.full((2, len(bounds)), np.nan)
        if bootstrap.resamples:
            check_choice("method", bootstrap.method, Resampling)
            check_share("confidence", bootstrap.confidence)

            def draw(count: int, rng: np.random.Generator) -> FloatArray:
                return self._correlations(*self._draw_means(count, bootstrap.method, rng), bounds)[0]

            samples = run_in_blocks(bootstrap.resamples, draw, name="resamples", seed=bootstrap.seed, workers=1)
            defined = ~np.isnan(samples).all(axis=0)
            tail = (1 - bootstrap.confidence) / 2
            if defined.any():
                low[defined], high[defined] = np.nanquantile(samples[:, defined], [tail, 1 - tail], axis=0)
        ends = zip(bounds, values[0].tolist(), counts[0].tolist(), low.tolist(), high.tolist(), strict=True)
        return tuple(
            DeltaCorrelation(
                value=value,
                lower=float(lower),
                upper=float(upper),
                pairs=count,
                coefficient=self.coefficient,
                low=interval_low,
                high=interval_high,
            )
            for (lower, upper), value, count, interval_low, interval_high in ends
        )

    def _correlations(
        self, x: FloatArray, z: FloatArray, bounds: Sequence[tuple[float, float]]
    ) -> tuple[FloatArray, IntArray]:
        """The correlations and numbers of pairs for rows of system means: rows x bounds."""
        metric_differences = pair_differences(x, self.pairs, self.widths[0])
        distance = np.abs(metric_differences)
        if self.coefficient == "kendall":
            a, b = np.sign(metric_differences), np.sign(pair_differences(z, self.pairs, self.widths[1]))
        elif self.coefficient == "spearman":
            a, b = (
                pair_differences(rank_rows(snap_ties(means, width)), self.pairs, 0.0)
                for means, width in zip((x, z), self.widths, strict=True)
            )
        else:
            a, b = metric_differences, pair_differences(z, self.pairs, self.widths[1])
        missing = np.isnan(a) | np.isnan(b)
        a[missing] = b[missing] = 0.0
        products, squares_a, squares_b = a * b, a * a, b * b
        values = np.empty((len(x), len(bounds)))
        counts = np.empty((len(x), len(bounds)), dtype=np.int64)
        for i, (lower, upper) in enumerate(bounds):
            within = (distance >= lower - self.slack) & (distance <= upper + self.slack) & ~missing
            sums = [np.where(within, terms, 0.0).sum(axis=1) for terms in (products, squares_a, squares_b)]
            with np.errstate(invalid="ignore"):
                values[:, i] = np.clip(sums[0] / (np.sqrt(sums[1]) * np.sqrt(sums[2])), -1.0, 1.0)
            counts[:, i] = within.sum(axis=1)
        return values, counts

    def _draw_means(self, count: int, method: Resampling, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """The means of the systems by metric and people in `count` resamples, each resamples x systems."""
        systems = len(self.x)
        if method == "systems":
            x, z = (np.tile(means, (count, 1)) for means in self.means)
        elif self.paired:
            x, z = np.split(_resample_means(np.concatenate([self.x, self.z]), count, rng), 2, axis=1)
        else:
            x, z = _resample_means(self.x, count, rng), _resample_means(self.z, count, rng)
        if method != "documents":
            chosen = rng.integers(systems, size=(count, systems))
            x, z = np.take_along_axis(x, chosen, axis=1), np.take_along_axis(z, chosen, axis=1)
        return x, z


def _resample_means(scores: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
    """The means over documents drawn anew, the same for all rows: resamples x rows; NaN where no score was drawn."""
    present = ~np.isnan(scores)
    filled = np.where(present, scores, 0.0)
    sums, counts = np.zeros((2, count, len(scores)))
    for block, weights in draws.draw_resamples(scores.shape[1], count, len(scores), rng):
        sums += weights @ filled[:, block].T
        counts += weights @ present[:, block].T
    with np.errstate(invalid="ignore"):
        return np.asarray(sums / counts)
