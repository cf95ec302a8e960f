"""How much must be judged? Numbers of documents, systems or raters, from a pilot.

    plan_width   for an interval of a correlation that is so wide
    plan_power   for a test that finds a difference of two metrics so often
    plan_raters  for means of ratings that agree so well with those of other raters

The pilot is resampled to several sizes, documents or systems with replacement and raters without, and what is found
(the width of the interval, the spread of the difference) is fitted by the law of stats/pilot.py, which falls with
the square root of the number, to a floor that the other units leave.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.planning.pilot import (
    FEWEST,
    Law,
    Pilot,
    Unit,
    check_counts,
    checked_pilot,
    fitted_law,
    interval_places,
    mean_square,
    with_twins,
)
from gistmeter.stats.resampling.trials import in_trials
from gistmeter.stats.tables import check_choice, check_share

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.resampling.trials import Progress
    from gistmeter.stats.tables import Coefficient, Level, Undefined

Goal = Literal["width", "power", "reliability"]
PlannedTest = Literal["permutation", "bootstrap"]

# Beyond this many times the pilot a number is an extrapolation; so many are endlessly many.
_REACH = 4
_ENDLESS = 10**9

# A replicate of the pilot is measured with this share of the resamples.
_COARSE = 5
_FEWEST_DRAWS = 50

_ALLOWED_MISFIT = 0.1


@dataclass(frozen=True, slots=True)
class PlanPoint:
    """What the pilot gives when resampled to a size, and what the fitted curve says."""

    size: int
    value: float
    fitted: float


@dataclass(frozen=True, slots=True)
class Plan:
    """How many documents, systems or raters are needed."""

    goal: Goal
    target: float
    unit: Unit
    needed: int | None
    """None if no number is enough."""
    low: int | None
    """The ends of the 95% interval of `needed`, from other pilots like this one; None if no number is enough.

    With a small pilot it holds the true number less often, 87% of the time in a simulation with 60 documents.
    """
    high: int | None
    pilot: int
    """How many the pilot has."""
    curve: tuple[PlanPoint, ...]
    limit: float
    """The width, power or reliability that endlessly many would give."""
    extrapolated: bool
    """Whether `needed` is more than 4 times the pilot."""
    caveats: str
    level: Level
    coefficient: Coefficient
    method: Resampling


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

    For raters, `z` is systems x documents x raters, NaN where a rater is missing; for the other units their mean is
    taken. `method` is that of `bootstrap`. The interval of `needed` is from `replicates` resampled pilots.

    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 40))
    >>> metric = judges + rng.normal(size=(12, 40))
    >>> found = plan_width(metric, judges, width=0.05, method="inputs", replicates=20)
    >>> found.needed, found.extrapolated
    (174, True)
    """
    if not 0 < width < 2:
        raise DataError(f"the width of an interval of a correlation is between 0 and 2, not {width}")
    check_share("confidence", confidence)
    pilot = checked_pilot(x, (), z, unit=unit, level=level, coefficient=coefficient, method=method, undefined=undefined)
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]

    def measure(pilot: Pilot, size: int, draws: int, rng: np.random.Generator) -> list[float]:
        found = pilot.sampled(size, draws, rng)[0]
        low, high = np.quantile(found[~np.isnan(found)], tails) if not np.isnan(found).all() else (0.0, math.nan)
        return [float(high - low) ** 2]

    study = _Study(pilot, measure, resamples, replicates, seed, workers, progress)
    return study.plan("width", width, lambda values: values[0], lambda value: value <= width)


def plan_power(
    x: ArrayLike,
    z: ArrayLike,
    *,
    y: ArrayLike | None = None,
    difference: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    test: PlannedTest = "permutation",
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
    """How many documents, systems or raters let a one-sided test find that x is better than y by `difference`.

    The difference is the pilot's own unless given. Without a y, a worse metric is made by adding noise to x until it
    is worse by `difference`. The found difference is taken as normal around the true one with the spread s(n) that
    resampling by `method` gives, and the test as rejecting above a bound: z(alpha) times the spread of swapped scores
    (permutation test) or times s(n) (bootstrap test).

    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 40))
    >>> metric, other = judges + rng.normal(size=(12, 40)), judges + 1.2 * rng.normal(size=(12, 40))
    >>> found = plan_power(metric, judges, y=other, difference=0.05, method="inputs", replicates=20)
    >>> found.needed
    190
    """
    from scipy.special import ndtr, ndtri

    check_choice("test", test, PlannedTest)
    check_share("alpha", alpha)
    if not 0.5 <= power < 1:
        raise DataError(f"the power to plan for is at least 0.5 and below 1, not {power}")
    others = () if y is None else (y,)
    pilot = checked_pilot(
        x, others, z, unit=unit, level=level, coefficient=coefficient, method=method, undefined=undefined
    )
    gap, told = _gap(pilot, difference)
    if y is None:
        pilot = with_twins(pilot, gap, seed)
    sure = float(-ndtri(alpha))

    def measure(pilot: Pilot, size: int, draws: int, rng: np.random.Generator) -> list[float]:
        of_x, *of_others = pilot.sampled(size, draws, rng)
        spread = float(np.mean([mean_square(of_x - of_other, centred=True) for of_other in of_others]))
        if test == "bootstrap":
            return [spread, spread]
        swapped = pilot.swapped(size, max(_FEWEST_DRAWS, draws // _COARSE), rng)
        return [spread, mean_square(swapped)]

    def reached(values: Sequence[float]) -> float:
        spread, null = values
        return float(ndtr((gap - sure * null) / spread)) if spread > 0 else 1.0

    study = _Study(pilot, measure, resamples, replicates, seed, workers, progress)
    return study.plan("power", power, reached, lambda value: value >= power, told)


def _gap(pilot: Pilot, difference: float | None) -> tuple[float, str]:
    """The difference to be found, and what to say about it."""
    if difference is not None:
        gap, told = difference, "" if pilot.others else "The worse metric is the first with noise, as none was given. "
    elif pilot.others:
        of_x, of_y = (pilot.correlation(table, pilot.judged) for table in (pilot.x, pilot.others[0]))
        gap = of_x - of_y
        told = f"The difference is the pilot's own, {gap:.3f}, which is uncertain itself. "
    else:
        raise DataError("say which difference is to be found, or give the other metric's scores")
    if not gap > 0:
        raise DataError(f"the difference to be found is above 0, not {gap:.3f}: x must be the better metric")
    return gap, told


def plan_raters(
    ratings: ArrayLike,
    *,
    reliability: float = 0.9,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: Resampling = "both",
    panels: int = 100,
    replicates: int = 100,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Plan:
    """How many raters of each summary make means that correlate so well with the means of as many other raters.

    `ratings` is systems x documents x raters, NaN where a rater is missing; raters need not be the same people
    throughout. The raters of each summary are split at random into two panels, and the correlation of the panels'
    means is carried to other sizes by Spearman and Brown's formula, n r / (1 + (n - 1) r).

    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(30, 50, 1))
    >>> plan_raters(quality + rng.normal(size=(30, 50, 4)), reliability=0.78, replicates=20).needed
    4
    """
    check_share("reliability", reliability)
    check_counts(panels=panels, replicates=replicates)
    pilot = checked_pilot(
        None, (), ratings, unit="raters", level=level, coefficient=coefficient, method=method, undefined=undefined
    )
    half = pilot.size // 2

    def work(number: int, rng: np.random.Generator) -> list[float]:
        if number:
            return [pilot.again(rng).agreement(half, -(-panels // _COARSE), rng)]
        return [pilot.agreement(size, panels, rng) for size in range(1, half + 1)]

    found, *again = in_trials(replicates + 1, work, seed=seed, workers=workers, progress=progress)
    if math.isnan(found[-1]):
        raise DataError("the raters' agreement is undefined: a panel of them gives all summaries the same rating")
    # The formula turned round: the reliability of one rater from the agreement of two panels.
    one, *others = (values[-1] / (half - (half - 1) * values[-1]) for values in (found, *again))
    curve = tuple(
        PlanPoint(size, value, size * one / (1 + (size - 1) * one)) for size, value in enumerate(found, start=1)
    )
    numbers = [_raters(value, reliability) for value in (one, *others) if not math.isnan(value)]
    told = "" if coefficient == "pearson" else "Spearman and Brown's formula is exact for Pearson only. "
    return _plan("reliability", reliability, pilot, numbers, curve, 1.0 if one > 0 else 0.0, told)


def _raters(one: float, target: float) -> float:
    """How many raters have the target reliability when one has this; infinitely many if it is not above 0."""
    # Rounding must not ask for one more.
    return max(1.0, math.ceil(target * (1 - one) / (one * (1 - target)) - 1e-9)) if one > 0 else math.inf


class _Study:
    """The fitted laws of a pilot, and of other pilots like it."""

    def __init__(
        self,
        pilot: Pilot,
        measure: Callable[[Pilot, int, int, np.random.Generator], list[float]],
        resamples: int,
        replicates: int,
        seed: int,
        workers: int,
        progress: Progress | None,
    ) -> None:
        """`measure(pilot, size, draws, rng)` gives squares, each of which follows a law."""
        check_counts(resamples=resamples, replicates=replicates)
        self.pilot, self.sizes = pilot, pilot.sizes

        def work(number: int, rng: np.random.Generator) -> tuple[FloatArray, list[Law | None]]:
            one = pilot.again(rng) if number else pilot
            draws = max(_FEWEST_DRAWS, resamples // _COARSE) if number else resamples
            # Raters see the same resamples, whatever their number: what those leave, the floor, must not vary.
            key = int(rng.integers(2**63))
            squares = np.array(
                [
                    measure(one, size, draws, np.random.default_rng(key) if one.unit == "raters" else rng)
                    for size in self.sizes
                ]
            )
            return squares, [fitted_law(one, self.sizes, column) for column in squares.T]

        (self.squares, laws), *rest = in_trials(replicates + 1, work, seed=seed, workers=workers, progress=progress)
        self.laws = [law for law in laws if law]
        if len(self.laws) < len(laws):
            raise DataError("the pilot is too small to plan from: resampled, its scores are often all the same")
        known = [[law for law in laws if law] for _, laws in rest]
        self.others = [laws for laws in known if len(laws) == len(self.laws)]

    def plan(
        self,
        goal: Goal,
        target: float,
        reached: Callable[[Sequence[float]], float],
        enough: Callable[[float], bool],
        told: str = "",
    ) -> Plan:
        """The smallest number for which what is reached, given the laws' values, is enough."""

        def at(laws: list[Law], size: int) -> float:
            return reached([law.at(size) for law in laws])

        def smallest(laws: list[Law]) -> float:
            if not enough(at(laws, _ENDLESS)):
                return math.inf
            low, high = FEWEST[self.pilot.unit] - 1, _ENDLESS
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if enough(at(laws, middle)) else (middle, high)
            return high

        curve = tuple(
            PlanPoint(size, reached(np.sqrt(row).tolist()), at(self.laws, size))
            for size, row in zip(self.sizes, self.squares, strict=True)
        )
        numbers = [smallest(laws) for laws in (self.laws, *self.others)]
        return _plan(goal, target, self.pilot, numbers, curve, at(self.laws, _ENDLESS), told)


def _plan(
    goal: Goal,
    target: float,
    pilot: Pilot,
    numbers: Sequence[float],
    curve: tuple[PlanPoint, ...],
    limit: float,
    told: str,
) -> Plan:
    """The plan when `numbers` are needed by the pilot (the first) and by other pilots like it."""
    needed, *_ = found = [int(number) if number < _ENDLESS else None for number in numbers]
    low, high = (found[place] for place in interval_places(np.minimum(numbers, _ENDLESS)))
    extrapolated = needed is not None and needed > _REACH * pilot.size
    caveats = told + _caveats(goal, pilot, needed, high, curve, limit)
    return Plan(
        goal,
        target,
        pilot.unit,
        needed,
        low,
        high,
        pilot.size,
        curve,
        limit,
        extrapolated,
        caveats,
        pilot.level,
        pilot.coefficient,
        pilot.method,
    )


def _caveats(
    goal: Goal, pilot: Pilot, needed: int | None, high: int | None, curve: Sequence[PlanPoint], limit: float
) -> str:
    unit, size = pilot.unit, pilot.size
    (_, systems), (_, documents) = pilot.axes
    told = {
        "documents": f"Documents to come are taken to be like the pilot's {size}.",
        "systems": f"Systems to come are taken to be like the pilot's {size}; closer ones are harder to rank.",
        "raters": f"Raters to come are taken to be like the pilot's {size} per summary.",
    }[unit]
    if needed is None:
        rest = {"documents": f"{systems} systems", "systems": f"{documents} documents"}
        other = rest.get(unit, f"{systems} systems and {documents} documents")
        told += f" No number of {unit} is enough: with endlessly many the {goal} would be {limit:.2f}"
        told += "." if goal == "reliability" else f", because there are {other}."
    elif needed > _REACH * size:
        told += f" {needed} is {needed / size:.0f} times the pilot: an extrapolation, to be checked with more data."
    if needed is not None and high is None:
        told += f" Another pilot of this size might say that no number of {unit} is enough."
    # A width in shares of itself; a power or a reliability is a share.
    misfit = max(abs(point.value - point.fitted) / (point.value or 1.0 if goal == "width" else 1.0) for point in curve)
    if misfit > _ALLOWED_MISFIT:
        told += f" The fitted curve is off by up to {misfit:.0%} where it was measured."
    return told
