"""How much scores, rankings and correlations would change with other documents, or other references.

score_spread       the variance of each system's score over other documents (Deutsch 2022, Fig. 30)
ranking_stability  how alike two rankings by other documents are (Fig. 31)
width_change       the interval of a correlation when the metric scores all documents, not the judged ones (Fig. 32)
reference_curve    the correlation with fewer references (Fig. 35)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.intervals import IntervalKind, bootstrap
from gistmeter.stats.resampling.pooling import Interval
from gistmeter.stats.resampling.samples import PairSampler, Resampling, in_blocks, tally
from gistmeter.stats.resampling.trials import in_trials
from gistmeter.stats.tables import Coefficient, Level, Undefined, check_choice, check_share, means, scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.intervals import CorrelationInterval
    from gistmeter.stats.resampling.trials import Progress

Combination = Literal["mean", "max", "jackknife"]

_USUAL_SIZES = 10
_SMALLEST_SIZE = 10


@dataclass(frozen=True, slots=True, eq=False)
class ScoreSpread:
    """The bootstrap variance and interval of each system's mean for several numbers of documents."""

    value: FloatArray
    """The systems' means."""
    sizes: tuple[int, ...]
    variance: FloatArray
    """Sizes x systems."""
    low: FloatArray
    high: FloatArray
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


@dataclass(frozen=True, slots=True)
class ReferencePoint:
    """The correlation with a number of references, mean over random choices of them."""

    references: int
    value: float
    low: float
    """The ends of the 95% interval of that mean, which says how much is chance of the choice."""
    high: float
    trials: int


@dataclass(frozen=True, slots=True)
class ReferenceCurve:
    """The correlation for growing numbers of references."""

    points: tuple[ReferencePoint, ...]
    combine: Combination
    level: Level
    coefficient: Coefficient
    left_out: int
    """Documents with fewer references than the largest number asked for: they are in no point."""


def score_spread(
    x: ArrayLike,
    *,
    sizes: Sequence[int] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    workers: int = 1,
) -> ScoreSpread:
    """How far a system's mean score moves when as many documents as `sizes` say are drawn anew, with replacement.

    Without sizes it is as many as there are. All systems get the same documents.

    >>> found = score_spread([[0.0, 1, 0, 1], [2, 2, 2, 2]], sizes=[4, 100])
    >>> found.variance.round(3)  # of the first system, about 1/4 divided by the number of documents
    array([[0.069, 0.   ],
           [0.003, 0.   ]])
    """
    check_share("confidence", confidence)
    table = scores(x)
    checked = _sizes(sizes, table.shape[1], (table.shape[1],))
    present = ~np.isnan(table)
    if not present.any():
        raise DataError("there are no scores to resample")
    filled = np.where(present, table, 0.0)
    tail = (1 - confidence) / 2
    variance, low, high = np.full((3, len(checked), len(table)), np.nan)
    known = present.any(axis=1)
    for place, size in enumerate(checked):

        def block(draws: int, rng: np.random.Generator, size: int = size) -> FloatArray:
            counts = tally(rng.integers(table.shape[1], size=(draws, size)), table.shape[1])
            with np.errstate(invalid="ignore"):
                return np.asarray(counts @ filled.T / (counts @ present.T))

        drawn = in_blocks(resamples, block, name="resamples", seed=seed, workers=workers)[:, known]
        variance[place, known] = np.nanvar(drawn, axis=0)
        low[place, known], high[place, known] = np.nanquantile(drawn, [tail, 1 - tail], axis=0)
    return ScoreSpread(means(table), checked, variance, low, high, confidence)


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

    It is 1 when the ranking does not depend on the documents. Any number of workers gives the same result.

    >>> rng = np.random.default_rng(1)
    >>> table = rng.normal(size=(10, 1)) + 3 * rng.normal(size=(10, 50))
    >>> [round(point.mean, 2) for point in ranking_stability(table, sizes=[10, 50, 500]).points]
    [0.29, 0.6, 0.84]
    """
    check_choice("coefficient", coefficient, Coefficient)
    table = scores(x)
    correlate(table, table, level="system", coefficient=coefficient)
    documents = table.shape[1]
    fewest = min(_SMALLEST_SIZE, documents)
    usual = tuple(sorted({round(size) for size in np.linspace(fewest, documents, _USUAL_SIZES)}))
    checked = _sizes(sizes, documents, usual)
    sampler = PairSampler(table, table, level="system", coefficient=coefficient)
    points = []
    for done, size in enumerate(checked, start=1):

        def block(draws: int, rng: np.random.Generator, size: int = size) -> FloatArray:
            first, second = (tally(rng.integers(documents, size=(draws, size)), documents) for _ in range(2))
            return sampler.correlations(documents=first, z_documents=second)

        found = in_blocks(trials, block, name="trials", seed=seed, workers=workers)
        known = found[~np.isnan(found)]
        mean, deviation = (float(known.mean()), float(known.std())) if len(known) else (math.nan, math.nan)
        points.append(StabilityPoint(size, mean, deviation, trials - len(known)))
        if progress:
            progress(done, len(checked))
    return RankingStability(tuple(points), coefficient, trials)


def width_change(
    judged: ArrayLike,
    everything: ArrayLike,
    z: ArrayLike,
    *,
    coefficient: Coefficient = "kendall",
    method: Resampling = "inputs",
    resamples: int = 1000,
    confidence: float = 0.95,
    interval: IntervalKind = "percentile",
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
) -> WidthChange:
    """The interval of the system-level correlation with the metric's scores on the judged documents, and on all.

    `judged` and the judges' `z` are of the same documents, `everything` of the whole test set (eq. 8.3).

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


def reference_curve(
    by_reference: ArrayLike,
    z: ArrayLike,
    *,
    combine: Combination = "mean",
    sizes: Sequence[int] | None = None,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
    trials: int = 30,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> ReferenceCurve:
    """The correlation with the judges for each number of references, chosen at random for each document.

    `by_reference` is systems x documents x references: the metric's score against each reference alone, NaN where a
    document has fewer. `combine` says how several become one score: their mean, the best ("max"), or ROUGE's
    jackknife, the mean of the best when each reference is left out in turn.

    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(10, 20))
    >>> against = judges[:, :, None] + 2 * rng.normal(size=(10, 20, 4))
    >>> [(point.references, round(point.value, 2)) for point in reference_curve(against, judges).points]
    [(1, 0.4), (2, 0.52), (3, 0.62), (4, 0.68)]
    """
    check_choice("combine", combine, Combination)
    table, judges = np.array(by_reference, dtype=np.float64), scores(z)
    if table.ndim != 3 or table.shape[:2] != judges.shape:
        raise DataError(
            "scores by reference are systems x documents x references, of the judged systems and documents: "
            f"{' x '.join(map(str, judges.shape))} x references, not {' x '.join(map(str, table.shape))}"
        )
    if np.isinf(table).any():
        raise DataError("scores by reference must not be infinite; make them NaN to leave them out")
    available = np.any(~np.isnan(table), axis=0)
    checked = _sizes(sizes, table.shape[2], tuple(range(1, table.shape[2] + 1)), "references")
    if max(checked) > table.shape[2]:
        raise DataError(f"there are {table.shape[2]} references at most, not {max(checked)}")
    enough = available.sum(axis=1) >= max(checked)
    if not enough.any():
        raise DataError(f"no document has {max(checked)} references; ask for fewer")
    table, judges, available = table[:, enough], judges[:, enough], available[enough]

    def chosen(number: int, rng: np.random.Generator) -> float:
        size = checked[number // trials]
        keys = np.where(available, rng.random(available.shape), np.inf)
        places = np.argsort(keys, axis=1)[:, :size]
        picked = np.take_along_axis(table, places[None], axis=2)
        combined = _combined(picked, combine)
        return correlate(combined, judges, level=level, coefficient=coefficient, undefined=undefined).value

    values = in_trials(trials * len(checked), chosen, seed=seed, workers=workers, progress=progress)
    rows = np.array(values).reshape(len(checked), trials)
    points = []
    for size, row in zip(checked, rows, strict=True):
        mean = _mean_interval(row)
        points.append(ReferencePoint(size, mean.value, mean.low, mean.high, trials))
    return ReferenceCurve(tuple(points), combine, level, coefficient, int((~enough).sum()))


def _sizes(
    sizes: Sequence[int] | None, most: int, usual: tuple[int, ...], things: str = "documents"
) -> tuple[int, ...]:
    if not most:
        raise DataError(f"there are no {things}")
    found = usual if sizes is None else tuple(sizes)
    if not found or min(found) < 1:
        raise DataError(f"sizes are numbers of {things}, 1 or more, unlike {list(found)}")
    return found


def _combined(picked: FloatArray, combine: Combination) -> FloatArray:
    """One score from the scores against several references, the last axis."""
    if combine == "mean":
        return np.asarray(picked.mean(axis=2))
    best = np.asarray(picked.max(axis=2))
    size = picked.shape[2]
    if combine == "max" or size == 1:
        return best
    # Without the best reference the second best counts, without any other the best.
    second = np.sort(picked, axis=2)[:, :, -2]
    return np.asarray(((size - 1) * best + second) / size)


def _mean_interval(values: FloatArray) -> Interval:
    """The mean with its 95% interval by Student's t."""
    from scipy.special import stdtrit

    mean = float(values.mean())
    if len(values) < 2:
        return Interval(mean, math.nan, math.nan)
    reach = float(stdtrit(len(values) - 1, 0.975)) * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Interval(mean, mean - reach, mean + reach)
