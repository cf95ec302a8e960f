"""Simulated studies of a planned size: the difference of two metrics in each, and the bound that a test puts to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.planning.studies.study_model import fit_study_model
from gistmeter.stats.resampling.samples import (
    SwapMethod,
    SwapSampler,
)
from gistmeter.stats.resampling.swap_marks import Swapping, draw_swap_marks, enumerate_swap_marks
from gistmeter.stats.ties import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.stats.planning.pilot import Pilot

PlannedAlternative = Literal["two-sided", "greater"]

_FIRST_LOG_SCALE, _MAX_LOG_SCALE = 0.5, 4.0
"""Errors of metrics are made up to e^4 times larger and smaller, to make metrics that differ as much as is asked."""
_MAX_CALIBRATED = 30
"""In so many studies at most metrics are made to differ as asked: what chance leaves is taken off later."""
_MAX_EXACT = 1000
"""Up to so many ways to swap are all tried, as `permutation_test` does by default."""


@dataclass(frozen=True, slots=True)
class PermutationPlan:
    """The permutation test that a study will be put to."""

    swapping: SwapMethod
    alternative: PlannedAlternative
    alpha: float

    @property
    def least_swapped(self) -> int:
        """How many systems (or documents) there must be for a p-value as low as alpha."""
        if self.swapping in ("both", "crossed"):
            return 1
        return math.ceil(math.log2(self._least_ways / self.alpha) - 1e-9)

    @property
    def _least_ways(self) -> int:
        # Swapping everything turns a difference round, so that two ways are as extreme.
        return 2 if self.alternative == "two-sided" else 1

    def bounds(self, swapped: FloatArray, *, exact: bool) -> FloatArray:
        """The difference that is just not found in each study, from those with swapped scores (studies x swaps).

        With `exact` the swaps are all there are. A bound is infinite if no difference is ever found.
        """
        size = swapped.shape[1]
        # As many may be as extreme as the difference, with "+1" as in `share_as_extreme`.
        allowed = math.floor(self.alpha * size + 1e-9) if exact else math.floor(self.alpha * (size + 1) + 1e-9) - 1
        if allowed < (self._least_ways if exact else 0):
            return np.full(len(swapped), math.inf)
        values = np.abs(swapped) if self.alternative == "two-sided" else swapped
        # A way to swap without a difference counts against the metric.
        values = np.where(np.isnan(values), np.inf, values)
        position = size - 1 - allowed
        return np.asarray(np.partition(values, position, axis=1)[:, position] + TIE_TOLERANCE)


@dataclass(frozen=True, slots=True, eq=False)
class Outcomes:
    """The differences of x and y in studies of a size, and the bounds above which a test finds them."""

    differences: FloatArray
    bounds: FloatArray


class StudySimulator:
    """Studies like a pilot, in which x is better than y by a given difference on average.

    If systems stay and documents are planned, documents are drawn from the pilot's with replacement. The means of
    systems then have the noise of the pilot's documents on top of the study's own (`twofold_noise`). Otherwise studies
    are drawn from a model fitted to the pilot (`gistmeter.stats.planning.studies.study_model`).
    """

    def __init__(self, pilot: Pilot, gap: float, *, studies: int, rng: np.random.Generator) -> None:
        """`studies` is how many are drawn to find out how large errors make metrics differ by `gap`."""
        self.pilot = pilot
        self.twofold_noise = pilot.unit == pilot.method == "documents"
        z = pilot.judge_means
        self._tables = [np.stack([pilot.x, other, z]) for other in pilot.others]
        self._models = [fit_study_model(list(tables)) for tables in self._tables]
        self._rater_variance = _rater_variance(pilot.z) if pilot.unit == "raters" else 0.0
        seeds = rng.integers(2**63, size=min(studies, _MAX_CALIBRATED)).tolist()
        self._log_scales = [self._find_log_scale(number, gap, seeds) for number in range(len(self._models))]

    def draw(self, size: int, seed: int) -> FloatArray:
        """The tables of x, y and z (3 x systems x documents) of a study in which the unit has that size."""
        number = seed % len(self._models)
        return self._scale_errors(self._draw_unscaled(number, size, seed), number, self._log_scales[number])

    def _draw_unscaled(self, number: int, size: int, seed: int) -> FloatArray:
        """The tables of a study with an other metric, by its number, and errors as in the pilot."""
        rng = np.random.default_rng(seed)
        pilot = self.pilot
        if self.twofold_noise:
            return np.asarray(self._tables[number][:, :, rng.integers(pilot.size, size=size)])
        systems, documents = (
            size if axis == pilot.unit else count if pilot.method in (axis, "both") else None
            for axis, count in pilot.axes
        )
        fewer_raters = max(0.0, 1 / size - 1 / pilot.size) if pilot.unit == "raters" else 0.0
        judge_noise = math.sqrt(self._rater_variance * fewer_raters)
        return self._models[number].draw(systems, documents, rng, judge_noise=judge_noise)

    def run(self, size: int, test: PermutationPlan, *, swaps: int, seeds: IntArray) -> Outcomes:
        """Draw a study of the size for each seed and test it, with so many swaps or all that there are."""
        differences, bounds = np.empty(len(seeds)), np.empty(len(seeds))
        for number, seed in enumerate(seeds.tolist()):
            differences[number], bounds[number] = self._test(self.draw(size, seed), test, swaps, seed)
        return Outcomes(differences, bounds)

    def _test(self, tables: FloatArray, test: PermutationPlan, swaps: int, seed: int) -> tuple[float, float]:
        """The difference of x and y in a study, and its bound."""
        x, y, z = tables
        pilot = self.pilot
        scaled = test.swapping == "scaled-systems"
        swapping: Swapping = "systems" if test.swapping == "scaled-systems" else test.swapping
        sampler = SwapSampler(
            x, y, z, level=pilot.level, coefficient=pilot.coefficient, undefined=pilot.undefined, scaled=scaled
        )
        marks = enumerate_swap_marks(~np.isnan(z), swapping, at_most=max(_MAX_EXACT, swaps))
        exact = marks is not None
        if marks is None:
            rng = np.random.default_rng([seed, 1])
            marks = draw_swap_marks((z.shape[0], z.shape[1]), swaps, swapping, rng)
        as_they_are = np.zeros((1, *marks.shape[1:]), dtype=np.uint8)
        correlations = sampler.correlations(np.concatenate([as_they_are, marks]))
        difference, *swapped = correlations[:, 0] - correlations[:, 1]
        return float(difference), float(test.bounds(np.array([swapped]), exact=exact)[0])

    def _scale_errors(self, tables: FloatArray, number: int, log_scale: float) -> FloatArray:
        """The tables of a study with an other metric, by its number, its errors scaled."""
        return scale_errors(tables, self._models[number].slopes(self.pilot.level), log_scale)

    def _find_log_scale(self, number: int, gap: float, seeds: Sequence[int]) -> float:
        """The logarithm of the factor with which studies of the pilot's size have the difference on average."""
        if self.twofold_noise:
            drawn = [self._tables[number]]
        else:
            drawn = [self._draw_unscaled(number, self.pilot.size, seed) for seed in seeds]

        def mean_difference(log_scale: float) -> float:
            return float(
                np.nanmean([self.pilot.difference(self._scale_errors(tables, number, log_scale)) for tables in drawn])
            )

        return find_log_scale(mean_difference, gap)


def scale_errors(tables: FloatArray, slopes: FloatArray, log_scale: float) -> FloatArray:
    """The tables of x, y and z with smaller errors of x and larger ones of y, by the same factor, or the reverse.

    `slopes` say by how much x and y grow with z (`StudyModel.slopes`).
    """
    scaled = tables.copy()
    for index, sign in ((0, -1), (1, 1)):
        # Errors bring a correlation nearer to 0, and so raise one that is below.
        factor = math.exp(sign * (1 if slopes[index] >= 0 else -1) * log_scale)
        scaled[index] = factor * tables[index] + (1 - factor) * slopes[index] * tables[2]
    return scaled


def find_log_scale(mean_difference: Callable[[float], float], gap: float) -> float:
    """The logarithm of the factor by which errors are scaled to make studies differ by `gap` on average."""
    from scipy.optimize import brentq

    low, high = -_FIRST_LOG_SCALE, _FIRST_LOG_SCALE
    while high < _MAX_LOG_SCALE and not mean_difference(low) < gap <= mean_difference(high):
        low, high = 2 * low, 2 * high
    if not mean_difference(low) < gap <= mean_difference(high):
        raise DataError(f"no errors make metrics like these differ by {gap:.3f}; ask for a smaller difference")
    return float(brentq(lambda log_scale: mean_difference(log_scale) - gap, low, high, xtol=0.001))


def _rater_variance(ratings: FloatArray) -> float:
    """The variance of raters of the same summary (systems x documents x raters), on average."""
    counts = np.sum(~np.isnan(ratings), axis=2)
    several = counts > 1
    return float(np.nanvar(ratings[several], axis=1, ddof=1).mean()) if several.any() else 0.0
