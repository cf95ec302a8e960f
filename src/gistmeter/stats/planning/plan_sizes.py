"""How many documents, systems or raters must be judged, from a pilot.

    plan_width   for an interval of a correlation that is so wide
    plan_power   for a test that finds a difference of two metrics so often

The pilot is resampled to several sizes, documents or systems with replacement and raters without, and what is measured
there (the width of the interval, the spread of the difference) is fitted by a law (`gistmeter.stats.planning.laws`)
that falls with the square root of the number, to a floor that the other units leave.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.planning.laws import Law, fit_law, mean_square
from gistmeter.stats.planning.pilot import MIN_SIZES, Pilot, Unit, add_noisy_metrics, make_pilot
from gistmeter.stats.planning.plan import MAX_NEEDED, PlanPoint, Target, make_plan
from gistmeter.stats.resampling.samples import WHOLE_SYSTEMS, SwapMethod
from gistmeter.stats.resampling.trials import run_trials
from gistmeter.stats.tables import check_choice, check_counts, check_share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.planning.plan import Plan
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.resampling.trials import Progress
    from gistmeter.stats.tables import Coefficient, Level, Undefined

    Measure = Callable[[Pilot, int, int, np.random.Generator], list[float]]

PlannedTest = Literal["permutation", "bootstrap"]
PlannedAlternative = Literal["two-sided", "greater"]

_DRAWS_RATIO = 5
"""A replicate of the pilot takes this many times fewer resamples than the pilot."""
_MIN_DRAWS = 50
_STUDY_DRAWS = 10
"""One simulated study to plan a permutation test takes the place of so many resamples."""
_MIN_STUDIES = 12
"""How many studies of a size are simulated at least to plan a permutation test."""
_SWAPS = 40
"""How many times the scores of each are swapped."""


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

    trials = _Trials(resamples=resamples, replicates=replicates, seed=seed, workers=workers, progress=progress)
    laws = _PilotLaws(pilot, measure, trials)
    return laws.make_plan(Target("width", width), lambda values: values[0], lambda value: value <= width)


def plan_power(
    x: ArrayLike,
    z: ArrayLike,
    *,
    y: ArrayLike | None = None,
    difference: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: PlannedAlternative = "two-sided",
    test: PlannedTest = "permutation",
    swapping: SwapMethod = "scaled-systems",
    unit: Unit = "documents",
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: Resampling = "both",
    resamples: int = 1000,
    replicates: int = 100,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Plan:
    """How many documents, systems or raters let a test find that x is better than y by `difference`.

    The test finds a difference above a bound: the quantile of the differences with swapped scores (permutation test) or
    the normal quantile times the spread of the difference (bootstrap test). How far a study's difference is above its
    bound is taken as normal around the true difference less the mean bound. Bounds and spreads come from resampling the
    pilot by `method`.

    Parameters
    ----------
    x : array_like
        The better metric's table, systems x documents.
    z : array_like
        The judges' table, as in `plan_width`.
    y : array_like, optional
        The worse metric's table. Without one, it is made by adding noise to x until it is worse by `difference`.
    difference : float, optional
        The difference of the correlations to be found; the pilot's own if there is a `y` and none is given.
    power : float
        How often the test should find the difference, at least 0.5.
    alpha : float
        The p-value up to which it counts as found.
    alternative : {"two-sided", "greater"}
        Whether the test asks if the metrics differ, or if x is better, as in `permutation_test`.
    test : {"permutation", "bootstrap"}
        Which test will be used.
    swapping : {"scaled-systems", "systems", "documents", "both", "crossed"}
        What the permutation test will swap: the `method` of `permutation_test`.
    unit, replicates, seed, workers, progress
        As in `plan_width`.
    level, coefficient, undefined
        Which correlations are compared, as in `correlate`.
    method : {"systems", "documents", "both"}
        What is drawn anew to see how much the difference varies.
    resamples : int
        How many resamples the spread of the difference is measured on.

    Returns
    -------
    Plan

    Raises
    ------
    ArgumentError
        A choice does not exist, a number is out of its range, there is no difference to find, or `method` leaves the
        unit as it is.
    DataError
        The pilot is too small, x is not the better metric in it, or a correlation is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 40))
    >>> metric, other = judges + rng.normal(size=(12, 40)), judges + 1.2 * rng.normal(size=(12, 40))
    >>> plan_power(metric, judges, y=other, difference=0.1, method="documents", replicates=20).needed
    150
    """
    from scipy.special import ndtr, ndtri

    check_choice("test", test, PlannedTest)
    check_choice("alternative", alternative, PlannedAlternative)
    check_choice("swapping", swapping, SwapMethod)
    check_share("alpha", alpha)
    if not 0.5 <= power < 1:
        raise ArgumentError(f"the power to plan for is at least 0.5 and below 1, not {power}")
    others = () if y is None else (y,)
    pilot = make_pilot(
        x, others, z, unit=unit, level=level, coefficient=coefficient, method=method, undefined=undefined
    )
    gap, caveat = _difference_to_find(pilot, difference)
    if y is None:
        pilot = add_noisy_metrics(pilot, gap, seed)
    tail = alpha / 2 if alternative == "two-sided" else alpha
    normal_bound = float(-ndtri(tail))
    by_systems = test == "permutation" and swapping in WHOLE_SYSTEMS
    if by_systems and unit == "documents":
        _check_ways_to_swap(pilot.x.shape[0], alternative, alpha)

    def measure(pilot: Pilot, size: int, draws: int, rng: np.random.Generator) -> list[float]:
        if test == "bootstrap":
            of_x, *of_others = pilot.draw_correlations(size, draws, rng)
            spread = float(np.mean([mean_square(of_x - of_other, centred=True) for of_other in of_others]))
            return [spread, normal_bound**2 * spread]
        studies = pilot.draw_studies(size, max(_MIN_STUDIES, draws // _STUDY_DRAWS), _SWAPS, swapping, rng)
        bound = float(np.nanmean(studies.bounds(tail))) ** 2
        if by_systems:
            # Swapped systems bring the difference itself along; that of the pilot is not the one to find.
            own = float(np.nanmean(studies.differences))
            systems = size if unit == "systems" else pilot.x.shape[0]
            bound = max(bound + normal_bound**2 * (gap**2 - own**2) / systems, bound / 16)
        return [studies.margin_variance(tail), bound]

    def power_at(values: Sequence[float]) -> float:
        spread, bound = values
        return float(ndtr((gap - bound) / spread)) if spread > 0 else 1.0

    trials = _Trials(resamples=resamples, replicates=replicates, seed=seed, workers=workers, progress=progress)
    laws = _PilotLaws(pilot, measure, trials, by_systems=(by_systems and method != "documents", by_systems))
    how = f"{test} test by {swapping}" if test == "permutation" else "bootstrap test"
    planned = f"Planned for a {alternative} {how} at alpha {alpha:g}. "
    return laws.make_plan(Target("power", power, caveat + planned), power_at, lambda value: value >= power)


def _check_ways_to_swap(systems: int, alternative: PlannedAlternative, alpha: float) -> None:
    """Refuse to plan documents for a test of so few systems that no p-value is small enough, however many there are."""
    least = (2 if alternative == "two-sided" else 1) / 2**systems
    if least > alpha:
        raise ArgumentError(
            f"{systems} systems can be swapped in {2**systems} ways only: however many documents there are, no p-value "
            f"of a {alternative} test is below {least:.2g}; plan for more systems with `unit=systems`"
        )


def _difference_to_find(pilot: Pilot, difference: float | None) -> tuple[float, str]:
    """The difference to be found, and the caveat that goes with it."""
    if difference is not None:
        if not difference > 0:
            raise ArgumentError(f"the difference to be found is above 0, not {difference:.3f}")
        return difference, "" if pilot.others else "The worse metric is the first with noise, as none was given. "
    if not pilot.others:
        raise ArgumentError("say which difference is to be found, or give the other metric's scores")
    of_x, of_y = (pilot.correlation(table, pilot.judge_means) for table in (pilot.x, pilot.others[0]))
    gap = of_x - of_y
    if not gap > 0:
        raise DataError(f"the difference to be found is above 0, not {gap:.3f}: x must be the better metric")
    return gap, f"The difference is the pilot's own, {gap:.3f}, which is uncertain itself. "


@dataclass(frozen=True, slots=True)
class _Trials:
    """How often the pilot is resampled, and how the work is shared."""

    resamples: int
    replicates: int
    seed: int
    workers: int
    progress: Progress | None


class _PilotLaws:
    """The fitted laws of a pilot, and of other pilots like it."""

    def __init__(self, pilot: Pilot, measure: Measure, trials: _Trials, by_systems: Sequence[bool] = (False,)) -> None:
        """`measure(pilot, size, draws, rng)` gives squares that follow a law each; `by_systems` is as in `fit_law`."""
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
            return squares, [
                fit_law(resampled, self.sizes, column, by_systems=whole)
                for column, whole in zip(squares.T, by_systems, strict=True)
            ]

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
            if not is_enough(value_at(laws, MAX_NEEDED)):
                return math.inf
            low, high = MIN_SIZES[self.pilot.unit] - 1, MAX_NEEDED
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if is_enough(value_at(laws, middle)) else (middle, high)
            return high

        curve = tuple(
            PlanPoint(size, reach(np.sqrt(row).tolist()), value_at(self.laws, size))
            for size, row in zip(self.sizes, self.squares, strict=True)
        )
        numbers = [smallest_size(laws) for laws in (self.laws, *self.replicate_laws)]
        return make_plan(target, self.pilot, numbers=numbers, curve=curve, limit=value_at(self.laws, MAX_NEEDED))
