"""Random weights of documents: how often a resample draws each one, whether a permutation swaps it.

Weights come for a block of documents at a time (a slice, and an array draws x documents of the block), so
that memory stays small however many documents there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Weights = Iterator[tuple[slice, NDArray[np.float64]]]

# No intermediate array has many more cells than this (8 MB of floats).
CELLS = 2**20


def rounds(total: int, width: int, name: str) -> Iterator[int]:
    """How many of `total` draws to take at a time, when each makes `width` numbers.

    >>> list(rounds(2500, 2**10, "resamples"))
    [1024, 1024, 452]
    """
    if total < 1:
        raise DataError(f"{name} must be at least 1, not {total}")
    most = max(1, CELLS // width)
    for done in range(0, total, most):
        yield min(most, total - done)


def blocks(documents: int, width: int) -> Iterator[slice]:
    """The documents in runs, when each makes `width` numbers.

    >>> list(blocks(1500, 2**10))
    [slice(0, 1024, None), slice(1024, 1500, None)]
    """
    most = max(1, CELLS // width)
    for start in range(0, documents, most):
        yield slice(start, min(start + most, documents))


def resamples(documents: int, count: int, width: int, rng: np.random.Generator) -> Weights:
    """How often each document is drawn in each of `count` resamples of all documents, with replacement.

    A resample first says how many of its draws fall in a block, then where: together, one multinomial draw.

    >>> [weights.sum() for _, weights in resamples(4, 2, 1, np.random.default_rng(0))]
    [np.float64(8.0)]
    """
    left = np.full(count, documents)
    for block in blocks(documents, max(count, width)):
        size = block.stop - block.start
        drawn = rng.binomial(left, size / (documents - block.start))
        left -= drawn
        cells = np.repeat(np.arange(count) * size, drawn)
        cells += rng.integers(size, size=len(cells))
        yield block, np.bincount(cells, minlength=count * size).reshape(count, size).astype(np.float64)


def all_swaps(documents: int, start: int, count: int) -> Weights:
    """`count` of the 2 ** documents ways to swap or not, from number `start` on; way 0 swaps nothing.

    >>> [weights.tolist() for _, weights in all_swaps(2, 1, 3)]
    [[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]
    """
    ways = np.arange(start, start + count)[:, None]
    yield slice(0, documents), ((ways >> np.arange(documents)) & 1).astype(np.float64)


def swaps(documents: int, count: int, width: int, rng: np.random.Generator) -> Weights:
    """Whether each document is swapped (1) or not (0) in each of `count` permutations.

    >>> [weights.shape for _, weights in swaps(4, 2, 1, np.random.default_rng(0))]
    [(2, 4)]
    """
    for block in blocks(documents, max(count, width)):
        shape = (count, block.stop - block.start)
        yield block, rng.integers(2, size=shape, dtype=np.bool_).astype(np.float64)
