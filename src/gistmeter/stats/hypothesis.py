"""Tests by permutation and by the bootstrap that one metric agrees with the judges better than another does.

All take the two metrics' tables x and y and the judges' z, systems x documents; a cell missing in one is left out of
all three. The statistic is the correlation of x with z less that of y with z.

What is swapped says what may vary (Deutsch 2022, section 7.4.2):

    scaled-systems  for each system, all its scores or none, the metrics being put on the scale of the correlation first
    systems         the same, with scores standardised over all cells, as are those below
    documents       for each document, the scores of all systems or none (the thesis says "inputs")
    both            each summary's scores, independently of all others: algorithm 2 of the thesis
    crossed         systems, then documents: what nlpstats 0.0.1 calls "both"

The last three suppose that a metric's errors on two summaries of a system have nothing to do with each other. Metrics
that favour whole systems, each its own, break that: two equally good ones are found to differ in up to three quarters
of data sets at a level of 5% (`system_effects` says whether to worry, docs/test-numbers.md how often).

Why scaled: standardised over cells, metrics of unequal noise have system means of unequal spread. Swapping "systems"
then mixes two scales, and finds little. The means (or the scores on each document, or their ranks) that
"scaled-systems" swaps have the same spread: swapping changes nothing but how well they agree with the judges.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.stats.correlation import correlate
from gistmeter.stats.intervals import check_resampling
from gistmeter.stats.resampling.samples import (
    PairSampler,
    Resampling,
    SwapMethod,
    SwapSampler,
    count_observations,
    draw_counts,
    run_in_blocks,
)
from gistmeter.stats.resampling.swap_marks import Swapping, draw_swap_marks, enumerate_swap_marks
from gistmeter.stats.tables import align_cells, check_choice, check_counts
from gistmeter.stats.ties import TIE_TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.tables import Coefficient, LabelCoefficient, Level, Undefined

Alternative = Literal["two-sided", "greater", "less"]


@dataclass(frozen=True, slots=True)
class TestResult:
    """Whether x agrees with the judges better than y does."""

    __test__ = False  # pytest would take it for a test case by its name

    pvalue: float
    statistic: float
    """The correlation of x with the judges less that of y."""
    of_x: float
    of_y: float
    alternative: Alternative
    test: Literal["permutation", "bootstrap", "williams"]
    level: Level
    coefficient: Coefficient | LabelCoefficient
    method: SwapMethod | None
    """What was swapped or resampled; None for Williams' test."""
    draws: int
    """How many permutations or resamples there were."""
    undefined: int
    """How many of them had no statistic, their scores being constant."""
    samples: FloatArray = field(repr=False, compare=False)
    """The statistics of the draws; NaN where there is none."""
    least: float = math.nan
    """The least p-value that so many permutations can give; NaN for other tests."""
    exact: bool = False
    """Whether all ways to swap were tried, there being no more than permutations were asked for."""


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: SwapMethod = "scaled-systems",
    alternative: Alternative = "two-sided",
    permutations: int = 1000,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
) -> TestResult:
    """Test by swapping the scores of x and y, which are put on one scale first.

    `method="both"` is algorithm 2 of the thesis. The default holds its level when metrics favour systems, too.

    Parameters
    ----------
    x, y, z : array_like
        The tables of the two metrics and of the judges, systems x documents.
    level, coefficient, undefined
        Which correlation with the judges is compared, as in `correlate`.
    method : {"scaled-systems", "systems", "documents", "both", "crossed"}
        What is swapped at random between the metrics; "both" is each summary for itself (see the module).
    alternative : {"two-sided", "greater", "less"}
        "greater" asks whether x is the better metric.
    permutations : int
        How many times the scores are swapped. If there are no more ways to swap systems (or documents) than this, all
        of them are tried and the p-value is exact.
    seed, workers : int
        The seed of the swaps, and how many threads share them: any number of workers gives the same result.

    Returns
    -------
    TestResult

    Raises
    ------
    ArgumentError
        A choice does not exist, or a number is out of its range.
    DataError
        The tables do not fit together, are too small, or a correlation is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 30))
    >>> good, poor = judges + rng.normal(size=(12, 30)), judges + 2 * rng.normal(size=(12, 30))
    >>> permutation_test(good, poor, judges, level="summary").pvalue
    0.001998...
    """
    check_choice("method", method, SwapMethod)
    check_choice("alternative", alternative, Alternative)
    check_counts(permutations=permutations)
    a, b, c = align_cells(x, y, z)
    of_x, of_y = (
        correlate(metric, c, level=level, coefficient=coefficient, undefined=undefined).value for metric in (a, b)
    )
    count_observations(c, level)
    scaled = method == "scaled-systems"
    sampler = SwapSampler(a, b, c, level=level, coefficient=coefficient, undefined=undefined, scaled=scaled)
    swapped: Swapping = "systems" if method == "scaled-systems" else method
    all_marks = enumerate_swap_marks(~np.isnan(c), swapped, at_most=permutations)

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        return _differences(sampler.correlations(draw_swap_marks(c.shape, draws, swapped, rng)))

    if all_marks is None:
        samples = run_in_blocks(permutations, block, name="permutations", seed=seed, workers=workers)
        least = 1 / (permutations + 1)
    else:
        samples = _differences(sampler.correlations(all_marks))
        # Swapping everything turns the difference round, so that two ways are as extreme.
        least = (2 if alternative == "two-sided" else 1) / len(samples)
    return TestResult(
        pvalue=share_as_extreme(samples, of_x - of_y, alternative, exact=all_marks is not None),
        statistic=of_x - of_y,
        of_x=of_x,
        of_y=of_y,
        alternative=alternative,
        test="permutation",
        level=level,
        coefficient=coefficient,
        method=method,
        draws=len(samples),
        undefined=int(np.isnan(samples).sum()),
        samples=samples,
        least=least,
        exact=all_marks is not None,
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

    Systems drawn anew ("systems", "both") are taken as drawn independently from those there might be, so that metrics
    may favour systems: the test keeps below its level, often far below. With "documents" alone the systems are the only
    ones of interest, and what a metric's favour for one of them adds is not counted as chance.

    Parameters
    ----------
    x, y, z : array_like
        The tables of the two metrics and of the judges, systems x documents.
    level, coefficient, undefined, alternative, seed, workers
        As in `permutation_test`.
    method : {"systems", "documents", "both"}
        What is drawn anew, with replacement.
    resamples : int
        How many resamples are drawn.

    Returns
    -------
    TestResult

    Raises
    ------
    ArgumentError
        A choice does not exist, or a number is out of its range.
    DataError
        The tables do not fit together, are too small to resample, or a correlation is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 30))
    >>> good, poor = judges + rng.normal(size=(12, 30)), judges + 2 * rng.normal(size=(12, 30))
    >>> round(bootstrap_test(good, poor, judges, level="summary").pvalue, 2)
    0.01
    """
    check_choice("method", method, Resampling)
    check_choice("alternative", alternative, Alternative)
    a, b, c = align_cells(x, y, z)
    of_x, of_y = (
        correlate(metric, c, level=level, coefficient=coefficient, undefined=undefined).value for metric in (a, b)
    )
    count_observations(c, level)
    check_resampling(method, *c.shape)
    samplers = [PairSampler(metric, c, level=level, coefficient=coefficient, undefined=undefined) for metric in (a, b)]

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        systems = None if method == "documents" else draw_counts(c.shape[0], draws, rng)
        documents = None if method == "systems" else draw_counts(c.shape[1], draws, rng)
        correlations = [sampler.correlations(systems=systems, documents=documents) for sampler in samplers]
        return _differences(np.stack(correlations, axis=1))

    samples = run_in_blocks(resamples, block, name="resamples", seed=seed, workers=workers)
    defined = samples[~np.isnan(samples)]
    return TestResult(
        pvalue=share_as_extreme(defined - (of_x - of_y), of_x - of_y, alternative),
        statistic=of_x - of_y,
        of_x=of_x,
        of_y=of_y,
        alternative=alternative,
        test="bootstrap",
        level=level,
        coefficient=coefficient,
        method=method,
        draws=resamples,
        undefined=resamples - len(defined),
        samples=samples,
    )


def share_as_extreme(samples: FloatArray, observed: float, alternative: Alternative, *, exact: bool = False) -> float:
    """The share of samples at least as extreme as the observed value, itself counted among them.

    With `exact` the samples are all there are, and the observed value is among them already.

    >>> share_as_extreme(np.array([-3.0, 0, 1, 2]), 2, "two-sided")
    0.6
    >>> share_as_extreme(np.array([-3.0, 0, 1, 2]), 2, "two-sided", exact=True)
    0.5
    """
    if alternative == "two-sided":
        samples, observed = np.abs(samples), abs(observed)
    elif alternative == "less":
        samples, observed = -samples, -observed
    # "not smaller" rather than "larger": a permutation without a statistic counts against the difference.
    extreme = int(np.count_nonzero(~(samples < observed - TIE_TOLERANCE)))
    if exact:
        return extreme / len(samples)
    # "+1" keeps the test valid with few permutations (Phipson & Smyth, 2010).
    return (extreme + 1) / (len(samples) + 1)


def _differences(correlations: FloatArray) -> FloatArray:
    """The first column less the second."""
    return np.asarray(correlations[:, 0] - correlations[:, 1])
