"""How many documents, systems or raters let a test find a difference of two metrics, from a pilot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.planning.laws import mean_square
from gistmeter.stats.planning.pilot import Pilot, Unit, add_noisy_metrics, make_pilot
from gistmeter.stats.planning.plan import Target
from gistmeter.stats.planning.plan_sizes import PilotLaws, Trials
from gistmeter.stats.planning.studies.permutation_plans import PermutationTestPlan
from gistmeter.stats.planning.studies.simulated_studies import PermutationPlan, PlannedAlternative
from gistmeter.stats.resampling.samples import WHOLE_SYSTEMS, SwapMethod
from gistmeter.stats.tables import check_choice, check_share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.stats.planning.plan import Plan
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.resampling.trials import Progress
    from gistmeter.stats.tables import Coefficient, Level, Undefined

PlannedTest = Literal["permutation", "bootstrap"]


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
    143
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
    plan = PermutationTestPlan(
        pilot=pilot,
        gap=gap,
        target=target,
        test=PermutationPlan(swapping=swapping, alternative=alternative, alpha=alpha),
        given=difference is not None,
        trials=trials,
    )
    return plan.make()


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
