"""Intervals and tests for scores of systems, by resampling documents.

The score of a system is `pool(sums of its parts over documents)`, with the parts an array documents x parts.
For a mean the parts are the score and 1, and `pool` is `ratio`; corpus BLEU has n-gram counts and lengths for
parts. `pool` takes sums with the parts on the last axis, any axes before, and takes that last axis away.

A resample is then a weight for each document, and all resamples are one product: weights @ parts.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.resampling import draws

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    FloatArray: TypeAlias = NDArray[np.float64]
    BoolArray: TypeAlias = NDArray[np.bool_]
    Pool: TypeAlias = Callable[[FloatArray], FloatArray]

# Differences this close are ties: the same sum, added up in another order.
_TOLERANCE = 1e-12


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
    """Pool (score, count) parts into the mean; NaN where nothing was counted.

    >>> ratio(np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([0.75,  nan])
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(sums[..., 1] > 0, sums[..., 0] / sums[..., 1], np.nan)


def bootstrap_interval(
    parts: ArrayLike, pool: Pool, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> Intervals:
    """Percentile bootstrap intervals of the systems' scores; `parts` is systems x documents x parts.

    A resample takes the same documents for every system. Resamples whose score is NaN are left out.

    >>> scores = np.array([[0.1, 0.2, 0.3, 0.2], [0.4, 0.4, 0.4, 0.4]])
    >>> found = bootstrap_interval(np.stack([scores, np.ones_like(scores)], axis=-1), ratio)
    >>> found.value.round(3), found.low.round(3), found.high.round(3)
    (array([0.2, 0.4]), array([0.125, 0.4 ]), array([0.275, 0.4 ]))
    """
    checked = _finite_parts(parts, "systems x documents x parts")
    low, high = _percentiles(_bootstrap(checked, pool, resamples, seed), confidence)
    return Intervals(pool(checked.sum(axis=1)), low, high)


def bootstrap_difference(
    a: ArrayLike, b: ArrayLike, pool: Pool, *, resamples: int = 1000, confidence: float = 0.95, seed: int = 0
) -> Interval:
    """Percentile bootstrap interval of the score of `a` less that of `b`, both documents x parts, paired.

    >>> a, b = np.array([[0.5, 1], [0.7, 1], [0.6, 1]]), np.array([[0.3, 1], [0.5, 1], [0.4, 1]])
    >>> found = bootstrap_difference(a, b, ratio)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.2, 0.2, 0.2)
    """
    parts = _paired_parts(a, b)
    pooled = _bootstrap(parts, pool, resamples, seed)
    low, high = _percentiles(pooled[:, :1] - pooled[:, 1:], confidence)
    values = pool(parts.sum(axis=1))
    return Interval(float(values[0] - values[1]), float(low[0]), float(high[0]))


def permutation_pvalue(a: ArrayLike, b: ArrayLike, pool: Pool, *, permutations: int = 1000, seed: int = 0) -> float:
    """Two-sided paired test of no difference between `a` and `b`, both documents x parts.

    Approximate randomisation: for each document the two systems are swapped or not. The p-value is the share
    of permutations with a difference at least as large as the observed one, itself counted among them.

    With so few documents that there are at most `permutations` ways to swap, all of them are looked at and the
    p-value is exact. With 4 documents and one difference throughout, 2 of the 16 ways (all, none) are as extreme:

    >>> a = np.array([[0.5, 1], [0.7, 1], [0.6, 1], [0.8, 1]])
    >>> permutation_pvalue(a, a - [0.1, 0], ratio)
    0.125
    """
    parts = _paired_parts(a, b)
    everywhere = np.ones(parts.shape[:2], dtype=np.bool_)
    return float(_pairwise(parts, everywhere, pool, permutations, seed)[0, 1])


def pairwise_pvalues(parts: ArrayLike, pool: Pool, *, permutations: int = 1000, seed: int = 0) -> FloatArray:
    """The p-values of `permutation_pvalue` for all pairs, as systems x systems with NaN on the diagonal.

    A pair is tested on the documents that both systems have; one lacks a document when all its parts are 0.
    All pairs see the same swaps. The p-values are not corrected for their number (`holm` does that).

    >>> best = np.array([5.0, 6, 7, 6, 5, 6, 7, 8])
    >>> scores = np.stack([best, best, best - 4])
    >>> pairwise_pvalues(np.stack([scores, np.ones_like(scores)], axis=-1), ratio).round(2)
    array([[ nan, 1.  , 0.01],
           [1.  ,  nan, 0.01],
           [0.01, 0.01,  nan]])
    """
    checked = _finite_parts(parts, "systems x documents x parts")
    present: BoolArray = np.any(checked != 0, axis=-1)
    return _pairwise(checked, present, pool, permutations, seed)


def _finite_parts(parts: ArrayLike, layout: str) -> FloatArray:
    array = np.asarray(parts, dtype=np.float64)
    if array.ndim != layout.count(" x ") + 1:
        raise DataError(f"parts are {layout}, but the array has {array.ndim} dimensions")
    if 0 in array.shape:
        raise DataError(f"there is nothing to resample: the parts ({layout}) are {array.shape}")
    if not np.isfinite(array).all():
        raise DataError("parts must be finite; a missing document has 0 for all its parts")
    return array


def _paired_parts(a: ArrayLike, b: ArrayLike) -> FloatArray:
    first, second = (_finite_parts(side, "documents x parts") for side in (a, b))
    if first.shape != second.shape:
        raise DataError(f"paired parts must be of the same documents, not {first.shape} and {second.shape}")
    return np.stack([first, second])


def _bootstrap(parts: FloatArray, pool: Pool, resamples: int, seed: int) -> FloatArray:
    """The scores of every resample, resamples x systems."""
    systems, documents, kinds = parts.shape
    width = systems * kinds
    rng = np.random.default_rng(seed)
    pooled = []
    for count in draws.rounds(resamples, width, "resamples"):
        sums = np.zeros((count, width))
        for block, weights in draws.resamples(documents, count, width, rng):
            sums += weights @ parts[:, block].transpose(1, 0, 2).reshape(-1, width)
        pooled.append(pool(sums.reshape(count, systems, kinds)))
    return np.concatenate(pooled)


def _percentiles(pooled: FloatArray, confidence: float) -> FloatArray:
    """The lower and upper bounds (rows) of every column, NaN for a column without any value."""
    if not 0 < confidence < 1:
        raise DataError(f"confidence is between 0 and 1, such as 0.95, not {confidence}")
    tail = (1 - confidence) / 2
    missing = np.isnan(pooled)
    complete, partial = ~missing.any(axis=0), missing.any(axis=0) & ~missing.all(axis=0)
    bounds = np.full((2, pooled.shape[1]), np.nan)
    # The same numbers: numpy looks at columns with missing values one by one.
    bounds[:, complete] = np.quantile(pooled[:, complete], [tail, 1 - tail], axis=0)
    bounds[:, partial] = np.nanquantile(pooled[:, partial], [tail, 1 - tail], axis=0)
    return bounds


def _pairwise(parts: FloatArray, present: BoolArray, pool: Pool, permutations: int, seed: int) -> FloatArray:
    """The p-values of all pairs of systems, each on the documents that are present for both."""
    pvalues = np.full((len(parts), len(parts)), np.nan)
    if len(parts) < 2:
        return pvalues
    pairs = list(itertools.combinations(range(len(parts)), 2))
    views = _SharedViews(parts, present, pairs)
    totals = views.totals()
    scores = pool(totals)
    observed = np.array([scores[a] - scores[b] for a, b in views.sides])
    scale = np.array([max(1.0, abs(scores[a]), abs(scores[b])) for a, b in views.sides])
    bars = np.abs(observed) - _TOLERANCE * scale
    extreme = np.zeros(len(pairs), dtype=np.int64)
    rng = np.random.default_rng(seed)
    exact = views.documents < 64 and 2**views.documents <= permutations
    ways = 2**views.documents if exact else 0
    done = 0
    for count in draws.rounds(ways if exact else permutations, views.width, "permutations"):
        if exact:
            moved = views.swapped_sums(count, draws.all_swaps(views.documents, done, count))
        else:
            moved = views.swapped_sums(count, draws.swaps(views.documents, count, views.width, rng))
        done += count
        for pair, (a, b) in enumerate(views.sides):
            gained = moved[b] - moved[a]
            differences = np.abs(pool(totals[a] + gained) - pool(totals[b] - gained))
            # "not smaller" rather than "larger": a permutation without a score counts against the difference.
            extreme[pair] += np.count_nonzero(~(differences < bars[pair]))
    # "+1" keeps the test valid with few permutations (Phipson & Smyth, 2010); all ways include the observed one.
    shares = extreme / ways if exact else (extreme + 1) / (permutations + 1)
    found = np.where(np.isnan(observed), np.nan, shares)
    firsts, seconds = np.array(pairs).T
    pvalues[firsts, seconds] = pvalues[seconds, firsts] = found
    return pvalues


class _SharedViews:
    """The parts of each system on the documents it shares with another one.

    With complete data this is one view per system, and its swapped sums serve all pairs of that system.
    `sides` gives the two views of each pair.
    """

    def __init__(self, parts: FloatArray, present: BoolArray, pairs: list[tuple[int, int]]) -> None:
        self.parts, self.present = parts, present
        places: dict[tuple[int, bytes], int] = {}
        views: list[tuple[int, int]] = []
        self.sides: list[tuple[int, int]] = []
        for first, second in pairs:
            shared = np.packbits(present[first] & present[second]).tobytes()
            for system, other in ((first, second), (second, first)):
                if (system, shared) not in places:
                    places[system, shared] = len(views)
                    views.append((system, other))
            self.sides.append((places[first, shared], places[second, shared]))
        self.systems, self.others = np.array(views).T
        self.documents, self.kinds = parts.shape[1:]
        self.width = len(views) * self.kinds

    def totals(self) -> FloatArray:
        """The sums over all documents, views x parts."""
        sums = np.zeros(self.width)
        for block in draws.blocks(self.documents, self.width):
            sums += self._block(block).sum(axis=0)
        return sums.reshape(-1, self.kinds)

    def swapped_sums(self, count: int, drawn: draws.Weights) -> FloatArray:
        """The sums over the swapped documents of `count` permutations, views x permutations x parts."""
        sums = np.zeros((count, self.width))
        for block, swapped in drawn:
            sums += swapped @ self._block(block)
        return np.ascontiguousarray(sums.reshape(count, -1, self.kinds).transpose(1, 0, 2))

    def _block(self, block: slice) -> FloatArray:
        """A block of documents, documents x (views x parts)."""
        shared = self.present[self.systems, block] & self.present[self.others, block]
        chosen: FloatArray = self.parts[self.systems, block] * shared[..., None]
        return chosen.transpose(1, 0, 2).reshape(-1, self.width)
