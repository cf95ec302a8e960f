"""Bootstrap intervals of the scores of systems, by resampling documents.

The score of a system is `pool(sums of its parts over documents)`, with the parts an array documents x parts.
For a mean the parts are the score and 1, and `pool` is `ratio`; corpus BLEU has n-gram counts and lengths for
parts. `pool` takes sums with the parts on the last axis, any axes before, and takes that last axis away.

A resample is then a weight for each document, and all resamples are one product: weights @ parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.resampling import draws
from gistmeter.stats.tables import check_share

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

    Pool: TypeAlias = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """Values with their confidence intervals, one of each for every system."""

    value: FloatArray
    low: FloatArray
    high: FloatArray


def ratio(sums: FloatArray) -> FloatArray:
    """Pool (score, count) parts into the mean.

    Parameters
    ----------
    sums : array of float
        Sums of scores and sums of counts, the two on the last axis.

    Returns
    -------
    array of float
        The first over the second, without the last axis; NaN where nothing was counted.

    Raises
    ------
    DataError
        The last axis has fewer than two entries.

    Examples
    --------
    >>> ratio(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([0.75,  nan])
    """
    sums = np.asarray(sums)
    if sums.ndim == 0 or sums.shape[-1] < 2:
        raise DataError(f"sums of scores and of counts are the two entries of the last axis, but there is {sums.shape}")
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], np.nan)


def bootstrap_interval(
    parts: ArrayLike, pool: Pool, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> Intervals:
    """Percentile bootstrap intervals of the systems' scores.

    A resample takes the same documents for every system. Resamples whose score is NaN are left out.

    Parameters
    ----------
    parts : array_like
        The parts of the scores, systems x documents x parts; 0 for all parts of a missing document.
    pool : callable
        Makes a score from sums of parts over documents: it takes the last axis away. `ratio` makes means.
    resamples : int
        How many times the documents are drawn anew, with replacement.
    confidence : float
        How often such intervals should hold the true score.
    seed : int
        The seed of the draws.

    Returns
    -------
    Intervals
        The score of each system on all documents, and the ends of its interval.

    Raises
    ------
    ArgumentError
        A number is out of its range.
    DataError
        The parts have another shape, are empty, or are not finite.

    Examples
    --------
    >>> scores = np.array([[0.1, 0.2, 0.3, 0.2], [0.4, 0.4, 0.4, 0.4]])
    >>> intervals = bootstrap_interval(np.stack([scores, np.ones_like(scores)], axis=-1), ratio)
    >>> intervals.value.round(3), intervals.low.round(3), intervals.high.round(3)
    (array([0.2, 0.4]), array([0.125, 0.4 ]), array([0.275, 0.4 ]))
    """
    finite = finite_parts(parts, "systems x documents x parts")
    low, high = _percentiles(_bootstrap(finite, pool, resamples, seed), confidence)
    return Intervals(pool(finite.sum(axis=1)), low, high)


def bootstrap_difference(
    a: ArrayLike, b: ArrayLike, pool: Pool, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> Interval:
    """Percentile bootstrap interval of the score of one system less that of another, on the same documents.

    Parameters
    ----------
    a, b : array_like
        The parts of the two systems' scores, documents x parts.
    pool, resamples, confidence, seed
        As in `bootstrap_interval`.

    Returns
    -------
    Interval
        The difference on all documents, and the ends of its interval.

    Raises
    ------
    ArgumentError
        A number is out of its range.
    DataError
        The parts are not of the same documents, are empty, or are not finite.

    Examples
    --------
    >>> a, b = np.array([[0.5, 1], [0.7, 1], [0.6, 1]]), np.array([[0.3, 1], [0.5, 1], [0.4, 1]])
    >>> difference = bootstrap_difference(a, b, ratio)
    >>> round(difference.value, 3), round(difference.low, 3), round(difference.high, 3)
    (0.2, 0.2, 0.2)
    """
    parts = stack_pair(a, b)
    low, high = _percentiles(bootstrap_differences(a, b, pool, resamples=resamples, seed=seed)[:, None], confidence)
    values = pool(parts.sum(axis=1))
    return Interval(float(values[0] - values[1]), float(low[0]), float(high[0]))


def bootstrap_differences(a: ArrayLike, b: ArrayLike, pool: Pool, *, resamples: int, seed: int) -> FloatArray:
    """The difference of two systems' scores in every resample of the documents."""
    pooled = _bootstrap(stack_pair(a, b), pool, resamples, seed)
    return pooled[:, 0] - pooled[:, 1]


def finite_parts(parts: ArrayLike, layout: str) -> FloatArray:
    """The parts as an array; refused if it is not laid out so, empty, or not finite."""
    array = np.asarray(parts, dtype=np.float64)
    if array.ndim != layout.count(" x ") + 1:
        raise DataError(f"parts are {layout}, but the array has {array.ndim} dimensions")
    if 0 in array.shape:
        raise DataError(f"there is nothing to resample: the parts ({layout}) are {array.shape}")
    if not np.isfinite(array).all():
        raise DataError("parts must be finite; a missing document has 0 for all its parts")
    return array


def stack_pair(a: ArrayLike, b: ArrayLike) -> FloatArray:
    """The parts of two systems as one array, 2 x documents x parts."""
    first, second = (finite_parts(parts, "documents x parts") for parts in (a, b))
    if first.shape != second.shape:
        raise DataError(f"paired parts must be of the same documents, not {first.shape} and {second.shape}")
    return np.stack([first, second])


def _bootstrap(parts: FloatArray, pool: Pool, resamples: int, seed: int) -> FloatArray:
    """The scores of every resample, resamples x systems."""
    systems, documents, kinds = parts.shape
    width = systems * kinds
    rng = np.random.default_rng(seed)
    pooled = []
    for count in draws.split_draws(resamples, width, "resamples"):
        sums = np.zeros((count, width))
        for block, weights in draws.draw_resamples(documents, count, width, rng):
            sums += weights @ parts[:, block].transpose(1, 0, 2).reshape(-1, width)
        pooled.append(pool(sums.reshape(count, systems, kinds)))
    return np.concatenate(pooled)


def _percentiles(pooled: FloatArray, confidence: float) -> FloatArray:
    """The lower and upper bounds (rows) of every column, NaN for a column without any value."""
    check_share("confidence", confidence)
    tail = (1 - confidence) / 2
    missing = np.isnan(pooled)
    complete, partial = ~missing.any(axis=0), missing.any(axis=0) & ~missing.all(axis=0)
    bounds = np.full((2, pooled.shape[1]), np.nan)
    # The same numbers: numpy looks at columns with missing values one by one.
    bounds[:, complete] = np.quantile(pooled[:, complete], [tail, 1 - tail], axis=0)
    bounds[:, partial] = np.nanquantile(pooled[:, partial], [tail, 1 - tail], axis=0)
    return bounds
