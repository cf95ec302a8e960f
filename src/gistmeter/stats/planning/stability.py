"""How much scores, rankings and correlations would change with other documents.

score_spread       the variance of each system's score over other documents (Deutsch 2022, Fig. 30)
ranking_stability  how alike two rankings by other documents are (Fig. 31)
width_change       the interval of a correlation when the metric scores all documents, not the judged ones (Fig. 32)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.intervals import IntervalKind, bootstrap
from gistmeter.stats.resampling.samples import PairSampler, Resampling, run_in_blocks, tally
from gistmeter.stats.tables import Coefficient, Undefined, check_choice, check_share, score_table, system_means

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.intervals import CorrelationInterval
    from gistmeter.stats.resampling.trials import Progress

_CURVE_POINTS = 10
"""How many sizes a curve has, unless they are given."""
_MIN_CURVE_DOCUMENTS = 10
"""The smallest of these sizes, where there are so many documents."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSpread:
    """The bootstrap variance and interval of each system's mean for several numbers of documents."""

    value: FloatArray
    """The systems' means."""
    sizes: tuple[int, ...]
    variance: FloatArray
    """The variance of each system's mean, sizes x systems."""
    low: FloatArray
    """The lower ends of the intervals, sizes x systems."""
    high: FloatArray
    """The upper ends of the intervals, sizes x systems."""
    confidence: float

    @property
    def mean_variance(self) -> tuple[float, ...]:
        """The variance averaged over systems, for each size."""
        return tuple(float(np.nanmean(row)) for row in self.variance)


@dataclass(frozen=True, slots=True)
class StabilityPoint:
    """How alike two rankings are, each from `size` documents drawn anew."""

    size: int
    mean: float
    deviation: float
    undefined: int
    """Trials without a correlation, all systems having the same score."""


@dataclass(frozen=True, slots=True)
class RankingStability:
    """How alike two rankings of the systems are, the more documents the more."""

    points: tuple[StabilityPoint, ...]
    coefficient: Coefficient
    trials: int


@dataclass(frozen=True, slots=True)
class WidthChange:
    """The interval of a correlation with the metric's scores on judged and on all documents."""

    judged: CorrelationInterval
    everything: CorrelationInterval

    @property
    def narrowed(self) -> float:
        """By what share the interval got narrower."""
        before = self.judged.high - self.judged.low
        return 1 - (self.everything.high - self.everything.low) / before if before > 0 else math.nan


def score_spread(
    x: ArrayLike,
    *,
    sizes: Sequence[int] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    workers: int = 1,
) -> ScoreSpread:
    """How far a system's mean score moves when documents are drawn anew, the same for all systems.

    Parameters
    ----------
    x : array_like
        A table of scores, systems x documents, NaN where one is missing.
    sizes : sequence of int, optional
        How many documents are drawn, with replacement; as many as there are if none are given.
    resamples : int
        How many times they are drawn for each size.
    confidence : float
        The confidence of the intervals of the means.
    seed, workers : int
        The seed of the draws, and how many threads share them, which does not change the result.

    Returns
    -------
    ScoreSpread

    Raises
    ------
    ArgumentError
        A number is out of its range.
    DataError
        There are no scores, or they are not a table.

    Examples
    --------
    >>> spread = score_spread([[0.0, 1, 0, 1], [2, 2, 2, 2]], sizes=[4, 100])
    >>> spread.variance.round(3)  # of the first system, about 1/4 divided by the number of documents
    array([[0.069, 0.   ],
           [0.003, 0.   ]])
    """
    check_share("confidence", confidence)
    table = score_table(x)
    document_counts = choose_sizes(sizes, table.shape[1], (table.shape[1],))
    present = ~np.isnan(table)
    if not present.any():
        raise DataError("there are no scores to resample")
    filled = np.where(present, table, 0.0)
    tail = (1 - confidence) / 2
    variance, low, high = np.full((3, len(document_counts), len(table)), np.nan)
    scored = present.any(axis=1)
    for row, size in enumerate(document_counts):

        def block(draws: int, rng: np.random.Generator, size: int = size) -> FloatArray:
            counts = tally(rng.integers(table.shape[1], size=(draws, size)), table.shape[1])
            with np.errstate(invalid="ignore"):
                return np.asarray(counts @ filled.T / (counts @ present.T))

        means = run_in_blocks(resamples, block, name="resamples", seed=seed, workers=workers)[:, scored]
        variance[row, scored] = np.nanvar(means, axis=0)
        low[row, scored], high[row, scored] = np.nanquantile(means, [tail, 1 - tail], axis=0)
    return ScoreSpread(
        value=system_means(table), sizes=document_counts, variance=variance, low=low, high=high, confidence=confidence
    )


def ranking_stability(
    x: ArrayLike,
    *,
    sizes: Sequence[int] | None = None,
    coefficient: Coefficient = "kendall",
    trials: int = 1000,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> RankingStability:
    """Rank the systems by two samples of documents, drawn with replacement, and correlate the rankings.

    The correlation is 1 when the ranking does not depend on the documents.

    Parameters
    ----------
    x : array_like
        A table of scores, systems x documents.
    sizes : sequence of int, optional
        How many documents a sample has; ten numbers from 10 to all of them if none are given.
    coefficient : {"pearson", "spearman", "kendall", "kendall-c"}
        Which correlation of the systems' means is taken.
    trials : int
        How many pairs of samples are drawn for each size.
    seed, workers : int
        The seed of the draws, and how many threads share them: any number of workers gives the same result.
    progress : callable, optional
        Called as `progress(done, total)` after each size.

    Returns
    -------
    RankingStability

    Raises
    ------
    ArgumentError
        The coefficient does not exist, or a number is out of its range.
    DataError
        The systems cannot be ranked.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> table = rng.normal(size=(10, 1)) + 3 * rng.normal(size=(10, 50))
    >>> [round(point.mean, 2) for point in ranking_stability(table, sizes=[10, 50, 500]).points]
    [0.29, 0.6, 0.84]
    """
    check_choice("coefficient", coefficient, Coefficient)
    table = score_table(x)
    correlate(table, table, level="system", coefficient=coefficient)
    documents = table.shape[1]
    first_size = min(_MIN_CURVE_DOCUMENTS, documents)
    default_sizes = tuple(sorted({round(size) for size in np.linspace(first_size, documents, _CURVE_POINTS)}))
    sample_sizes = choose_sizes(sizes, documents, default_sizes)
    sampler = PairSampler(table, table, level="system", coefficient=coefficient)
    points = []
    for done, size in enumerate(sample_sizes, start=1):

        def block(draws: int, rng: np.random.Generator, size: int = size) -> FloatArray:
            first, second = (tally(rng.integers(documents, size=(draws, size)), documents) for _ in range(2))
            return sampler.correlations(documents=first, z_documents=second)

        samples = run_in_blocks(trials, block, name="trials", seed=seed, workers=workers)
        defined = samples[~np.isnan(samples)]
        mean, deviation = (float(defined.mean()), float(defined.std())) if len(defined) else (math.nan, math.nan)
        points.append(StabilityPoint(size, mean=mean, deviation=deviation, undefined=trials - len(defined)))
        if progress:
            progress(done, len(sample_sizes))
    return RankingStability(tuple(points), coefficient, trials)


def width_change(
    judged: ArrayLike,
    everything: ArrayLike,
    z: ArrayLike,
    *,
    coefficient: Coefficient = "kendall",
    method: Resampling = "documents",
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: IntervalKind = "percentile",
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
) -> WidthChange:
    """The interval of the system-level correlation with the metric's scores on the judged documents, and on all.

    Parameters
    ----------
    judged : array_like
        The metric's table of the judged documents, systems x documents.
    everything : array_like
        The metric's table of the whole test set (eq. 8.3).
    z : array_like
        The judges' table, of the same documents as `judged`.
    coefficient, method, resamples, confidence, interval, undefined, seed, workers
        As in `bootstrap`.

    Returns
    -------
    WidthChange

    Raises
    ------
    ArgumentError
        A choice does not exist, or a number is out of its range.
    DataError
        The tables do not fit together, or are too small to resample.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(12, 1))
    >>> judges = quality + rng.normal(size=(12, 40))
    >>> metric = quality + 4 * rng.normal(size=(12, 1000))
    >>> width_change(metric[:, :40], metric, judges).narrowed > 0.1
    True
    """
    first, second = (
        bootstrap(
            metric,
            z,
            level="system",
            coefficient=coefficient,
            method=method,
            resamples=resamples,
            confidence=confidence,
            interval=interval,
            undefined=undefined,
            paired=paired,
            seed=seed,
            workers=workers,
        )
        for metric, paired in ((judged, True), (everything, False))
    )
    return WidthChange(first, second)


def choose_sizes(
    sizes: Sequence[int] | None, available: int, default: tuple[int, ...], unit: str = "documents"
) -> tuple[int, ...]:
    """The sizes asked for, or the default; refused if they are below 1 or nothing is available."""
    if not available:
        raise DataError(f"there are no {unit}")
    chosen = default if sizes is None else tuple(sizes)
    if not chosen or min(chosen) < 1:
        raise ArgumentError(f"sizes are numbers of {unit}, 1 or more, unlike {list(chosen)}")
    return chosen
