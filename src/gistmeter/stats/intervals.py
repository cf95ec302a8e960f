"""Confidence intervals of correlations: the bootstrap by systems, inputs or both, and Fisher's transformation.

What is resampled says what may vary, and so what the interval holds for (Deutsch 2022, section 7.3.2):

    systems   other systems on these documents
    inputs    these systems on other documents
    both      other systems on other documents, the usual claim of a metric
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.resampling.draws import CELLS
from gistmeter.stats.resampling.samples import PairSampler, Resampling, in_blocks, observations, resample_counts
from gistmeter.stats.tables import OBSERVATIONS, check_choice, check_share, shared_cells, shared_systems

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.tables import Coefficient, Level, Undefined

IntervalKind = Literal["percentile", "bca"]

# b and c of the interval tanh(artanh r +- z c / sqrt(n - b)), Bonett and Wright (2000); thesis footnote 13.
_FISHER: dict[str, tuple[int, Callable[[float], float]]] = {
    "pearson": (3, lambda _: 1.0),
    "spearman": (3, lambda r: math.sqrt(1 + r * r / 2)),
    "kendall": (4, lambda _: math.sqrt(0.437)),
}


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

    `interval` is "percentile", as in the thesis, or "bca", corrected for bias and skewness (Efron, 1987). With
    `paired=False` the tables have documents of their own, resampled each for itself; that is for the system level.
    `undefined="error"` refuses undefined documents of the tables given; those that arise by chance in a
    resample are dropped. Any number of workers gives the same result.

    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(12, 30))
    >>> metric = judges + rng.normal(size=(12, 30))
    >>> found = bootstrap(metric, judges, level="summary", method="both")
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
    (0.68, 0.52, 0.75)
    """
    check_choice("method", method, Resampling)
    check_choice("interval", interval, IntervalKind)
    check_share("confidence", confidence)
    given = correlate(x, z, level=level, coefficient=coefficient, undefined=undefined, paired=paired)
    a, b = shared_cells(x, z) if paired else shared_systems(x, z)
    _count(a, b, level)
    check_resampling(method, len(a), min(a.shape[1], b.shape[1]))
    sampler = PairSampler(a, b, level=level, coefficient=coefficient, undefined=undefined)

    def block(draws: int, rng: np.random.Generator) -> FloatArray:
        return sampler.correlations(
            systems=None if method == "inputs" else resample_counts(len(a), draws, rng),
            documents=None if method == "systems" else resample_counts(a.shape[1], draws, rng),
            z_documents=None if paired or method == "systems" else resample_counts(b.shape[1], draws, rng),
        )

    samples = in_blocks(resamples, block, name="resamples", seed=seed, workers=workers)
    known = samples[~np.isnan(samples)]
    if not len(known):
        raise DataError(f"none of the {resamples} resamples has a correlation: their scores are all the same")
    tails = np.array([(1 - confidence) / 2, (1 + confidence) / 2])
    if interval == "bca":
        tails = _bca_tails(known, given.value, tails, _jackknives(sampler, method, a, b, paired))
    low, high = np.quantile(known, tails)
    if interval == "bca" and not low <= given.value <= high:
        below = np.mean(known < given.value)
        raise DataError(f"there is no BCa interval: {below:.0%} of the resamples lie below the value; use 'percentile'")
    lost = resamples - len(known)
    return CorrelationInterval(
        given.value, float(low), float(high), confidence, level, coefficient, interval, method, resamples, lost, known
    )


def check_resampling(method: Resampling, systems: int, documents: int) -> None:
    """Refuse to resample what there is too little of."""
    if method != "inputs" and systems < 3:
        raise DataError(f"resampling {method} needs at least 3 systems, but there are {systems}")
    if method != "systems" and documents < 2:
        raise DataError(f"resampling {method} needs at least 2 documents, but there is {documents}; use 'systems'")


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

    >>> metric, judges = np.arange(8.0).reshape(8, 1), np.array([[1.0, 0, 2, 4, 3, 5, 7, 6]]).T
    >>> found = fisher(metric, judges, level="system", coefficient="kendall")
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
    (0.79, 0.39, 0.94)
    """
    check_share("confidence", confidence)
    given = correlate(x, z, level=level, coefficient=coefficient, undefined=undefined, paired=paired)
    if coefficient not in _FISHER:
        raise DataError(f"Fisher's interval is for {', '.join(_FISHER)}, not {coefficient}; use the bootstrap")
    from scipy.special import ndtri

    spent, width = _FISHER[coefficient]
    a, b = shared_cells(x, z) if paired else shared_systems(x, z)
    n = _count(a, b, level)
    if n <= spent:
        things = OBSERVATIONS[level]
        raise DataError(f"Fisher's interval of {coefficient} needs more than {spent} {things}, but there are {n}")
    # A perfect correlation stays where it is: the transformation of 1 is infinite.
    centre = math.atanh(given.value) if abs(given.value) < 1 else math.copysign(math.inf, given.value)
    reach = float(ndtri((1 + confidence) / 2)) * width(given.value) / math.sqrt(n - spent)
    low, high = math.tanh(centre - reach), math.tanh(centre + reach)
    none = np.empty(0)
    return CorrelationInterval(given.value, low, high, confidence, level, coefficient, "fisher", None, 0, 0, none)


def _count(a: FloatArray, b: FloatArray, level: Level) -> int:
    """How many observations a correlation has; at system level the tables may have different documents."""
    if level == "system":
        scored = ~np.isnan(a).all(axis=1) & ~np.isnan(b).all(axis=1)
        a = np.where(scored, 1.0, np.nan)[:, None]
    return observations(a, level)


def _jackknives(
    sampler: PairSampler, method: Resampling, a: FloatArray, b: FloatArray, paired: bool
) -> list[FloatArray]:
    """The correlations without each system, without each document of x and, if they are others, of z."""
    found = []
    if method != "inputs":
        found.append(_without_each(len(a), lambda counts: sampler.correlations(systems=counts)))
    if method != "systems":
        full_x, full_z = np.ones((1, a.shape[1])), np.ones((1, b.shape[1]))

        def of_x(counts: FloatArray) -> FloatArray:
            return sampler.correlations(
                documents=counts, z_documents=None if paired else np.repeat(full_z, len(counts), axis=0)
            )

        def of_z(counts: FloatArray) -> FloatArray:
            return sampler.correlations(documents=np.repeat(full_x, len(counts), axis=0), z_documents=counts)

        found.append(_without_each(a.shape[1], of_x))
        if not paired:
            found.append(_without_each(b.shape[1], of_z))
    return found


def _without_each(size: int, correlations: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """The correlations with each of `size` things left out in turn, a few at a time."""
    few = max(1, CELLS // size)
    parts = []
    for start in range(0, size, few):
        places = np.arange(start, min(start + few, size))
        counts = np.ones((len(places), size))
        counts[np.arange(len(places)), places] = 0.0
        parts.append(correlations(counts))
    return np.concatenate(parts)


def _bca_tails(samples: FloatArray, value: float, tails: FloatArray, jackknives: list[FloatArray]) -> FloatArray:
    """Which quantiles of the samples bound the BCa interval (Efron, 1987; several factors as in scipy.stats)."""
    from scipy.special import ndtr, ndtri

    below = ((samples < value).sum() + (samples <= value).sum()) / 2 / len(samples)
    cubes = squares = 0.0
    for left in jackknives:
        known = left[~np.isnan(left)]
        influence = (len(known) - 1) * (known.mean() - known) / len(known) if len(known) else known
        cubes += float((influence**3).sum())
        squares += float((influence**2).sum())
    acceleration = cubes / (6 * squares**1.5) if squares > 0 else 0.0
    bias = ndtri(np.clip(below, 1 / (2 * len(samples)), 1 - 1 / (2 * len(samples))))
    moved = bias + ndtri(tails)
    return np.asarray(ndtr(bias + moved / (1 - acceleration * moved)))
