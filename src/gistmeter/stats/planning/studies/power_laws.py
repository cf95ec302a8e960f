"""How the power of a permutation test grows with the size of a study, from simulated studies of several sizes.

A study's difference is found if it is above its bound (`PermutationPlan.bound`). By how much it is above is taken as
normal: its mean is the true difference less the mean bound, and its variance is measured. Over sizes,

    difference   = limit + slope / n      more documents make the means of systems, and so correlations, less noisy
    mean bound^2 = floor + slope / n
    variance     = floor + slope / n

Where studies are made of the pilot's own documents, means of systems have the noise of 1 / n + 1 / pilot instead
of 1 / n: what 1 / pilot adds to the first two is taken off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.stats.planning.laws import Law, mean_square
from gistmeter.stats.planning.plan import find_smallest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.stats.planning.studies.simulated_studies import Outcomes, StudySimulator

_MIN_FLOOR = 1 / 16
"""The share of the floor of bounds that is left at least when the noise of the pilot is taken off."""


@dataclass(frozen=True, slots=True)
class PowerLaw:
    """The power of a test by the size of a study."""

    gap: float
    gap_slope: float
    pilot: int
    bound: Law
    variance: Law

    @classmethod
    def never(cls, pilot: int) -> PowerLaw:
        """The law of a test that finds nothing in studies of any size."""
        return cls(gap=0.0, gap_slope=0.0, pilot=pilot, bound=Law(1.0, 0.0), variance=Law(0.0, 0.0))

    def gap_at(self, size: float) -> float:
        """The difference that studies of a size have on average."""
        return self.gap + self.gap_slope * (1 / size - 1 / self.pilot)

    def power_at(self, size: float) -> float:
        """The power of a study of that size."""
        from scipy.special import ndtr

        margin = self.gap_at(size) - self.bound.value_at(size)
        spread = self.variance.value_at(size)
        return float(ndtr(margin / spread)) if spread > 0 else float(margin > 0)

    def smallest_size(self, power: float, least: int) -> float:
        """The smallest size, from `least` on, with that power; infinite if there is none."""
        return find_smallest(lambda size: self.power_at(size) >= power, least)

    def found_at(self, size: int, outcomes: Outcomes) -> float:
        """The share of simulated studies whose difference is found, with means as the laws have them."""
        differences = outcomes.differences - np.nanmean(outcomes.differences) + self.gap_at(size)
        bounds = outcomes.bounds * (self.bound.value_at(size) / np.nanmean(outcomes.bounds))
        return float(np.mean(differences > bounds))


def fit_power_law(
    simulator: StudySimulator, gap: float, sizes: Sequence[int], outcomes: Sequence[Outcomes]
) -> PowerLaw | None:
    """The law of studies simulated at these sizes; None if differences or bounds are undefined."""
    pilot = simulator.pilot
    means = np.array([np.nanmean(studies.differences) for studies in outcomes])
    bounds = np.array([np.nanmean(studies.bounds) ** 2 for studies in outcomes])
    variances = np.array([mean_square(studies.differences - studies.bounds, centred=True) for studies in outcomes])
    if not np.isfinite([means, bounds, variances]).all():
        return None
    inverse = 1 / np.asarray(sizes, dtype=np.float64)
    # On average over documents, or over systems, correlations do not depend on the number of them.
    averaged = (pilot.unit, pilot.level) in (("documents", "summary"), ("systems", "per-system"))
    gap_slope = 0.0 if averaged or len(sizes) < 2 else float(np.polyfit(inverse, means, 1)[0])
    bound = fit_floor(sizes, bounds)
    if simulator.twofold_noise:
        bound = Law(max(_MIN_FLOOR * bound.floor, bound.floor - bound.slope / pilot.size), bound.slope)
    return PowerLaw(gap=gap, gap_slope=gap_slope, pilot=pilot.size, bound=bound, variance=fit_floor(sizes, variances))


def fit_floor(sizes: Sequence[int], squares: np.ndarray) -> Law:
    """floor + slope / n, neither below 0, by least squares of relative errors."""
    from scipy.optimize import nnls

    if not (squares > 0).all():
        return Law(0.0, 0.0)
    inverse = 1 / np.asarray(sizes, dtype=np.float64)
    (floor, slope), _ = nnls(np.stack([1 / squares, inverse / squares], axis=1), np.ones(len(squares)))
    return Law(float(floor), float(slope))
