"""Plans for permutation tests, from studies like the pilot and like others of its kind."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.planning.pilot import MIN_SIZES
from gistmeter.stats.planning.plan import MAX_NEEDED, PlanPoint, find_smallest, make_plan
from gistmeter.stats.planning.studies.contributions import ContributionSimulator, find_contributions
from gistmeter.stats.planning.studies.power_laws import PowerLaw, fit_power_law
from gistmeter.stats.planning.studies.simulated_studies import StudySimulator
from gistmeter.stats.planning.studies.system_means import SystemMeansSimulator
from gistmeter.stats.resampling.samples import WHOLE_SYSTEMS
from gistmeter.stats.resampling.trials import run_trials
from gistmeter.stats.tables import check_counts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.stats.planning.pilot import Pilot
    from gistmeter.stats.planning.plan import Plan, Target
    from gistmeter.stats.planning.plan_sizes import Trials
    from gistmeter.stats.planning.studies.simulated_studies import Outcomes, PermutationPlan

_STUDY_DRAWS = 20
"""One simulated study takes the place of so many resamples."""
_MIN_STUDIES = 12
"""How many studies of a size are simulated at least."""
_OTHER_PILOT_STUDIES = 8
_SWAPS, _OTHER_PILOT_SWAPS = 199, 99
"""How often scores are swapped at least: in a study like the pilot, and in those like other pilots."""
_OTHER_PILOT_RATIOS = (1, 3)
"""The sizes of studies like another pilot, as multiples of it: few, as there are many pilots."""
_FREQUENT_SWAPS, _OTHER_PILOT_FREQUENT_SWAPS = 499, 199
_OTHER_PILOT_FREQUENT_STUDIES = 200
"""Where studies are numbers for each system, there are more of them, and swapped more often."""

_CORRECTING_PILOTS = 20
"""So many pilots drawn from the model of a pilot say by how much its power at system level is off."""


class PowerSource(Protocol):
    """Studies like a pilot."""

    def power_at(self, size: int) -> float:
        """The power of the test in studies in which the unit has that size."""


@dataclass(frozen=True, slots=True, eq=False)
class PermutationTestPlan:
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
        level, swapping = self.pilot.level, self.test.swapping
        if self.pilot.unit == "raters":
            return self._make_from_laws()
        if level == "summary" and swapping in WHOLE_SYSTEMS:
            return self._make_from_studies(self._contribution_studies())
        if level == "system" and swapping == "scaled-systems":
            return self._make_from_studies(self._system_mean_studies)
        return self._make_from_laws()

    def _make_from_laws(self) -> Plan:
        """The plan by laws of power over sizes, fitted to studies drawn summary by summary."""
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

    def _make_from_studies(self, draw: Callable[[int, np.random.Generator], Sequence[PowerSource]]) -> Plan:
        """The plan by studies that are simulated for each size anew.

        `draw` gives those like the pilot (number 0) or like another of its kind; none if x is not better in that.
        """
        least = self._least_size

        def power_at(sources: Sequence[PowerSource], size: int) -> float:
            return float(np.mean([source.power_at(size) for source in sources]))

        def work(number: int, rng: np.random.Generator) -> tuple[float, tuple[PlanPoint, ...], float]:
            """The number needed, and for the pilot itself the power at each size and that of endlessly many."""
            try:
                sources = draw(number, rng)
            except DataError:
                if not number:
                    raise
                return math.nan, (), 0.0
            if not sources:
                return math.inf, (), 0.0
            needed = find_smallest(lambda size: power_at(sources, size) >= self.target.value, least)
            if number:
                return needed, (), 0.0
            sizes = sorted({max(least, size) for size in self.pilot.sizes})
            powers = [power_at(sources, size) for size in sizes]
            points = (PlanPoint(size, power, power) for size, power in zip(sizes, powers, strict=True))
            return needed, tuple(points), power_at(sources, MAX_NEEDED)

        (_, curve, limit), *_ = outcomes = run_trials(
            self.trials.replicates + 1,
            work,
            seed=self.trials.seed,
            workers=self.trials.workers,
            progress=self.trials.progress,
        )
        numbers = [needed for needed, _, _ in outcomes if not math.isnan(needed)]
        return self._explain_least_size(make_plan(self.target, self.pilot, numbers=numbers, curve=curve, limit=limit))

    def _contribution_studies(self) -> Callable[[int, np.random.Generator], Sequence[PowerSource]]:
        """Studies made of what each system adds to the difference, at summary level."""
        pilot = self.pilot
        scaled = self.test.swapping == "scaled-systems"
        contributions = find_contributions(pilot, self.gap if self.given else None, scaled=scaled)

        def draw(number: int, rng: np.random.Generator) -> Sequence[PowerSource]:
            likewise, gap = contributions, self.gap
            if number:
                drawn = {axis: pilot.method in (axis, "both") for axis, _ in pilot.axes}
                likewise = [contributions[number % len(contributions)].resample(rng, **drawn)]
                gap = self.gap if self.given else likewise[0].difference
            studies, swaps = self._count_draws(number)
            seed = int(rng.integers(2**63))
            return [
                ContributionSimulator(each, gap, pilot, self.test, studies=studies, swaps=swaps, seed=seed)
                for each in likewise
                if gap > 0
            ]

        return draw

    def _system_mean_studies(self, number: int, rng: np.random.Generator) -> Sequence[PowerSource]:
        """Studies made of the means of systems, at system level."""
        pilot, gap = self.pilot, self.gap
        if number:
            pilot = self.pilot.resample(rng)
            gap = self.gap if self.given else pilot.own_difference
        studies, swaps = self._count_draws(number)
        seed = int(rng.integers(2**63))
        simulators = [
            SystemMeansSimulator.of(pilot, other, gap, self.test, studies=studies, swaps=swaps, seed=seed)
            for other in pilot.others
            if gap > 0
        ]
        return simulators if number else [simulator.correct_by(_CORRECTING_PILOTS) for simulator in simulators]

    def _count_draws(self, number: int) -> tuple[int, int]:
        """How many studies of a size are drawn, and how often each is swapped: fewer for pilots like the pilot."""
        studies, swaps = self.trials.resamples, _FREQUENT_SWAPS
        if number:
            studies, swaps = min(studies, _OTHER_PILOT_FREQUENT_STUDIES), _OTHER_PILOT_FREQUENT_SWAPS
        return studies, max(swaps, math.ceil(1 / self.test.alpha) - 1)

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
