"""How often a metric ranks two systems, or two summaries, as people do.

    pairwise_accuracy  pairs of systems, all of them or those that people tell apart significantly
    tied_accuracy      pairs of summaries, where saying "equally good" is an answer too

Tables are systems x documents. A cell that is NaN in one table is left out of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.pairwise.pairs import pair_differences, pair_indices
from gistmeter.stats.resampling.permutation import pairwise_pvalues
from gistmeter.stats.resampling.pooling import ratio
from gistmeter.stats.tables import Level, align_cells, check_choice, check_share, correlated_rows, system_means
from gistmeter.stats.ties import snap_ties, tie_width

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

_MAX_PAIRS = 2**24
"""Comparing all cells with one another takes about 100 bytes a pair: this many pairs are 1.5 GB."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of pairs of systems that the metric ranks as people do, and what it rests on."""

    value: float
    pairs: int
    """The pairs that the value is a share of."""
    agreeing: int
    """How many of `pairs` the metric ranks as people do."""
    tied: int
    """How many of `pairs` the metric ties, which is not ranking them as people do."""
    undecided: int
    """Pairs left out because people tie them: there is no ranking to agree with."""
    insignificant: int
    """Pairs left out because the human difference is not significant."""
    missing: int
    """Cells left out of both tables, being NaN in at least one."""


def pairwise_accuracy(
    x: ArrayLike,
    z: ArrayLike,
    *,
    significant_only: bool = False,
    alpha: float = 0.05,
    permutations: int = 1000,
    seed: int = 0,
) -> Accuracy:
    """The share of pairs of systems whose means the metric `x` orders as the human scores `z` do.

    A pair tied by people is left out, a pair tied by the metric alone counts as ranked differently. Without ties the
    accuracy is (Kendall's tau + 1) / 2.

    Parameters
    ----------
    x, z : array_like
        The tables of the metric and of people, systems x documents.
    significant_only : bool
        Only count pairs that people tell apart: the discriminative power of TAC (Dang and Owczarzak, 2009; Deutsch
        2022, section 2.3.2). The test is a paired permutation test over the documents of both systems, two-sided,
        p = (count + 1) / (permutations + 1), exact with few documents, not corrected for the number of pairs.
    alpha : float
        The p-value up to which people tell two systems apart.
    permutations : int
        How many permutations the test takes.
    seed : int
        The seed of the permutations.

    Returns
    -------
    Accuracy

    Raises
    ------
    ArgumentError
        `alpha` is not between 0 and 1, or too small for the number of permutations.
    DataError
        There are fewer than two systems, or no pair that people tell apart.

    Examples
    --------
    >>> metric = [[0.3, 0.5], [0.2, 0.4], [0.6, 0.8]]
    >>> judges = [[1, 2], [3, 3], [4, 5]]
    >>> accuracy = pairwise_accuracy(metric, judges)
    >>> round(accuracy.value, 3), accuracy.agreeing, accuracy.pairs
    (0.667, 2, 3)
    """
    a, b = align_cells(x, z)
    missing = int(np.isnan(a).sum())
    scored = ~np.isnan(a).all(axis=1)
    a, b = a[scored], b[scored]
    if len(a) < 2:
        raise DataError(f"a pairwise accuracy needs at least 2 systems with scores in both tables, not {len(a)}")
    pairs = pair_indices(len(a))
    metric, human = (np.sign(pair_differences(system_means(scores), pairs, tie_width(scores))) for scores in (a, b))
    decided = human != 0
    counted = decided
    if significant_only:
        counted = decided & (_human_pvalues(b, alpha, permutations, seed)[pairs] <= alpha)
    if not counted.any():
        why = f"at alpha {alpha}" if decided.any() else "at all: people tie every pair"
        raise DataError(f"no two systems differ {'significantly ' if significant_only else ''}in human scores {why}")
    agreeing, count = int((metric == human)[counted].sum()), int(counted.sum())
    return Accuracy(
        value=agreeing / count,
        pairs=count,
        agreeing=agreeing,
        tied=int((metric == 0)[counted].sum()),
        undecided=int((~decided).sum()),
        insignificant=int((decided & ~counted).sum()),
        missing=missing,
    )


def _human_pvalues(scores: FloatArray, alpha: float, permutations: int, seed: int) -> FloatArray:
    """The p-values of the differences of all pairs of systems in human scores, systems x systems."""
    check_share("alpha", alpha)
    if alpha * (permutations + 1) < 1:
        raise ArgumentError(f"{permutations} permutations cannot give a p-value as small as alpha {alpha}; take more")
    present = ~np.isnan(scores)
    parts = np.stack([np.where(present, scores, 0.0), present.astype(np.float64)], axis=-1)
    return pairwise_pvalues(parts, ratio, permutations=permutations, seed=seed)


@dataclass(frozen=True, slots=True)
class TiedAccuracy:
    """A pairwise accuracy in which ties count, and the difference up to which the metric is taken to tie."""

    value: float
    epsilon: float
    uncalibrated: float
    """The accuracy with epsilon 0: only equal scores tie."""
    level: Level
    pairs: int
    """How many pairs were compared."""
    groups: int
    """How many documents (summary) or systems (per-system) the value is a mean over; else 1."""
    missing: int
    """Cells left out of both tables, being NaN in at least one."""


def tied_accuracy(
    x: ArrayLike, z: ArrayLike, *, level: Level = "summary", epsilon: float | None = None
) -> TiedAccuracy:
    """Pairwise accuracy with tie calibration, acc*_eq of "Ties Matter" (Deutsch, Foster and Freitag, EMNLP 2023).

    A pair is right if metric and people agree on which is better, or if both tie it.

    Parameters
    ----------
    x, z : array_like
        The tables of the metric and of people, systems x documents.
    level : {"system", "summary", "pooled", "per-system"}
        Which summaries are paired: the systems' means; those of one document, with a mean over documents (the paper's
        group-by-item); all (no grouping); or those of one system (group-by-system).
    epsilon : float, optional
        The metric ties two scores that differ by at most this. Without one given, the smallest that makes the accuracy
        largest is chosen, among 0 and all differences that occur. (Chosen on the data it is judged on, it flatters
        the metric a little: to test a metric, give the epsilon of other data.)

    Returns
    -------
    TiedAccuracy

    Raises
    ------
    ArgumentError
        The level does not exist, or `epsilon` is negative.
    DataError
        There are no two scores to compare, or too many.

    Examples
    --------
    >>> metric, judges = [[0], [2], [6], [8]], [[1], [1], [1], [4]]
    >>> accuracy = tied_accuracy(metric, judges)
    >>> round(accuracy.value, 3), accuracy.epsilon, accuracy.uncalibrated
    (0.667, 4.0, 0.5)
    """
    check_choice("level", level, Level)
    if epsilon is not None and not epsilon >= 0:
        raise ArgumentError(f"epsilon is a difference of scores, 0 or more, not {epsilon}")
    a, b = align_cells(x, z)
    pairs = _pair_scores(a, b, level)
    right, tied = pairs.metric == pairs.human, pairs.human == 0

    # With epsilon from 0 up ever more pairs become ties, and each is right from then on if people tie it too.
    # Gaps are differences of two scores, each with a rounding error of its own.
    gaps = snap_ties(np.abs(pairs.metric_gap), 2 * tie_width(a))
    order = np.argsort(gaps, kind="stable")
    gaps = gaps[order]
    gains = np.cumsum((pairs.weight * (tied.astype(np.float64) - right))[order])
    distinct = np.flatnonzero(np.append(gaps[1:] != gaps[:-1], True))
    candidates = np.append(0.0, gaps[distinct])
    # Rounded, so that equally good ones are equal in whatever order their pairs were added up.
    values = np.round((pairs.weight * right).sum() + np.append(0.0, gains[distinct]), 12)
    if epsilon is None:
        best = int(np.argmax(values))
        epsilon = float(candidates[best])
    else:
        best = int(np.searchsorted(candidates, epsilon + 2 * tie_width(a), side="right")) - 1
    return TiedAccuracy(
        value=float(values[best]),
        epsilon=epsilon,
        uncalibrated=float(values[0]),
        level=level,
        pairs=len(gaps),
        groups=pairs.groups,
        missing=int(np.isnan(a).sum()),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs of scores: which is better by the metric and by people (-1, 0, 1), and how far apart by the metric."""

    metric: FloatArray
    human: FloatArray
    metric_gap: FloatArray
    weight: FloatArray
    """The share of a pair in the mean over groups of the means over their pairs."""
    groups: int


def _pair_scores(a: FloatArray, b: FloatArray, level: Level) -> _Pairs:
    """All pairs of scores within the groups of the level."""
    x, z = correlated_rows(a, level), correlated_rows(b, level)
    size = x.shape[1]
    count = len(x) * size * (size - 1) // 2
    if count > _MAX_PAIRS:
        raise DataError(f"at the {level} level there are {count:,} pairs to compare; take fewer documents")
    pairs = pair_indices(size)
    metric, human = pair_differences(x, pairs, tie_width(a)), pair_differences(z, pairs, tie_width(b))
    comparable = ~np.isnan(metric)
    counts = comparable.sum(axis=1)
    rows = int((counts > 0).sum())
    if not rows:
        raise DataError(f"there are no two scores to compare at the {level} level: one of the tables lacks them")
    weight = 1.0 / (rows * np.repeat(counts, counts))
    return _Pairs(
        metric=np.sign(metric[comparable]),
        human=np.sign(human[comparable]),
        metric_gap=metric[comparable],
        weight=weight,
        groups=rows,
    )
