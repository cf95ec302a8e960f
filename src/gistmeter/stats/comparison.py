"""All metrics against all: which agrees with the judges better than which (thesis Fig. 29 and 38)."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.hypothesis import permutation_test, share_as_extreme
from gistmeter.stats.multiple import holm
from gistmeter.stats.tables import check_choice, check_share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.stats.resampling.samples import Swapping
    from gistmeter.stats.tables import Coefficient, Level, Undefined

Correction = Literal["bonferroni-metric", "bonferroni-all", "holm", "none"]


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
    method: Swapping = "both",
    permutations: int = 1000,
    correction: Correction = "bonferroni-metric",
    alpha: float = 0.05,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
) -> MetricComparison:
    """One-sided permutation tests of every metric against every other, corrected for the number of tests.

    Both directions of a pair share their permutations.

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
        There are fewer than two metrics, a choice does not exist, or a number is out of its range.
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

    def test_pair(pair: tuple[int, int]) -> tuple[float, float]:
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
                permutations=permutations,
                undefined=undefined,
                seed=seed,
            )
        except DataError as error:
            raise DataError(f"{first} against {second}: {error}") from None
        return result.pvalue, share_as_extreme(result.samples, result.statistic, "less")

    pairs = list(itertools.combinations(range(len(names)), 2))
    with ThreadPoolExecutor(max(1, workers)) as pool:
        pair_pvalues = list(pool.map(test_pair, pairs))
    pvalues = np.full((len(names), len(names)), np.nan)
    for (first, second), (first_better, second_better) in zip(pairs, pair_pvalues, strict=True):
        pvalues[first, second], pvalues[second, first] = first_better, second_better
    return MetricComparison(
        names=names,
        values=values,
        pvalues=pvalues,
        adjusted=_correct_pvalues(pvalues, correction),
        alpha=alpha,
        correction=correction,
    )


def _correlation(
    name: str, scores: ArrayLike, z: ArrayLike, level: Level, coefficient: Coefficient, undefined: Undefined
) -> float:
    """A metric's correlation with the judges; an error names the metric."""
    try:
        return correlate(scores, z, level=level, coefficient=coefficient, undefined=undefined).value
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def _correct_pvalues(pvalues: FloatArray, correction: Correction) -> FloatArray:
    """P-values (metrics x metrics) after the correction for the number of tests."""
    count = len(pvalues)
    if correction == "holm":
        return holm(pvalues.ravel()).reshape(pvalues.shape)
    tests = {"none": 1, "bonferroni-metric": count - 1, "bonferroni-all": count * (count - 1)}[correction]
    return np.minimum(pvalues * tests, 1.0)
