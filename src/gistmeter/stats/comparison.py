"""All metrics against all: which agrees with the judges better than which (thesis Fig. 29 and 38)."""

from __future__ import annotations

import itertools
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.hypothesis import permutation_test, share_as_extreme
from gistmeter.stats.multiple import holm
from gistmeter.stats.resampling.samples import WHOLE_SYSTEMS
from gistmeter.stats.system_effects import SystemEffects, system_effects
from gistmeter.stats.tables import align_cells, check_choice, check_counts, check_share, score_table
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.stats.resampling.samples import SwapMethod
    from gistmeter.stats.tables import Coefficient, Level, Undefined

Correction = Literal["bonferroni-metric", "bonferroni-all", "holm", "none"]

SYSTEMS_PVALUES = "; `systems p` is the p-value when whole systems are swapped (scaled-systems)"
"""What is said of p-values beside those of a method that ignores system effects."""
IGNORED_EFFECTS = (
    "Swapping by {method} supposes that they do not, and then finds differences between equally good metrics too "
    "often" + SYSTEMS_PVALUES
)
"""What is said of a method that ignores system effects."""


@dataclass(frozen=True, slots=True, eq=False)
class MetricComparison:
    """The tests of every metric against every other; rows are the metrics said to be better, columns the worse."""

    names: tuple[str, ...]
    values: FloatArray
    """Each metric's correlation with the judges."""
    pvalues: FloatArray
    """One-sided p-values of "the row metric is better", metrics x metrics, NaN on the diagonal."""
    adjusted: FloatArray
    """The p-values after the correction for the number of tests (`correction` says which)."""
    alpha: float
    correction: Correction
    method: SwapMethod
    permutations: int
    """How many permutations a test draws, which may be more than were asked for (`notes` says so)."""
    ways: int | None
    """How many ways to swap there are, if so few that each test takes them all; None if permutations were drawn."""
    seed: int
    effects: FloatArray
    """P-values of `system_effects` of each pair, metrics x metrics; NaN on the diagonal."""
    by_systems: FloatArray
    """The p-values when whole systems are swapped, for pairs with system effects whose summaries were swapped singly.

    They are NaN elsewhere, and not corrected.
    """
    notes: tuple[str, ...] = ()
    """What a reader should know: more permutations than asked for, or system effects that the method ignores."""

    @property
    def significant(self) -> BoolArray:
        """Where the row metric is better, after the correction (the orange frames of Fig. 29)."""
        return np.asarray(self.adjusted <= self.alpha)

    @property
    def significant_alone(self) -> BoolArray:
        """Where the row metric is better by the test itself, uncorrected (the blue squares of Fig. 29)."""
        return np.asarray(self.pvalues <= self.alpha)


def compare_all(
    metrics: Mapping[str, ArrayLike],
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: SwapMethod = "scaled-systems",
    permutations: int = 1000,
    correction: Correction = "bonferroni-metric",
    alpha: float = 0.05,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
) -> MetricComparison:
    """One-sided permutation tests of every metric against every other, corrected for the number of tests.

    Both directions of a pair share their permutations. Where so few permutations could give no p-value that is small
    enough after the correction, there are more of them. Pairs with system effects, which methods that swap single
    summaries or documents ignore, are also tested by swapping whole systems.

    Parameters
    ----------
    metrics : mapping of str to array_like
        The table of each metric, systems x documents, by name; at least two.
    z : array_like
        The judges' table of the same systems and documents.
    level, coefficient, method, permutations, undefined, seed
        As in `permutation_test`.
    correction : {"bonferroni-metric", "bonferroni-all", "holm", "none"}
        Whether p-values are corrected for the tests of one row metric (Fig. 29), for all tests of the table (Fig. 38),
        for all tests stepwise (`holm`), or not at all.
    alpha : float
        The corrected p-value up to which a metric counts as better.
    workers : int
        How many threads share the pairs of metrics, which does not change the result.

    Returns
    -------
    MetricComparison

    Raises
    ------
    ArgumentError
        There are fewer than two metrics, a choice does not exist, a number is out of its range, or there are too few
        ways to swap for any p-value to be small enough after the correction.
    DataError
        A metric cannot be compared; the message names it.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 30))
    >>> metrics = {f"noise {n}": judges + n * rng.normal(size=(12, 30)) for n in (1, 2, 8)}
    >>> compare_all(metrics, judges).significant
    array([[False,  True,  True],
           [False, False,  True],
           [False, False, False]])
    """
    check_choice("correction", correction, Correction)
    check_share("alpha", alpha)
    names = tuple(metrics)
    if len(names) < 2:
        raise ArgumentError(f"comparing metrics needs at least 2, but there is {len(names)}")
    values = np.array([_correlation(name, metrics[name], z, level, coefficient, undefined) for name in names])
    tests = _count_tests(len(names), correction)
    enough = choose_permutations(z, method, permutations, tests=tests, alpha=alpha)
    ways = _count_ways(z, method, at_most=enough)

    def run_test(pair: tuple[int, int], method: SwapMethod) -> tuple[float, float]:
        """The p-values of "the first is better" and of "the second is better"."""
        first, second = (names[index] for index in pair)
        try:
            result = permutation_test(
                metrics[first],
                metrics[second],
                z,
                level=level,
                coefficient=coefficient,
                method=method,
                alternative="greater",
                permutations=enough,
                undefined=undefined,
                seed=seed,
            )
        except DataError as error:
            raise DataError(f"{first} against {second}: {error}") from None
        return result.pvalue, share_as_extreme(result.samples, result.statistic, "less", exact=result.exact)

    def test_pair(pair: tuple[int, int]) -> tuple[tuple[float, float], float, tuple[float, float]]:
        """P-values of both directions, of system effects, and of both directions by swapping whole systems."""
        first, second = (metrics[names[index]] for index in pair)
        effects = pair_effects(first, second, z)
        suspicious = method not in WHOLE_SYSTEMS and effects is not None and effects.pvalue <= alpha
        by_systems = run_test(pair, "scaled-systems") if suspicious else (np.nan, np.nan)
        return run_test(pair, method), effects.pvalue if effects else np.nan, by_systems

    pairs = list(itertools.combinations(range(len(names)), 2))
    with ThreadPoolExecutor(max(1, workers)) as pool:
        outcomes = list(pool.map(test_pair, pairs))
    pvalues, effects, by_systems = np.full((3, len(names), len(names)), np.nan)
    for (first, second), (directions, of_effects, of_systems) in zip(pairs, outcomes, strict=True):
        pvalues[first, second], pvalues[second, first] = directions
        effects[first, second] = effects[second, first] = of_effects
        by_systems[first, second], by_systems[second, first] = of_systems
    return MetricComparison(
        names=names,
        values=values,
        pvalues=pvalues,
        adjusted=_correct_pvalues(pvalues, correction),
        alpha=alpha,
        correction=correction,
        method=method,
        permutations=enough,
        ways=ways,
        seed=seed,
        effects=effects,
        by_systems=by_systems,
        notes=(
            *(() if ways else note_permutations(permutations, enough, tests, alpha)),
            *_note_effects(int((~np.isnan(by_systems)).sum()) // 2, len(pairs), method),
        ),
    )


def pair_effects(x: ArrayLike, y: ArrayLike, z: ArrayLike) -> SystemEffects | None:
    """The system effects of two metrics on the summaries that have judgments; None where there are too few."""
    a, b, _ = align_cells(x, y, z)
    try:
        return system_effects(a, b)
    except DataError:
        return None


def choose_permutations(z: ArrayLike, method: SwapMethod, asked: int, *, tests: int, alpha: float) -> int:
    """As many permutations as asked for, or so many that the least p-value is half of what the correction asks for.

    Raises
    ------
    ArgumentError
        There are so few systems (or documents) to swap that no p-value can be small enough.
    """
    check_counts(permutations=asked)
    few = _describe_ways(z, method, tests=tests, alpha=alpha)
    if few and tests > 1:
        uncorrected_helps = _describe_ways(z, method, tests=1, alpha=alpha) is None
        more_units = f"score more {_count_swapped(z, method)[0]}"
        raise ArgumentError(
            f"{few}; {'compare fewer metrics, take `correction=none`' if uncorrected_helps else more_units}"
            ", or, if metrics favour no systems, `method=both`"
        )
    return raise_permutations(asked, tests=tests, alpha=alpha)


def raise_permutations(asked: int, *, tests: int, alpha: float) -> int:
    """As many permutations as asked for, or more if a p-value, corrected for so many tests, could not reach alpha.

    >>> raise_permutations(1000, tests=10, alpha=0.05), raise_permutations(1000, tests=66, alpha=0.05)
    (1000, 2640)
    """
    return asked if tests <= alpha * (asked + 1) else math.ceil(2 * tests / alpha)


def describe_few_ways(
    z: ArrayLike, method: SwapMethod, metrics: int, *, correction: Correction, alpha: float
) -> str | None:
    """Why no one-sided p-value of so many metrics can be significant, if there are too few systems to swap.

    >>> describe_few_ways(np.ones((3, 9)), "systems", 3, correction="bonferroni-metric", alpha=0.05)
    '3 systems can be swapped in 8 ways only: no p-value is below 0.12, and corrected for 2 tests none can reach ...'
    >>> describe_few_ways(np.ones((9, 9)), "systems", 3, correction="bonferroni-metric", alpha=0.05)
    """
    return _describe_ways(z, method, tests=_count_tests(metrics, correction), alpha=alpha)


def _describe_ways(z: ArrayLike, method: SwapMethod, *, tests: int, alpha: float) -> str | None:
    unit, count = _count_swapped(z, method)
    if unit is None or tests <= alpha * 2**count:
        return None
    corrected = f"corrected for {tests} tests " if tests > 1 else ""
    return (
        f"{count} {unit} can be swapped in {2**count} ways only: no p-value is below {1 / 2**count:.2g}, and "
        f"{corrected}none can reach alpha {alpha:g}"
    )


def _count_swapped(z: ArrayLike, method: SwapMethod) -> tuple[str | None, int]:
    """What a method swaps whole, systems or documents, and how many have judgments; None where it swaps neither."""
    unit = {"scaled-systems": "systems", "systems": "systems", "documents": "documents"}.get(method)
    present = ~np.isnan(score_table(z))
    return unit, int(present.any(axis=0 if unit == "documents" else 1).sum()) if unit else 0


def _count_ways(z: ArrayLike, method: SwapMethod, *, at_most: int) -> int | None:
    """How many ways to swap there are, if no more than so many."""
    unit, count = _count_swapped(z, method)
    return 2**count if unit and 2**count <= at_most else None


def note_permutations(asked: int, enough: int, tests: int, alpha: float) -> tuple[str, ...]:
    """What is said of more permutations than asked for; nothing if there are as many."""
    if enough == asked:
        return ()
    reason = f"with those no p-value, corrected for {tests} tests, could reach alpha {alpha:g}"
    return (f"{enough:,} permutations and not {asked:,}: {reason}",)


def _note_effects(count: int, pairs: int, method: SwapMethod) -> tuple[str, ...]:
    if not count:
        return ()
    effects = f"in {count} of {format_count(pairs, 'pair')} the metrics favour different systems (F test)"
    return (f"{effects}. {IGNORED_EFFECTS.format(method=method)}",)


def _correlation(
    name: str, scores: ArrayLike, z: ArrayLike, level: Level, coefficient: Coefficient, undefined: Undefined
) -> float:
    """A metric's correlation with the judges; an error names the metric."""
    try:
        return correlate(scores, z, level=level, coefficient=coefficient, undefined=undefined).value
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def _count_tests(metrics: int, correction: Correction) -> int:
    """How many tests a p-value is corrected for, at the most."""
    every = metrics * (metrics - 1)
    return {"none": 1, "bonferroni-metric": metrics - 1, "bonferroni-all": every, "holm": every}[correction]


def _correct_pvalues(pvalues: FloatArray, correction: Correction) -> FloatArray:
    """P-values (metrics x metrics) after the correction for the number of tests."""
    if correction == "holm":
        return holm(pvalues.ravel()).reshape(pvalues.shape)
    return np.minimum(pvalues * _count_tests(len(pvalues), correction), 1.0)
