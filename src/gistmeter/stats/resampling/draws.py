"""Random weights of documents: how often a resample draws each one, whether a permutation swaps it.

Weights come for a block of documents at a time (a slice, and an array draws x documents of the block), so
that memory stays small however many documents there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.stats.tables import check_counts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.arrays import FloatArray

    Weights = Iterator[tuple[slice, FloatArray]]

MAX_CELLS = 2**20
"""No intermediate array has many more cells than this (8 MB of floats)."""


def split_draws(total: int, width: int, name: str) -> Iterator[int]:
    """How many of `total` draws to take at a time when each makes `width` numbers; `name` is for the refusal of 0.

    >>> list(split_draws(2500, 2**10, "resamples"))
    [1024, 1024, 452]
    """
    check_counts(**{name: total})
    batch_size = max(1, MAX_CELLS // width)
    for done in range(0, total, batch_size):
        yield min(batch_size, total - done)


def split_rows(rows: int, width: int) -> Iterator[slice]:
    """The rows (documents, mostly) in blocks that fit into memory when each row makes `width` numbers.

    >>> list(split_rows(1500, 2**10))
    [slice(0, 1024, None), slice(1024, 1500, None)]
    """
    batch_size = max(1, MAX_CELLS // width)
    for start in range(0, rows, batch_size):
        yield slice(start, min(start + batch_size, rows))


def draw_resamples(documents: int, count: int, width: int, rng: np.random.Generator) -> Weights:
    """How often each document is drawn in each of `count` resamples of all documents, with replacement.

    A resample first says how many of its draws fall in a block, then where: together, one multinomial draw.

    >>> [weights.sum() for _, weights in draw_resamples(4, 2, 1, np.random.default_rng(0))]
    [np.float64(8.0)]
    """
    undrawn = np.full(count, documents)
    for block in split_rows(documents, max(count, width)):
        size = block.stop - block.start
        drawn = rng.binomial(undrawn, size / (documents - block.start))
        undrawn -= drawn
        cells = np.repeat(np.arange(count) * size, drawn)
        cells += rng.integers(size, size=len(cells))
        yield block, np.bincount(cells, minlength=count * size).reshape(count, size).astype(np.float64)


def enumerate_swaps(documents: int, start: int, count: int) -> Weights:
    """`count` of the 2 ** documents ways to swap or not, from number `start` on; way 0 swaps nothing.

    >>> [weights.tolist() for _, weights in enumerate_swaps(2, 1, 3)]
    [[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]]
    """
    ways = np.arange(start, start + count)[:, None]
    yield slice(0, documents), ((ways >> np.arange(documents)) & 1).astype(np.float64)


def draw_swaps(documents: int, count: int, width: int, rng: np.random.Generator) -> Weights:
    """Whether each document is swapped (1) or not (0) in each of `count` permutations.

    >>> [weights.shape for _, weights in draw_swaps(4, 2, 1, np.random.default_rng(0))]
    [(2, 4)]
    """
    for block in split_rows(documents, max(count, width)):
        shape = (count, block.stop - block.start)
        yield block, rng.integers(2, size=shape, dtype=np.bool_).astype(np.float64)
