"""Paired permutation tests of the means of systems: all pairs of systems, many scores at once.

`gistmeter.stats.pairwise_pvalues` tests any pooled score. The mean is the usual one, and allows for more: a permutation
moves the difference of two means by twice the difference of their sums over the swapped documents, so that a test is
one product of matrices and one comparison. The draws are those of `pairwise_pvalues`, and so are the p-values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.resampling import draws
from gistmeter.stats.ties import TIE_TOLERANCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from gistmeter.arrays import BoolArray, FloatArray, IntArray

    IndexArray = NDArray[np.intp]

_PARTS = 2
"""A mean has two parts, the score and the count: as many draws are taken at a time as for any score with two."""


def pairwise_mean_pvalues(
    scores: ArrayLike,
    *,
    permutations: int = 1000,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> FloatArray:
    """Two-sided paired permutation tests of no difference between the means of systems, for all pairs.

    Parameters
    ----------
    scores : array_like
        The scores of summaries, columns x systems x documents; NaN where a system lacks a document.
    permutations : int
        How many random permutations to draw. Where there are no more ways to swap, all of them are tried and the
        p-values are exact.
    seed : int
        The seed of the draws. All pairs and all columns see the same permutations.
    progress : callable, optional
        Called now and then with the share of the columns that are done.

    Returns
    -------
    array of float
        The p-values, columns x systems x systems: symmetric, NaN on the diagonal and for pairs without a common
        document. They are not corrected for their number (`gistmeter.stats.holm` does that).

    Raises
    ------
    ArgumentError
        There are no permutations.
    DataError
        The array does not have three dimensions, is empty or holds infinite values.

    Examples
    --------
    >>> best = np.array([5.0, 6, 7, 6, 5, 6, 7, 8])
    >>> pairwise_mean_pvalues([[best, best, best - 4]]).round(2)
    array([[[ nan, 1.  , 0.01],
            [1.  ,  nan, 0.01],
            [0.01, 0.01,  nan]]])
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 3:
        raise DataError(f"scores are columns x systems x documents, but the array has {values.ndim} dimensions")
    if 0 in values.shape:
        raise DataError(f"there is nothing to test: the scores (columns x systems x documents) are {values.shape}")
    if np.isinf(values).any():
        raise DataError("scores to test must be finite, or NaN where they are missing")
    present = ~np.isnan(values)
    pvalues = np.full((values.shape[0], values.shape[1], values.shape[1]), np.nan)
    if values.shape[1] < 2:
        return pvalues
    layouts = [pattern.tobytes() for pattern in np.packbits(present, axis=-1)]
    done = 0
    for layout in dict.fromkeys(layouts):
        columns = np.array([index for index, other in enumerate(layouts) if other == layout])
        pairs = _SystemPairs.on_shared_documents(present[columns[0]])
        filled = np.nan_to_num(values[columns])
        for first, second, tested in _test_columns(filled, pairs, permutations, seed):
            rows = columns[first:second, None]
            pvalues[rows, pairs.firsts, pairs.seconds] = tested
            pvalues[rows, pairs.seconds, pairs.firsts] = tested
            done += len(tested)
            if progress is not None:
                progress(done / len(values))
    return pvalues


@dataclass(frozen=True, slots=True, eq=False)
class _SystemPairs:
    """All pairs of systems, and the vectors over documents whose swapped sums tell their differences.

    Pairs that share the same documents share a vector for each system. A pair that is alone with its documents needs
    one vector only: the first system less the second.
    """

    present: FloatArray
    """Which system (rows) has which document: 1 or 0."""
    firsts: IndexArray
    seconds: IndexArray
    documents: IndexArray
    """How many documents each pair shares."""
    views: int
    """How many different pairs there are of a system and the documents it shares with another."""
    plus: IndexArray
    minus: IndexArray
    """For each vector, the system it holds and the system it subtracts (-1: none)."""
    masks: BoolArray
    """For each vector, the documents it is over."""
    lone_pairs: IndexArray
    lone_vectors: IndexArray
    """The pairs with a vector of their own, and these vectors."""
    joint_pairs: tuple[tuple[int, int, int], ...]
    """The other pairs, each with the vectors of its two systems."""

    @classmethod
    def on_shared_documents(cls, present: BoolArray) -> _SystemPairs:
        """Lay out the pairs of systems by the documents that both have; `present` is systems x documents."""
        firsts, seconds = np.triu_indices(len(present), 1)
        shared = present[firsts] & present[seconds]
        pairs_by_mask: dict[bytes, list[int]] = {}
        for pair, mask in enumerate(np.packbits(shared, axis=-1)):
            pairs_by_mask.setdefault(mask.tobytes(), []).append(pair)
        vectors: list[tuple[int, int, int]] = []  # the system, the one subtracted, a pair that shares the documents
        lone: list[tuple[int, int]] = []
        joint: list[tuple[int, int, int]] = []
        views = 0
        for pairs in pairs_by_mask.values():
            systems = sorted({int(side[pair]) for pair in pairs for side in (firsts, seconds)})
            views += len(systems)
            if len(pairs) == 1:
                lone.append((pairs[0], len(vectors)))
                vectors.append((int(firsts[pairs[0]]), int(seconds[pairs[0]]), pairs[0]))
                continue
            vector_of = {system: len(vectors) + index for index, system in enumerate(systems)}
            vectors += [(system, -1, pairs[0]) for system in systems]
            joint += [(pair, vector_of[int(firsts[pair])], vector_of[int(seconds[pair])]) for pair in pairs]
        plus, minus, example_pairs = np.array(vectors).T
        lone_pairs, lone_vectors = np.array(lone, dtype=np.intp).reshape(-1, 2).T
        return cls(
            present=present.astype(np.float64),
            firsts=firsts,
            seconds=seconds,
            documents=shared.sum(axis=1),
            views=views,
            plus=plus,
            minus=minus,
            masks=shared[example_pairs],
            lone_pairs=lone_pairs,
            lone_vectors=lone_vectors,
            joint_pairs=tuple(joint),
        )

    def vectors(self, values: FloatArray, block: slice) -> FloatArray:
        """The vectors of all columns on a block of documents, (columns x vectors) x documents of the block."""
        chosen = values[:, self.plus, block]
        subtracts = self.minus >= 0
        chosen[:, subtracts] -= values[:, self.minus[subtracts], block]
        return np.asarray(chosen * self.masks[:, block]).reshape(-1, chosen.shape[-1])

    def totals(self, values: FloatArray) -> FloatArray:
        """The sums of the vectors of all columns, (columns x vectors) x 1."""
        sums = np.zeros(len(values) * len(self.plus))
        for block in draws.split_rows(values.shape[-1], len(sums)):
            sums += self.vectors(values, block).sum(axis=-1)
        return sums[:, None]

    def thresholds(self, values: FloatArray) -> FloatArray:
        """How large a difference must be to count against a pair, columns x pairs; NaN where nothing is shared."""
        sums = values @ self.present.T  # of each system, on the documents of each other one
        with np.errstate(invalid="ignore", divide="ignore"):
            first = sums[:, self.firsts, self.seconds] / self.documents
            second = sums[:, self.seconds, self.firsts] / self.documents
        scale = np.maximum(1.0, np.maximum(np.abs(first), np.abs(second)))
        return np.asarray(np.abs(first - second) - TIE_TOLERANCE * scale)


def _test_columns(
    values: FloatArray, pairs: _SystemPairs, permutations: int, seed: int
) -> Iterator[tuple[int, int, FloatArray]]:
    """P-values (columns x pairs) of the columns from a first up to a second, as many together as memory allows."""
    documents = values.shape[-1]
    exact = documents < 64 and 2**documents <= permutations
    ways = 2**documents if exact else permutations
    width = pairs.views * _PARTS
    draw_counts = list(draws.split_draws(ways, width, "permutations"))
    batch_size = max(1, draws.MAX_CELLS // (max(draw_counts) * len(pairs.plus)))
    for first in range(0, len(values), batch_size):
        batch = values[first : first + batch_size]
        extreme = np.zeros((len(batch), len(pairs.firsts)), dtype=np.int64)
        thresholds = pairs.thresholds(batch)
        # The difference of means is 2 / documents times the sum over swapped documents less half of all.
        halves = pairs.totals(batch) / 2
        limits = thresholds * pairs.documents / 2
        rng = np.random.default_rng(seed)
        done = 0
        for count in draw_counts:
            if exact:
                drawn = draws.enumerate_swaps(documents, done, count)
            else:
                drawn = draws.draw_swaps(documents, count, width, rng)
            done += count
            sums = np.zeros((len(halves), count))
            for block, swapped in drawn:
                sums += pairs.vectors(batch, block) @ swapped.T
            sums -= halves
            _count_extreme(extreme, sums.reshape(len(batch), -1, count), pairs, limits)
        # "+1" keeps the test valid with few permutations (Phipson & Smyth, 2010); all ways include the observed one.
        shares = extreme / ways if exact else (extreme + 1) / (permutations + 1)
        yield first, first + len(batch), np.where(np.isnan(thresholds), np.nan, shares)


def _count_extreme(extreme: IntArray, sums: FloatArray, pairs: _SystemPairs, limits: FloatArray) -> None:
    """Count the permutations whose differences reach the limits; `sums` is columns x vectors x permutations."""
    moved = np.empty(sums.shape[-1])
    for column, of_vectors in enumerate(sums):
        for pair, first, second in pairs.joint_pairs:
            np.subtract(of_vectors[first], of_vectors[second], out=moved)
            np.abs(moved, out=moved)
            extreme[column, pair] += np.count_nonzero(moved >= limits[column, pair])
        if len(pairs.lone_pairs):
            reached = np.abs(of_vectors[pairs.lone_vectors]) >= limits[column, pairs.lone_pairs, None]
            extreme[column, pairs.lone_pairs] += np.count_nonzero(reached, axis=-1)
