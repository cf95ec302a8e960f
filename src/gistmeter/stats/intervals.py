"""Confidence intervals of correlations: the bootstrap by systems, documents or both, and Fisher's transformation.

What is resampled says what may vary, and so what the interval holds for (Deutsch 2022, section 7.3.2):

    systems    other systems on these documents
    documents  these systems on other documents (the thesis says "inputs")
    both       other systems on other documents, the usual claim of a metric
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.resampling.draws import MAX_CELLS
from gistmeter.stats.resampling.samples import PairSampler, Resampling, count_observations, draw_counts, run_in_blocks
from gistmeter.stats.tables import OBSERVATIONS, align_cells, align_systems, check_choice, check_share
from gistmeter.wording import there_are

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.tables import Coefficient, Level, Undefined

IntervalKind = Literal["percentile", "bca"]

_FISHER_CONSTANTS: dict[str, tuple[int, Callable[[float], float]]] = {
    "pearson": (3, lambda _: 1.0),
    "spearman": (3, lambda r: math.sqrt(1 + r * r / 2)),
    "kendall": (4, lambda _: math.sqrt(0.437)),
}
"""b and c of the interval tanh(artanh r +- z c / sqrt(n - b)), Bonett and Wright (2000); thesis footnote 13."""


@dataclass(frozen=True, slots=True)
class CorrelationInterval:
    """A correlation with its confidence interval, and how that was made."""

    value: float
    low: float
    high: float
    confidence: float
    level: Level
    coefficient: Coefficient
    interval: Literal["percentile", "bca", "fisher"]
    method: Resampling | None
    """What was resampled; None for Fisher's transformation."""
    resamples: int
    undefined: int
    """How many resamples had no correlation, their scores being constant; they are left out."""
    samples: FloatArray = field(repr=False, compare=False)
    """The correlations of the resamples that had one."""


def bootstrap(
    x: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: Resampling = "both",
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: IntervalKind = "percentile",
    undefined: Undefined = "drop",
    paired: bool = True,
    seed: int = 0,
    workers: int = 1,
) -> CorrelationInterval:
    """A bootstrap interval of the correlation of two tables, systems x documents.

    Parameters
    ----------
    x, z : array_like
        The two tables, such as a metric's scores and the judges'.
    level, coefficient, undefined
        Which correlation is taken, as in `correlate`. `undefined="error"` refuses undefined correlations of the tables
        given; those that arise by chance in a resample are dropped.
    method : {"systems", "documents", "both"}
        What is drawn anew, with replacement.
    resamples : int
        How many resamples are drawn.
    confidence : float
        How often intervals made this way should hold the true correlation.
    interval : {"percentile", "bca"}
        "percentile" is that of the thesis, "bca" is corrected for bias and skewness (Efron, 1987).
    paired : bool
        False if the tables have documents of their own; each table's are then resampled for themselves. This is for
        the system level alone.
    seed, workers : int
        The seed of the draws, and how many threads share them: any number of workers gives the same result.

    Returns
    -------
    CorrelationInterval

    Raises
    ------
    ArgumentError
        A choice does not exist, or a number is out of its range.
    DataError
        The tables are too small to resample, or the interval is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 30))
    >>> metric = judges + rng.normal(size=(12, 30))
    >>> result = bootstrap(metric, judges, level="summary", method="both")
    >>> round(result.value, 2), round(result.low, 2), round(result.high, 2)
    (0.68, 0.52, 0.75)
    """
    check_choice("method", method, Resampling)
    check_choice("interval", interval, IntervalKind)
    check_share("confidence", confidence)
    observed = correlate(x, z, level=level, coefficient=coefficient, undefined=undefined, paired=paired)
    a, b = align_cells(x, z) if paired else align_systems(x, z)
    _count_pair_observations(a, b, level)
    check_resampling(method, len(a), min(a.shape[1], b.shape[1]))
    sampler = PairSampler(a, b, level=level, coefficient=coefficient, undefined=undefined)

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        return sampler.correlations(
            systems=None if method == "documents" else draw_counts(len(a), draws, rng),
            documents=None if method == "systems" else draw_counts(a.shape[1], draws, rng),
            z_documents=None if paired or method == "systems" else draw_counts(b.shape[1], draws, rng),
        )

    samples = run_in_blocks(resamples, block, name="resamples", seed=seed, workers=workers)
    defined = samples[~np.isnan(samples)]
    if not len(defined):
        raise DataError(f"none of the {resamples} resamples has a correlation: their scores are all the same")
    tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    if interval == "bca":
        tails = _bca_tails(defined, observed.value, tails, _jackknives(sampler, method, a, b, paired))
    low, high = np.quantile(defined, tails)
    if interval == "bca" and not low <= observed.value <= high:
        below = np.mean(defined < observed.value)
        raise DataError(f"there is no BCa interval: {below:.0%} of the resamples lie below the value; use 'percentile'")
    return CorrelationInterval(
        value=observed.value,
        low=float(low),
        high=float(high),
        confidence=confidence,
        level=level,
        coefficient=coefficient,
        interval=interval,
        method=method,
        resamples=resamples,
        undefined=resamples - len(defined),
        samples=defined,
    )


def check_resampling(method: Resampling, systems: int, documents: int) -> None:
    """Refuse to resample what there is too little of."""
    if method != "documents" and systems < 3:
        raise DataError(f"resampling {method} needs at least 3 systems, but {there_are(systems)}")
    if method != "systems" and documents < 2:
        raise DataError(f"resampling {method} needs at least 2 documents, but {there_are(documents)}; use 'systems'")


def fisher(
    x: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    confidence: float = 0.95,
    undefined: Undefined = "drop",
    paired: bool = True,
) -> CorrelationInterval:
    """The interval by Fisher's transformation, for normal scores of many systems.

    At summary level it is applied to the mean correlation as if that were one of n systems, as in the thesis,
    which found it far too wide there (Table 19: it held 100% of held-out correlations). n is the number of
    observations of one correlation, the most of any.

    Parameters
    ----------
    x, z : array_like
        The two tables, systems x documents.
    level, coefficient, undefined, paired
        Which correlation is taken, as in `correlate`; "kendall-c" has no such interval.
    confidence : float
        How often such intervals should hold the true correlation.

    Returns
    -------
    CorrelationInterval
        With `interval` "fisher" and without resamples.

    Raises
    ------
    ArgumentError
        A choice does not exist, the coefficient has no such interval, or `confidence` is not between 0 and 1.
    DataError
        There are too few observations.

    Examples
    --------
    >>> metric, judges = np.arange(8.0).reshape(8, 1), np.array([[1.0, 0, 2, 4, 3, 5, 7, 6]]).T
    >>> result = fisher(metric, judges, level="system", coefficient="kendall")
    >>> round(result.value, 2), round(result.low, 2), round(result.high, 2)
    (0.79, 0.39, 0.94)
    """
    check_share("confidence", confidence)
    observed = correlate(x, z, level=level, coefficient=coefficient, undefined=undefined, paired=paired)
    if coefficient not in _FISHER_CONSTANTS:
        supported = ", ".join(_FISHER_CONSTANTS)
        raise ArgumentError(f"Fisher's interval is for {supported}, not {coefficient}; use the bootstrap")
    from scipy.special import ndtri

    lost_freedom, scale = _FISHER_CONSTANTS[coefficient]
    a, b = align_cells(x, z) if paired else align_systems(x, z)
    n = _count_pair_observations(a, b, level)
    if n <= lost_freedom:
        needed = f"more than {lost_freedom} {OBSERVATIONS[level]}"
        raise DataError(f"Fisher's interval of {coefficient} needs {needed}, but {there_are(n)}")
    value = observed.value
    # A perfect correlation stays where it is: the transformation of 1 is infinite.
    centre = math.atanh(value) if abs(value) < 1 else math.copysign(math.inf, value)
    half_width = float(ndtri((1 + confidence) / 2)) * scale(value) / math.sqrt(n - lost_freedom)
    return CorrelationInterval(
        value=value,
        low=math.tanh(centre - half_width),
        high=math.tanh(centre + half_width),
        confidence=confidence,
        level=level,
        coefficient=coefficient,
        interval="fisher",
        method=None,
        resamples=0,
        undefined=0,
        samples=np.empty(0),
    )


def _count_pair_observations(a: FloatArray, b: FloatArray, level: Level) -> int:
    """How many observations a correlation has; at system level the tables may have different documents."""
    if level == "system":
        scored = ~np.isnan(a).all(axis=1) & ~np.isnan(b).all(axis=1)
        a = np.where(scored, 1.0, np.nan)[:, None]
    return count_observations(a, level)


def _jackknives(
    sampler: PairSampler, method: Resampling, a: FloatArray, b: FloatArray, paired: bool
) -> list[FloatArray]:
    """The correlations without each system, without each document of x and, if they are others, of z."""
    jackknives = []
    if method != "documents":
        jackknives.append(_leave_each_out(len(a), lambda counts: sampler.correlations(systems=counts)))
    if method != "systems":
        full_x, full_z = np.ones((1, a.shape[1])), np.ones((1, b.shape[1]))

        def without_document_of_x(counts: FloatArray) -> FloatArray:
            return sampler.correlations(
                documents=counts, z_documents=None if paired else np.repeat(full_z, len(counts), axis=0)
            )

        def without_document_of_z(counts: FloatArray) -> FloatArray:
            return sampler.correlations(documents=np.repeat(full_x, len(counts), axis=0), z_documents=counts)

        jackknives.append(_leave_each_out(a.shape[1], without_document_of_x))
        if not paired:
            jackknives.append(_leave_each_out(b.shape[1], without_document_of_z))
    return jackknives


def _leave_each_out(size: int, correlations: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """The correlations with each of `size` systems or documents left out in turn, a few at a time."""
    batch_size = max(1, MAX_CELLS // size)
    parts = []
    for start in range(0, size, batch_size):
        left_out = np.arange(start, min(start + batch_size, size))
        counts = np.ones((len(left_out), size))
        counts[np.arange(len(left_out)), left_out] = 0.0
        parts.append(correlations(counts))
    return np.concatenate(parts)


def _bca_tails(samples: FloatArray, value: float, tails: FloatArray, jackknives: list[FloatArray]) -> FloatArray:
    """Which quantiles of the samples bound the BCa interval (Efron, 1987; several factors as in scipy.stats)."""
    from scipy.special import ndtr, ndtri

    below = ((samples < value).sum() + (samples <= value).sum()) / 2 / len(samples)
    cubes = squares = 0.0
    for jackknife in jackknives:
        values = jackknife[~np.isnan(jackknife)]
        influence = (len(values) - 1) * (values.mean() - values) / len(values) if len(values) else values
        cubes += float((influence**3).sum())
        squares += float((influence**2).sum())
    acceleration = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    bias = ndtri(np.clip(below, 1 / (2 * len(samples)), 1 - 1 / (2 * len(samples))))
    shifted = bias + ndtri(tails)
    return np.asarray(ndtr(bias + shifted / (1 - acceleration * shifted)))
