"""Is one system worse than another by more than a margin? One-sided, paired by document."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from gistmeter.stats.resampling.permutation import permutation_pvalue
from gistmeter.stats.resampling.pooling import bootstrap_differences, ratio, stack_pair

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.stats.resampling.pooling import Pool


def worse_pvalue(
    a: ArrayLike,
    b: ArrayLike,
    pool: Pool,
    *,
    margin: float = 0.0,
    permutations: int = 10_000,
    resamples: int = 2000,
    seed: int = 0,
) -> float:
    """One-sided paired test: is the score of `a` below that of `b` by more than a margin?

    A mean of documents is tested by swapping them between `a` and a `b` that is lower by the margin. A score that is
    pooled otherwise has no such `b`; there the documents are resampled, and the p-value is the share of resamples in
    which `a` is not below by more than the margin, itself counted among them.

    Parameters
    ----------
    a, b : array_like
        The parts of the two systems' scores, documents x parts.
    pool : callable
        Makes a score from sums of parts, as in `bootstrap_interval`.
    margin : float
        How far below `b` is still good enough.
    permutations : int
        Swaps of documents, where they are swapped.
    resamples : int
        Resamples of documents, where they are resampled.
    seed : int
        Of either.

    Returns
    -------
    float
        The p-value; small when `a` is worse.

    Raises
    ------
    DataError
        The parts are not of the same documents, are empty, or are not finite.

    Examples
    --------
    Of 16 ways to swap 4 documents with one difference, only that which was observed is so bad:

    >>> import numpy as np
    >>> a = np.array([[0.5, 1], [0.7, 1], [0.6, 1], [0.8, 1]])
    >>> worse_pvalue(a, a + [0.1, 0], ratio), worse_pvalue(a + [0.1, 0], a, ratio)
    (0.0625, 0.9375)
    >>> worse_pvalue(a, a + [0.1, 0], ratio, margin=0.2)
    0.9375
    """
    first, second = stack_pair(a, b)
    if inspect.unwrap(pool) is ratio:
        second = second.copy()
        second[:, 0] -= margin * second[:, 1]
        both = permutation_pvalue(first, second, pool, permutations=permutations, seed=seed)
        # Swapping all documents turns a difference of means round, so that the two tails are alike.
        below = float(pool(first.sum(axis=0)) - pool(second.sum(axis=0))) < 0
        return both / 2 if below else 1 - both / 2
    differences = bootstrap_differences(first, second, pool, resamples=resamples, seed=seed)
    return float((1 + (differences >= -margin).sum()) / (1 + len(differences)))
