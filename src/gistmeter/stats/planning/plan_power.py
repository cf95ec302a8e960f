"""How many documents, systems or raters let a test find a difference of two metrics, from a pilot."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.planning.laws import mean_square
from gistmeter.stats.planning.pilot import MIN_SIZES, Pilot, Unit, add_noisy_metrics, make_pilot
from gistmeter.stats.planning.plan import MAX_NEEDED, PlanPoint, Target, find_smallest, make_plan
from gistmeter.stats.planning.plan_sizes import PilotLaws, Trials
from gistmeter.stats.planning.studies.contributions import ContributionSimulator, find_contributions
from gistmeter.stats.planning.studies.power_laws import PowerLaw, fit_power_law
from gistmeter.stats.planning.studies.simulated_studies import PermutationPlan, PlannedAlternative, StudySimulator
from gistmeter.stats.resampling.samples import WHOLE_SYSTEMS, SwapMethod
from gistmeter.stats.resampling.trials import run_trials
from gistmeter.stats.tables import check_choice, check_counts, check_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.stats.planning.plan import Plan
    from gistmeter.stats.planning.studies.simulated_studies import Outcomes
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.resampling.trials import Progress
    from gistmeter.stats.tables import Coefficient, Level, Undefined

PlannedTest = Literal["permutation", "bootstrap"]

_STUDY_DRAWS = 20
"""One simulated study takes the place of so many resamples."""
_MIN_STUDIES = 12
"""How many studies of a size are simulated at least."""
_OTHER_PILOT_STUDIES = 8
_SWAPS, _OTHER_PILOT_SWAPS = 199, 99
"""How often scores are swapped at least: in a study like the pilot, and in those like other pilots."""
_OTHER_PILOT_RATIOS = (1, 3)
"""The sizes of studies like another pilot, as multiples of it: few, as there are many pilots."""
_SIGN_SWAPS, _OTHER_PILOT_SIGN_SWAPS = 999, 199
_OTHER_PILOT_SIGN_STUDIES = 200
"""Where studies are a number for each system, there are more of them, and swapped more often."""


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

    For a permutation test, studies are simulated and tested. At summary level, if whole systems are swapped, they are
    made of what each system adds to the difference (`studies.contributions`). Otherwise studies of several sizes are
    drawn from a model of what systems, documents and single summaries add to scores, or from the pilot's own documents
    if its systems are the only ones of interest (`method="documents"`), and over sizes the power follows a law
    (`studies.power_laws`). The errors of x are made smaller and those of y larger (or the other way round) until a
    study of the pilot's size has the difference on average. For a bootstrap test the pilot is resampled by `method`,
    and the difference is taken as normal.

    docs/test-numbers.md has how far planned power is from that of simulated studies, on average over pilots and for
    single ones. `low` and `high` say how much the number needed depends on the pilot.

    Parameters
    ----------
    x : array_like
        The better metric's table, systems x documents.
    z : array_like
        The judges' table, as in `plan_width`.
    y : array_like, optional
        The worse metric's table. Without one, it is made by adding noise to x until it is worse by `difference`.
    difference : float, optional
        The difference of the correlations to be found, in studies of the pilot's size; the pilot's own if there is a
        `y` and none is given. The pilot's own is uncertain, and the interval of the plan says how much that matters.
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
        How many resamples the spread of the difference is measured on (bootstrap test). So many studies of each size
        are simulated for a permutation test, a twentieth where they are drawn summary by summary.

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
    204
    """
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
    trials = Trials(resamples=resamples, replicates=replicates, seed=seed, workers=workers, progress=progress)
    how = f"{test} test by {swapping}" if test == "permutation" else "bootstrap test"
    planned = f"Planned for a {alternative} {how} at alpha {alpha:g}. "
    target = Target("power", power, caveat + planned)
    if test == "bootstrap":
        return _plan_bootstrap_test(pilot, gap, target, alpha / 2 if alternative == "two-sided" else alpha, trials)
    if swapping in WHOLE_SYSTEMS and unit == "documents":
        _check_ways_to_swap(pilot.x.shape[0], alternative, alpha)
    plan = _PermutationTestPlan(
        pilot=pilot,
        gap=gap,
        target=target,
        test=PermutationPlan(swapping=swapping, alternative=alternative, alpha=alpha),
        given=difference is not None,
        trials=trials,
    )
    by_contributions = swapping in WHOLE_SYSTEMS and level == "summary" and unit != "raters"
    return plan.make_by_contributions() if by_contributions else plan.make()


def _plan_bootstrap_test(pilot: Pilot, gap: float, target: Target, tail: float, trials: Trials) -> Plan:
    """The plan for a bootstrap test with so much probability in a tail."""
    from scipy.special import ndtr, ndtri

    normal_bound = float(-ndtri(tail))

    def measure(pilot: Pilot, size: int, draws: int, rng: np.random.Generator) -> list[float]:
        of_x, *of_others = pilot.draw_correlations(size, draws, rng)
        return [float(np.mean([mean_square(of_x - of_other, centred=True) for of_other in of_others]))]

    def power_at(values: Sequence[float]) -> float:
        (spread,) = values
        return float(ndtr(gap / spread - normal_bound)) if spread > 0 else 1.0

    laws = PilotLaws(pilot, measure, trials)
    return laws.make_plan(target, power_at, lambda value: value >= target.value)


@dataclass(frozen=True, slots=True, eq=False)
class _PermutationTestPlan:
    """A plan to be made for a permutation test."""

    pilot: Pilot
    gap: float
    target: Target
    test: PermutationPlan
    given: bool
    """Whether the difference was given; otherwise another pilot has another."""
    trials: Trials

    def make(self) -> Plan:
        """The plan, from studies like the pilot and like others of its kind."""
        check_counts(resamples=self.trials.resamples, replicates=self.trials.replicates)
        pilot, least = self.pilot, self._least_size
        if self._swapped != pilot.unit and dict(pilot.axes)[self._swapped] < self.test.least_swapped:
            never = tuple(PlanPoint(size, 0.0, 0.0) for size in pilot.sizes)
            return make_plan(self.target, pilot, numbers=[math.inf], curve=never, limit=0.0)

        def work(number: int, rng: np.random.Generator) -> tuple[tuple[PlanPoint, ...], PowerLaw | None]:
            return self._simulate_like(pilot.resample(rng), rng) if number else self._simulate(rng, least)

        (curve, law), *others = run_trials(
            self.trials.replicates + 1,
            work,
            seed=self.trials.seed,
            workers=self.trials.workers,
            progress=self.trials.progress,
        )
        if law is None:
            raise DataError("the pilot is too small to plan from: in studies like it, metrics often do not differ")
        laws = [law, *(other for _, other in others if other)]
        numbers = [law.smallest_size(self.target.value, least) for law in laws]
        plan = make_plan(self.target, pilot, numbers=numbers, curve=curve, limit=law.power_at(MAX_NEEDED))
        return self._explain_least_size(plan)

    def make_by_contributions(self) -> Plan:
        """The plan, from what each system adds to the difference of the metrics."""
        check_counts(resamples=self.trials.resamples, replicates=self.trials.replicates)
        pilot, least = self.pilot, self._least_size
        scaled = self.test.swapping == "scaled-systems"
        contributions = find_contributions(pilot, self.gap if self.given else None, scaled=scaled)

        def simulate(number: int, rng: np.random.Generator) -> list[ContributionSimulator]:
            """Studies like the pilot (number 0) or like another of its kind; none if x is not better in that."""
            studies, swaps, gap, likewise = self.trials.resamples, _SIGN_SWAPS, self.gap, contributions
            if number:
                studies, swaps = min(studies, _OTHER_PILOT_SIGN_STUDIES), _OTHER_PILOT_SIGN_SWAPS
                drawn = {axis: pilot.method in (axis, "both") for axis, _ in pilot.axes}
                likewise = [contributions[number % len(contributions)].resample(rng, **drawn)]
                gap = self.gap if self.given else likewise[0].difference
            swaps = max(swaps, math.ceil(1 / self.test.alpha) - 1)
            seed = int(rng.integers(2**63))
            return [
                ContributionSimulator(each, gap, pilot, self.test, studies=studies, swaps=swaps, seed=seed)
                for each in likewise
                if gap > 0
            ]

        def power_at(simulators: Sequence[ContributionSimulator], size: int) -> float:
            return float(np.mean([simulator.power_at(size) for simulator in simulators]))

        def work(number: int, rng: np.random.Generator) -> tuple[float, tuple[PlanPoint, ...], float]:
            """The number needed, and for the pilot itself the power at each size and that of endlessly many."""
            simulators = simulate(number, rng)
            if not simulators:
                return math.inf, (), 0.0
            needed = find_smallest(lambda size: power_at(simulators, size) >= self.target.value, least)
            if number:
                return needed, (), 0.0
            sizes = sorted({max(least, size) for size in pilot.sizes})
            powers = [power_at(simulators, size) for size in sizes]
            points = (PlanPoint(size, power, power) for size, power in zip(sizes, powers, strict=True))
            return needed, tuple(points), power_at(simulators, MAX_NEEDED)

        (_, curve, limit), *_ = outcomes = run_trials(
            self.trials.replicates + 1,
            work,
            seed=self.trials.seed,
            workers=self.trials.workers,
            progress=self.trials.progress,
        )
        numbers = [needed for needed, _, _ in outcomes]
        return self._explain_least_size(make_plan(self.target, pilot, numbers=numbers, curve=curve, limit=limit))

    @property
    def _swapped(self) -> str:
        """What the test swaps whole, if anything."""
        return "documents" if self.test.swapping == "documents" else "systems"

    @property
    def _least_size(self) -> int:
        """The fewest of the unit with which the test can find anything."""
        least = MIN_SIZES[self.pilot.unit]
        return max(least, self.test.least_swapped) if self._swapped == self.pilot.unit else least

    def _explain_least_size(self, plan: Plan) -> Plan:
        """The plan, with a sentence on why it asks for no fewer, if it asks for the fewest there may be."""
        if plan.needed != self.test.least_swapped or self._swapped != plan.unit:
            return plan
        reason = f" Of fewer than {plan.needed} {plan.unit}, no p-value of this test is as low as {self.test.alpha:g}."
        return replace(plan, caveats=plan.caveats + reason)

    def _simulate(self, rng: np.random.Generator, least: int) -> tuple[tuple[PlanPoint, ...], PowerLaw | None]:
        """Studies like the pilot: the power at each size, and the law of it."""
        studies = max(_MIN_STUDIES, self.trials.resamples // _STUDY_DRAWS)
        sizes = sorted({max(least, size) for size in self.pilot.sizes})
        law, outcomes = self._fit(self.pilot, self.gap, sizes, studies, rng, swaps=_SWAPS)
        if law is None:
            return (), None
        points = zip(sizes, outcomes, strict=True)
        return tuple(PlanPoint(size, law.found_at(size, studied), law.power_at(size)) for size, studied in points), law

    def _simulate_like(self, pilot: Pilot, rng: np.random.Generator) -> tuple[tuple[PlanPoint, ...], PowerLaw | None]:
        """The law of studies like another pilot; None if it has none."""
        least = self.test.least_swapped
        try:
            gap = self.gap if self.given else pilot.own_difference
            if not gap > 0:
                return (), PowerLaw.never(pilot.size)
            ratios = range(1, pilot.size + 1) if pilot.unit == "raters" else _OTHER_PILOT_RATIOS
            sizes = [ratio if pilot.unit == "raters" else max(least, ratio * pilot.size) for ratio in ratios]
            return (), self._fit(pilot, gap, sizes, _OTHER_PILOT_STUDIES, rng, swaps=_OTHER_PILOT_SWAPS)[0]
        except DataError:
            return (), None

    def _fit(
        self, pilot: Pilot, gap: float, sizes: Sequence[int], studies: int, rng: np.random.Generator, *, swaps: int
    ) -> tuple[PowerLaw | None, list[Outcomes]]:
        """The law of studies like a pilot, and their outcomes at each size."""
        simulator = StudySimulator(pilot, gap, studies=studies, rng=rng)
        # Studies of all sizes share their systems, so that sizes differ by less chance.
        seeds = rng.integers(2**63, size=studies)
        swaps = max(swaps, math.ceil(1 / self.test.alpha) - 1)
        outcomes = [simulator.run(size, self.test, swaps=swaps, seeds=seeds) for size in sizes]
        return fit_power_law(simulator, gap, sizes, outcomes), outcomes


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
    gap = pilot.own_difference
    if not gap > 0:
        raise DataError(f"the difference to be found is above 0, not {gap:.3f}: x must be the better metric")
    return gap, f"The difference is the pilot's own, {gap:.3f}, which is uncertain itself. "
