"""All metrics against all: which agrees with the judges better than which (thesis Fig. 29 and 38)."""

from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.hypothesis import permutation_test, share_as_extreme
from gistmeter.stats.multiple import holm
from gistmeter.stats.tables import check_choice, check_share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from gistmeter.arrays import FloatArray
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
    """One-sided, metrics x metrics, NaN on the diagonal."""
    adjusted: FloatArray
    """The same, corrected for their number."""
    alpha: float
    correction: Correction

    @property
    def significant(self) -> NDArray[np.bool_]:
        """Where the row metric is better, after the correction (the orange frames of Fig. 29)."""
        return np.asarray(self.adjusted <= self.alpha)

    @property
    def significant_alone(self) -> NDArray[np.bool_]:
        """Where it is by the test itself, uncorrected (the blue squares)."""
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
    """One-sided permutation tests of every metric against every other, corrected for their number.

    The corrections: "bonferroni-metric" for the tests of one row metric (Fig. 29), "bonferroni-all" for all tests of
    the table (Fig. 38), "holm" the same but stepwise, "none". Both directions of a pair share their permutations.

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
        raise DataError(f"comparing metrics needs at least 2, but there is {len(names)}")
    values = np.array([_value(name, metrics[name], z, level, coefficient, undefined) for name in names])

    def both_ways(pair: tuple[int, int]) -> tuple[float, float]:
        first, second = (names[place] for place in pair)
        try:
            found = permutation_test(
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
        return found.pvalue, share_as_extreme(found.samples, found.statistic, "less")

    pairs = list(itertools.combinations(range(len(names)), 2))
    with ThreadPoolExecutor(max(1, workers)) as pool:
        found = list(pool.map(both_ways, pairs))
    pvalues = np.full((len(names), len(names)), np.nan)
    for (first, second), (forth, back) in zip(pairs, found, strict=True):
        pvalues[first, second], pvalues[second, first] = forth, back
    return MetricComparison(names, values, pvalues, _corrected(pvalues, correction), alpha, correction)


def _value(
    name: str, scores: ArrayLike, z: ArrayLike, level: Level, coefficient: Coefficient, undefined: Undefined
) -> float:
    try:
        return correlate(scores, z, level=level, coefficient=coefficient, undefined=undefined).value
    except DataError as error:
        raise DataError(f"{name}: {error}") from None


def _corrected(pvalues: FloatArray, correction: Correction) -> FloatArray:
    count = len(pvalues)
    if correction == "holm":
        return holm(pvalues.ravel()).reshape(pvalues.shape)
    tests = {"none": 1, "bonferroni-metric": count - 1, "bonferroni-all": count * (count - 1)}[correction]
    return np.minimum(pvalues * tests, 1.0)
