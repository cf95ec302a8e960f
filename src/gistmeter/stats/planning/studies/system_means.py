"""Studies tested by swapping whole systems at system level, simulated from the means that systems have.

All that matters of a study at this level is the mean of each system in the tables of two metrics and of the judges.
Means of a pilot hold the noise of its documents, which is taken off, and that of the study's own documents is added
(`study_model`). All studies of a size are swapped at once: they are rows of one table.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.planning.studies.simulated_studies import find_log_scale, scale_errors
from gistmeter.stats.planning.studies.study_model import fit_study_model
from gistmeter.stats.resampling.samples import SwapSampler
from gistmeter.stats.resampling.swap_marks import draw_swap_marks, enumerate_swap_marks

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray
    from gistmeter.stats.planning.pilot import Pilot
    from gistmeter.stats.planning.studies.simulated_studies import PermutationPlan
    from gistmeter.stats.planning.studies.study_model import Effects

_MAX_EXACT = 1000
"""Up to so many ways to swap are all tried, as `permutation_test` does by default."""
_MAX_DRAWN_SYSTEMS = 128
"""Of more systems than this, the power follows from that of so many."""
_CORRECTING_STUDIES, _CORRECTING_SWAPS = 100, 199
"""How many studies pilots have that correct the power, and how often they are swapped: less, as there are many."""


class SystemMeansSimulator:
    """Studies like a pilot at system level: how often the test finds x to be better."""

    def __init__(
        self, pilot: Pilot, effects: Effects, gap: float, test: PermutationPlan, *, studies: int, swaps: int, seed: int
    ) -> None:
        """`gap` is the difference that studies of the pilot's size have on average; `seed` draws the same for all."""
        self._pilot, self._effects, self._gap, self._test = pilot, effects, gap, test
        self._studies, self._swaps, self._seed = studies, swaps, seed
        covariance = effects.axes @ effects.axes.T
        self._slopes = covariance[-1] / covariance[-1, -1]
        self._log_scale = find_log_scale(self._mean_difference, gap)
        self._many: tuple[FloatArray, FloatArray] | None = None
        self._likewise: list[SystemMeansSimulator] = []

    @classmethod
    def of(
        cls, pilot: Pilot, other: FloatArray, gap: float, test: PermutationPlan, *, studies: int, swaps: int, seed: int
    ) -> SystemMeansSimulator:
        """Studies like a pilot, its metric x being compared with another."""
        effects = fit_study_model([pilot.x, other, pilot.judge_means]).systems
        return cls(pilot, effects, gap, test, studies=studies, swaps=swaps, seed=seed)

    def correct_by(self, pilots: int) -> SystemMeansSimulator:
        """These studies, with a power that is corrected by so many pilots drawn from the model of this.

        By as much as their power is off on average, that of pilots is.
        """
        rng = np.random.default_rng([self._seed, 2])
        for number in range(pilots):
            effects = self._effects.draw_pilot(rng, same=self._pilot.method == "documents")
            studies, swaps = min(self._studies, _CORRECTING_STUDIES), min(self._swaps, _CORRECTING_SWAPS)
            try:
                self._likewise.append(
                    SystemMeansSimulator(
                        self._pilot, effects, self._gap, self._test, studies=studies, swaps=swaps, seed=number
                    )
                )
            except DataError:
                continue
        return self

    def power_at(self, size: int) -> float:
        """The power of the test in studies in which the unit has that size."""
        power = self._plain_power_at(size)
        if not self._likewise:
            return power
        bias = float(np.mean([other._plain_power_at(size) for other in self._likewise])) - power
        return min(1.0, max(0.0, power - bias))

    def _plain_power_at(self, size: int) -> float:
        """The power without any correction."""
        if self._pilot.unit == "systems" and size > _MAX_DRAWN_SYSTEMS:
            return self._power_of_many(size)
        differences, bounds = self._test_studies(self._draw(size))
        return float(np.mean(differences > bounds))

    def _power_of_many(self, size: int) -> float:
        """The power for so many systems that their sums are normal."""
        from scipy.special import ndtr

        if self._many is None:
            self._many = self._test_studies(self._draw(_MAX_DRAWN_SYSTEMS))
        differences, bounds = self._many
        # Bounds and spreads fall with the root of the number of systems; the difference stays.
        factor = math.sqrt(_MAX_DRAWN_SYSTEMS / size)
        spread = factor * float(np.std(differences - bounds))
        margin = float(np.mean(differences)) - factor * float(np.mean(bounds))
        return float(ndtr(margin / spread)) if spread > 0 else float(margin > 0)

    def _draw(self, size: int) -> FloatArray:
        """The means in studies of that size, before errors are scaled, tables x studies x systems."""
        counts = {**dict(self._pilot.axes), self._pilot.unit: size}
        # Documents that stay as they are leave the noise of the pilot in the means.
        ratio = self._pilot.x.shape[1] / counts["documents"]
        systems = None if self._pilot.method == "documents" else counts["systems"]
        return self._effects.draw_means(systems, ratio, self._studies, np.random.default_rng([self._seed, 0]))

    def _sampler(self, means: FloatArray) -> SwapSampler:
        """The means of studies, ready to be swapped: a study is to it what a document is at summary level."""
        x, y, z = means.transpose(0, 2, 1)
        pilot = self._pilot
        return SwapSampler(
            x, y, z, level="summary", coefficient=pilot.coefficient, undefined=pilot.undefined, scaled=True
        )

    def _mean_difference(self, log_scale: float) -> float:
        """The mean difference in studies of the pilot's size when errors are scaled so."""
        means = scale_errors(self._draw(self._pilot.size), self._slopes, log_scale)
        nothing = np.zeros((1, means.shape[2]), dtype=np.uint8)
        return float(np.nanmean(self._sampler(means).row_differences(nothing)))

    def _test_studies(self, means: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The difference in each study, and the bound above which the test finds it."""
        systems = means.shape[2]
        sampler = self._sampler(scale_errors(means, self._slopes, self._log_scale))
        marks = enumerate_swap_marks(np.ones((systems, 1), dtype=bool), "systems", at_most=_MAX_EXACT)
        exact = marks is not None
        if marks is None:
            rng = np.random.default_rng([self._seed, 1])
            marks = draw_swap_marks((systems, 1), self._swaps, "systems", rng)
        nothing = np.zeros((1, systems), dtype=np.uint8)
        differences = sampler.row_differences(np.concatenate([nothing, marks[:, :, 0]]))
        return differences[0], self._test.bounds(differences[1:].T, exact=exact)
