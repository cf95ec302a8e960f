"""Tests that one metric agrees with the judges better than another does.

All take the two metrics' tables x and y and the judges' z, systems x documents; a cell missing in one is left out of
all three. The statistic is the correlation of x with z less that of y with z.

What is swapped says what may vary (Deutsch 2022, section 7.4.2):

    systems   for each system, all its scores or none
    inputs    for each document, the scores of all systems or none
    both      each summary's scores, independently of all others: algorithm 2 of the thesis, and the most powerful
    crossed   systems, then inputs: what nlpstats 0.0.1 calls "both"

All but "systems" suppose that a metric's errors on two summaries of a system have nothing to do with each other. Two
metrics that favour whole systems, each its own, break that: although equally good, "both" found one of them better in
a third (summary level) to a half (system level) of simulated data sets at a level of 5%, "systems" in 6%.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.intervals import check_resampling
from gistmeter.stats.resampling.samples import (
    PairSampler,
    Resampling,
    Swapping,
    SwapSampler,
    in_blocks,
    observations,
    resample_counts,
    swap_marks,
)
from gistmeter.stats.tables import check_choice, shared_cells

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.tables import Coefficient, Level, Undefined

Alternative = Literal["two-sided", "greater", "less"]

# Differences this close are ties: the same correlations, added up in another order.
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True)
class TestResult:
    """Whether x agrees with the judges better than y does."""

    __test__ = False  # no test case, whatever pytest makes of its name

    pvalue: float
    statistic: float
    """The correlation of x with the judges less that of y."""
    of_x: float
    of_y: float
    alternative: Alternative
    test: Literal["permutation", "bootstrap", "williams"]
    level: Level
    coefficient: Coefficient
    method: Swapping | None
    """What was swapped or resampled; None for Williams' test."""
    draws: int
    """How many permutations or resamples there were."""
    undefined: int
    """How many of them had no statistic, their scores being constant."""
    samples: FloatArray = field(repr=False, compare=False)
    """The statistics of the draws; NaN where there is none."""


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: Swapping = "both",
    alternative: Alternative = "two-sided",
    permutations: int = 1000,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
) -> TestResult:
    """Test by swapping the scores of x and y, which are standardised first (algorithm 2 of the thesis).

    `alternative="greater"` asks whether x is the better metric. Any number of workers gives the same result.

    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 30))
    >>> good, poor = judges + rng.normal(size=(12, 30)), judges + 2 * rng.normal(size=(12, 30))
    >>> permutation_test(good, poor, judges, level="summary").pvalue
    0.000999...
    """
    check_choice("method", method, Swapping)
    check_choice("alternative", alternative, Alternative)
    a, b, c = shared_cells(x, y, z)
    of_x, of_y = (correlate(one, c, level=level, coefficient=coefficient, undefined=undefined).value for one in (a, b))
    observations(c, level)
    sampler = SwapSampler(a, b, c, level=level, coefficient=coefficient, undefined=undefined)

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        return _differences(sampler.correlations(swap_marks(c.shape, draws, method, rng)))

    samples = in_blocks(permutations, block, name="permutations", seed=seed, workers=workers)
    return TestResult(
        pvalue=share_as_extreme(samples, of_x - of_y, alternative),
        statistic=of_x - of_y,
        of_x=of_x,
        of_y=of_y,
        alternative=alternative,
        test="permutation",
        level=level,
        coefficient=coefficient,
        method=method,
        draws=permutations,
        undefined=int(np.isnan(samples).sum()),
        samples=samples,
    )


def bootstrap_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: Resampling = "both",
    alternative: Alternative = "two-sided",
    resamples: int = 1000,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
) -> TestResult:
    """Test by resampling x, y and z in parallel: how often is a resample as far from the statistic as that is from 0?

    For "greater" these are the resamples with at least twice the statistic (Berg-Kirkpatrick et al., 2012), as in the
    thesis, which found less power than in the permutation test. Resamples without a statistic are left out.

    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 30))
    >>> good, poor = judges + rng.normal(size=(12, 30)), judges + 2 * rng.normal(size=(12, 30))
    >>> round(bootstrap_test(good, poor, judges, level="summary").pvalue, 2)
    0.01
    """
    check_choice("method", method, Resampling)
    check_choice("alternative", alternative, Alternative)
    a, b, c = shared_cells(x, y, z)
    of_x, of_y = (correlate(one, c, level=level, coefficient=coefficient, undefined=undefined).value for one in (a, b))
    observations(c, level)
    check_resampling(method, *c.shape)
    samplers = [PairSampler(one, c, level=level, coefficient=coefficient, undefined=undefined) for one in (a, b)]

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        systems = None if method == "inputs" else resample_counts(c.shape[0], draws, rng)
        documents = None if method == "systems" else resample_counts(c.shape[1], draws, rng)
        both = [one.correlations(systems=systems, documents=documents) for one in samplers]
        return _differences(np.stack(both, axis=1))

    samples = in_blocks(resamples, block, name="resamples", seed=seed, workers=workers)
    known = samples[~np.isnan(samples)]
    return TestResult(
        pvalue=share_as_extreme(known - (of_x - of_y), of_x - of_y, alternative),
        statistic=of_x - of_y,
        of_x=of_x,
        of_y=of_y,
        alternative=alternative,
        test="bootstrap",
        level=level,
        coefficient=coefficient,
        method=method,
        draws=resamples,
        undefined=resamples - len(known),
        samples=samples,
    )


def williams_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    alternative: Alternative = "two-sided",
    undefined: Undefined = "drop",
) -> TestResult:
    """Williams' test for two correlations that share z, for normal scores (eq. 7.7 of the thesis).

    At summary level it is applied to the mean correlations as if they were of n systems. Signs count: a metric that
    correlates negatively is worse than one that does not correlate (nlpstats compares without signs).

    >>> judges = np.array([[1.0], [2], [3], [4], [5], [6]])
    >>> good, poor = np.array([[1.0], [2], [3], [4], [6], [5]]), np.array([[3.0], [1], [6], [2], [5], [4]])
    >>> round(williams_test(good, poor, judges, level="system", alternative="greater").pvalue, 3)
    0.045
    """
    check_choice("alternative", alternative, Alternative)
    a, b, c = shared_cells(x, y, z)
    of_x, of_y, between = (
        correlate(one, other, level=level, coefficient=coefficient, undefined=undefined).value
        for one, other in ((a, c), (b, c), (a, b))
    )
    n = observations(c, level, at_least=4)
    return TestResult(
        pvalue=_williams_pvalue(of_x, of_y, between, n, alternative),
        statistic=of_x - of_y,
        of_x=of_x,
        of_y=of_y,
        alternative=alternative,
        test="williams",
        level=level,
        coefficient=coefficient,
        method=None,
        draws=0,
        undefined=0,
        samples=np.empty(0),
    )


def share_as_extreme(samples: FloatArray, observed: float, alternative: Alternative) -> float:
    """The share of samples at least as extreme as the observed value, itself counted among them.

    >>> share_as_extreme(np.array([-3.0, 0, 1, 2]), 2, "two-sided")
    0.6
    """
    if alternative == "two-sided":
        samples, observed = np.abs(samples), abs(observed)
    elif alternative == "less":
        samples, observed = -samples, -observed
    # "not smaller" rather than "larger": a permutation without a statistic counts against the difference.
    extreme = int(np.count_nonzero(~(samples < observed - _TOLERANCE)))
    # "+1" keeps the test valid with few permutations (Phipson & Smyth, 2010).
    return (extreme + 1) / (len(samples) + 1)


def _differences(correlations: FloatArray) -> FloatArray:
    return np.asarray(correlations[:, 0] - correlations[:, 1])


def _williams_pvalue(of_x: float, of_y: float, between: float, n: int, alternative: Alternative) -> float:
    from scipy.special import stdtr

    gap = of_x - of_y
    if abs(gap) <= _TOLERANCE:
        t = 0.0
    else:
        determinant = 1 - between**2 - of_x**2 - of_y**2 + 2 * between * of_x * of_y
        below = 2 * determinant * (n - 1) / (n - 3) + ((of_x + of_y) / 2) ** 2 * (1 - between) ** 3
        if below <= 0:
            # Means of correlations, and rank correlations, need not fit together as correlations do.
            raise DataError("Williams' test is undefined: the three correlations contradict each other")
        t = gap * math.sqrt((n - 1) * (1 + between) / below)
    if alternative == "two-sided":
        return float(2 * stdtr(n - 3, -abs(t)))
    return float(stdtr(n - 3, -t if alternative == "greater" else t))
