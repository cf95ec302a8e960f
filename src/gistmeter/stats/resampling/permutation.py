"""Paired permutation tests of the scores of systems: for each document, two systems are swapped or not.

Scores are pooled from parts, as in `gistmeter.stats.resampling.pooling`.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.stats.resampling import draws
from gistmeter.stats.resampling.pooling import finite_parts, stack_pair
from gistmeter.stats.ties import TIE_TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.stats.resampling.pooling import Pool


def permutation_pvalue(a: ArrayLike, b: ArrayLike, pool: Pool, *, permutations: int = 1000, seed: int = 0) -> float:
    """Two-sided paired test of no difference between the scores of two systems.

    Approximate randomisation: for each document the two systems are swapped or not. The p-value is the share
    of permutations with a difference at least as large as the observed one, itself counted among them.

    Parameters
    ----------
    a, b : array_like
        The parts of the two systems' scores, documents x parts.
    pool : callable
        Makes a score from sums of parts, as in `bootstrap_interval`.
    permutations : int
        How many random permutations there are. With so few documents that there are at most this many ways to swap,
        each way is tried once and the p-value is exact.
    seed : int
        The seed of the permutations.

    Returns
    -------
    float
        The p-value; NaN if the difference is undefined.

    Raises
    ------
    ArgumentError
        There are no permutations.
    DataError
        The parts are not of the same documents, are empty, or are not finite.

    Examples
    --------
    With 4 documents and one difference throughout, 2 of the 16 ways to swap (all, none) are as extreme:

    >>> from gistmeter.stats import ratio
    >>> a = np.array([[0.5, 1], [0.7, 1], [0.6, 1], [0.8, 1]])
    >>> permutation_pvalue(a, a - [0.1, 0], ratio)
    0.125
    """
    parts = stack_pair(a, b)
    present = np.ones(parts.shape[:2], dtype=np.bool_)
    return float(_pairwise_pvalues(parts, present, pool, permutations, seed)[0, 1])


def pairwise_pvalues(parts: ArrayLike, pool: Pool, *, permutations: int = 1000, seed: int = 0) -> FloatArray:
    """The p-values of `permutation_pvalue` for all pairs of systems.

    A pair is tested on the documents that both systems have. All pairs see the same swaps. The p-values are not
    corrected for their number (`holm` does that).

    Parameters
    ----------
    parts : array_like
        The parts of the scores, systems x documents x parts. A system lacks a document when all its parts are 0.
    pool, permutations, seed
        As in `permutation_pvalue`.

    Returns
    -------
    array of float
        Systems x systems, symmetric, with NaN on the diagonal.

    Raises
    ------
    ArgumentError
        There are no permutations.
    DataError
        The parts have another shape, are empty, or are not finite.

    Examples
    --------
    >>> from gistmeter.stats import ratio
    >>> best = np.array([5.0, 6, 7, 6, 5, 6, 7, 8])
    >>> scores = np.stack([best, best, best - 4])
    >>> pairwise_pvalues(np.stack([scores, np.ones_like(scores)], axis=-1), ratio).round(2)
    array([[ nan, 1.  , 0.01],
           [1.  ,  nan, 0.01],
           [0.01, 0.01,  nan]])
    """
    finite = finite_parts(parts, "systems x documents x parts")
    present: BoolArray = np.any(finite != 0, axis=-1)
    return _pairwise_pvalues(finite, present, pool, permutations, seed)


def _pairwise_pvalues(parts: FloatArray, present: BoolArray, pool: Pool, permutations: int, seed: int) -> FloatArray:
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
    thresholds = np.abs(observed) - TIE_TOLERANCE * scale
    extreme = np.zeros(len(pairs), dtype=np.int64)
    rng = np.random.default_rng(seed)
    exact = views.documents < 64 and 2**views.documents <= permutations
    ways = 2**views.documents if exact else 0
    done = 0
    for count in draws.split_draws(ways if exact else permutations, views.width, "permutations"):
        if exact:
            moved = views.sum_swapped(count, draws.enumerate_swaps(views.documents, done, count))
        else:
            moved = views.sum_swapped(count, draws.draw_swaps(views.documents, count, views.width, rng))
        done += count
        for pair, (a, b) in enumerate(views.sides):
            gained = moved[b] - moved[a]
            differences = np.abs(pool(totals[a] + gained) - pool(totals[b] - gained))
            # "not smaller" rather than "larger": a permutation without a score counts against the difference.
            extreme[pair] += np.count_nonzero(~(differences < thresholds[pair]))
    # "+1" keeps the test valid with few permutations (Phipson & Smyth, 2010); all ways include the observed one.
    shares = extreme / ways if exact else (extreme + 1) / (permutations + 1)
    firsts, seconds = np.array(pairs).T
    pvalues[firsts, seconds] = pvalues[seconds, firsts] = np.where(np.isnan(observed), np.nan, shares)
    return pvalues


class _SharedViews:
    """The parts of each system on the documents it shares with another one.

    With complete data this is one view per system, and its swapped sums serve all pairs of that system.
    `sides` gives the two views of each pair.
    """

    def __init__(self, parts: FloatArray, present: BoolArray, pairs: list[tuple[int, int]]) -> None:
        self.parts, self.present = parts, present
        view_numbers: dict[tuple[int, bytes], int] = {}
        views: list[tuple[int, int]] = []
        self.sides: list[tuple[int, int]] = []
        for first, second in pairs:
            shared = np.packbits(present[first] & present[second]).tobytes()
            for system, other in ((first, second), (second, first)):
                if (system, shared) not in view_numbers:
                    view_numbers[system, shared] = len(views)
                    views.append((system, other))
            self.sides.append((view_numbers[first, shared], view_numbers[second, shared]))
        self.systems, self.others = np.array(views).T
        self.documents, self.kinds = parts.shape[1:]
        self.width = len(views) * self.kinds

    def totals(self) -> FloatArray:
        """The sums over all documents, views x parts."""
        sums = np.zeros(self.width)
        for block in draws.split_rows(self.documents, self.width):
            sums += self._block(block).sum(axis=0)
        return sums.reshape(-1, self.kinds)

    def sum_swapped(self, count: int, swaps: draws.Weights) -> FloatArray:
        """The sums over the swapped documents of `count` permutations, views x permutations x parts."""
        sums = np.zeros((count, self.width))
        for block, swapped in swaps:
            sums += swapped @ self._block(block)
        return np.ascontiguousarray(sums.reshape(count, -1, self.kinds).transpose(1, 0, 2))

    def _block(self, block: slice) -> FloatArray:
        """A block of documents, documents x (views x parts)."""
        shared = self.present[self.systems, block] & self.present[self.others, block]
        parts: FloatArray = self.parts[self.systems, block] * shared[..., None]
        return parts.transpose(1, 0, 2).reshape(-1, self.width)
