"""How many documents, systems or raters must be judged for an interval of a correlation that is so wide.

The pilot is resampled to several sizes, documents or systems with replacement and raters without, and what is measured
there (the width of the interval, the spread of a difference) is fitted by a law (`gistmeter.stats.planning.laws`)
that falls with the square root of the number, to a floor that the other units leave.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.planning.laws import Law, fit_law
from gistmeter.stats.planning.pilot import MIN_SIZES, Pilot, Unit, make_pilot
from gistmeter.stats.planning.plan import MAX_NEEDED, PlanPoint, Target, find_smallest, make_plan
from gistmeter.stats.resampling.trials import run_trials
from gistmeter.stats.tables import check_counts, check_share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.planning.plan import Plan
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.resampling.trials import Progress
    from gistmeter.stats.tables import Coefficient, Level, Undefined

    Measure = Callable[[Pilot, int, int, np.random.Generator], list[float]]

_DRAWS_RATIO = 5
"""A replicate of the pilot takes this many times fewer resamples than the pilot."""
_MIN_DRAWS = 50


def plan_width(
    x: ArrayLike,
    z: ArrayLike,
    *,
    width: float,
    unit: Unit = "documents",
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: Resampling = "both",
    confidence: float = 0.95,
    resamples: int = 1000,
    replicates: int = 100,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Plan:
    """How many documents, systems or raters give a percentile bootstrap interval of this width.

    Parameters
    ----------
    x : array_like
        The metric's table, systems x documents.
    z : array_like
        The judges' table. For raters it is systems x documents x raters, NaN where a rater is missing; for the other
        units the raters' mean is taken.
    width : float
        The width of the interval to reach.
    unit : {"documents", "systems", "raters"}
        What there may be more of.
    level, coefficient, method, confidence, undefined
        Which interval of which correlation, as in `bootstrap`.
    resamples : int
        How many resamples an interval of the pilot takes.
    replicates : int
        How many resampled pilots the interval of `needed` rests on.
    seed, workers : int
        The seed of the draws, and how many threads share them, which does not change the result.
    progress : callable, optional
        Called as `progress(done, total)` after each replicate.

    Returns
    -------
    Plan

    Raises
    ------
    ArgumentError
        A choice does not exist, a number is out of its range, or `method` leaves the unit as it is.
    DataError
        The pilot is too small, or its correlation is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 40))
    >>> metric = judges + rng.normal(size=(12, 40))
    >>> plan = plan_width(metric, judges, width=0.05, method="documents", replicates=20)
    >>> plan.needed, plan.extrapolated
    (174, True)
    """
    if not 0 < width < 2:
        raise ArgumentError(f"the width of an interval of a correlation is between 0 and 2, not {width}")
    check_share("confidence", confidence)
    pilot = make_pilot(x, (), z, unit=unit, level=level, coefficient=coefficient, method=method, undefined=undefined)
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]

    def measure(pilot: Pilot, size: int, draws: int, rng: np.random.Generator) -> list[float]:
        samples = pilot.draw_correlations(size, draws, rng)[0]
        defined = samples[~np.isnan(samples)]
        low, high = np.quantile(defined, tails) if len(defined) else (0.0, math.nan)
        return [float(high - low) ** 2]

    trials = Trials(resamples=resamples, replicates=replicates, seed=seed, workers=workers, progress=progress)
    laws = PilotLaws(pilot, measure, trials)
    return laws.make_plan(Target("width", width), lambda values: values[0], lambda value: value <= width)


@dataclass(frozen=True, slots=True)
class Trials:
    """How often the pilot is resampled, and how the work is shared."""

    resamples: int
    replicates: int
    seed: int
    workers: int
    progress: Progress | None


class PilotLaws:
    """The fitted laws of a pilot, and of other pilots like it."""

    def __init__(self, pilot: Pilot, measure: Measure, trials: Trials) -> None:
        """`measure(pilot, size, draws, rng)` gives squares that follow a law each."""
        check_counts(resamples=trials.resamples, replicates=trials.replicates)
        self.pilot, self.sizes = pilot, pilot.sizes
        coarse_draws = max(_MIN_DRAWS, trials.resamples // _DRAWS_RATIO)

        def fit(number: int, rng: np.random.Generator) -> tuple[FloatArray, list[Law | None]]:
            """The squares (sizes x laws) and the laws of the pilot itself (number 0) or of another like it."""
            resampled = pilot.resample(rng) if number else pilot
            draws = coarse_draws if number else trials.resamples
            # Raters see the same resamples, whatever their number: what those leave, the floor, must not vary.
            key = int(rng.integers(2**63))
            squares = np.array(
                [
                    measure(resampled, size, draws, np.random.default_rng(key) if pilot.unit == "raters" else rng)
                    for size in self.sizes
                ]
            )
            return squares, [fit_law(resampled, self.sizes, column) for column in squares.T]

        (self.squares, laws), *replicates = run_trials(
            trials.replicates + 1, fit, seed=trials.seed, workers=trials.workers, progress=trials.progress
        )
        self.laws = [law for law in laws if law]
        if len(self.laws) < len(laws):
            raise DataError("the pilot is too small to plan from: resampled, its scores are often all the same")
        fitted = [[law for law in laws if law] for _, laws in replicates]
        self.replicate_laws = [laws for laws in fitted if len(laws) == len(self.laws)]

    def make_plan(
        self, target: Target, reach: Callable[[Sequence[float]], float], is_enough: Callable[[float], bool]
    ) -> Plan:
        """The plan for the smallest number that is enough, where `reach` makes a goal's value from the laws' values."""

        def value_at(laws: list[Law], size: int) -> float:
            return reach([law.value_at(size) for law in laws])

        def smallest_size(laws: list[Law]) -> float:
            return find_smallest(lambda size: is_enough(value_at(laws, size)), MIN_SIZES[self.pilot.unit])

        curve = tuple(
            PlanPoint(size, reach(np.sqrt(row).tolist()), value_at(self.laws, size))
            for size, row in zip(self.sizes, self.squares, strict=True)
        )
        numbers = [smallest_size(laws) for laws in (self.laws, *self.replicate_laws)]
        return make_plan(target, self.pilot, numbers=numbers, curve=curve, limit=value_at(self.laws, MAX_NEEDED))
