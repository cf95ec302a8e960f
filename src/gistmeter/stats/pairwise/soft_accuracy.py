"""How alike a metric and people are in how sure they are of the order of two systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.pairwise.pairs import pair_indices
from gistmeter.stats.resampling import draws
from gistmeter.stats.tables import align_cells, check_choice
from gistmeter.stats.ties import tie_width

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

NullTies = Literal["count", "half"]


@dataclass(frozen=True, slots=True)
class SoftAccuracy:
    """1 less the mean difference of the metric's and people's p-values over pairs of systems."""

    value: float
    pairs: int
    """How many pairs of systems were compared."""
    permutations: int
    """How many ways to swap documents the p-values rest on."""
    missing: int
    """Cells left out of both tables, being NaN in at least one."""


def soft_accuracy(
    x: ArrayLike, z: ArrayLike, *, permutations: int = 1000, ties: NullTies = "count", seed: int = 0
) -> SoftAccuracy:
    """Soft pairwise accuracy (Thompson, Mathur, Deutsch and Khayrallah, WMT 2024): 1 - mean |p_metric - p_human|.

    For a pair of systems p is the one-sided p-value of "the first is better": the share of random swaps of the
    two systems, document by document, whose difference is at least the observed one. All pairs and both tables
    see the same swaps. A pair is compared on the documents that both systems have.

    Parameters
    ----------
    x, z : array_like
        The tables of the metric and of people, systems x documents.
    permutations : int
        How many random swaps there are. With so few documents that there are at most this many ways to swap, each way
        is seen once.
    ties : {"count", "half"}
        How a permutation counts that gives just the observed difference: as "at least", as published, or half. Where
        scores are coarse, "count" makes the value depend a little on the order of the systems; "half" does not.
    seed : int
        The seed of the swaps.

    Returns
    -------
    SoftAccuracy

    Raises
    ------
    ArgumentError
        `ties` is not one of the choices, or there are no permutations.
    DataError
        No two systems have scores of the same document in both tables.

    Examples
    --------
    >>> good, bad = [0.6, 0.7, 0.5, 0.8, 0.6], [0.2, 0.3, 0.1, 0.4, 0.0]
    >>> soft_accuracy([good, bad], [[5, 4, 5, 3, 4], [1, 2, 1, 1, 2]]).value
    1.0
    >>> soft_accuracy([bad, good], [[5, 4, 5, 3, 4], [1, 2, 1, 1, 2]]).value  # 1 - (32/32 - 1/32)
    0.03125
    """
    check_choice("ties", ties, NullTies)
    a, b = align_cells(x, z)
    missing = int(np.isnan(a).sum())
    first, second = pair_indices(len(a))
    shared = (~np.isnan(a[first]) & ~np.isnan(a[second])).any(axis=1)
    first, second = first[shared], second[shared]
    if not len(first):
        raise DataError("a soft accuracy needs at least 2 systems with scores of the same document in both tables")
    documents, width = a.shape[1], 2 * len(first)
    exact = 2**documents <= permutations
    total = 2**documents if exact else permutations
    rng = np.random.default_rng(seed)
    # As many sums of differences as there are documents, each with its rounding error.
    slack = documents * np.array([tie_width(a), tie_width(b)])[:, np.newaxis, np.newaxis]
    counts = np.zeros((2, len(first)))
    done = 0
    for count in draws.split_draws(total, width, "permutations"):
        swaps = (
            draws.enumerate_swaps(documents, done, count) if exact else draws.draw_swaps(documents, count, width, rng)
        )
        done += count
        swapped = np.zeros((2, count, len(first)))
        for block, swap_weights in swaps:
            for side, scores in enumerate((a, b)):
                swapped[side] += swap_weights @ np.nan_to_num(scores[first, block] - scores[second, block]).T
        # Swapping documents whose differences add up to s changes the total by -2 s: it is as large if s <= 0.
        counts += (swapped <= slack).sum(axis=1)
        if ties == "half":
            counts -= 0.5 * (np.abs(swapped) <= slack).sum(axis=1)
    metric, human = counts / total
    value = 1.0 - float(np.abs(metric - human).mean())
    return SoftAccuracy(value=value, pairs=len(first), permutations=total, missing=missing)
