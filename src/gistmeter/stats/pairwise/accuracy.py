"""How often a metric ranks two systems, or two summaries, as people do.

    pairwise_accuracy  pairs of systems, all of them or those that people tell apart significantly
    tied_accuracy      pairs of summaries, where saying "equally good" is an answer too
    soft_accuracy      pairs of systems, comparing how sure the metric and people are

Tables are systems x documents. A cell that is NaN in one table is left out of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.pairwise.pairs import differences, pair_places, tie_width
from gistmeter.stats.resampling import draws
from gistmeter.stats.resampling.pooling import pairwise_pvalues, ratio
from gistmeter.stats.tables import Level, check_choice, check_share, groups, means, shared_cells

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    FloatArray: TypeAlias = NDArray[np.float64]

NullTies = Literal["count", "half"]

# Comparing all cells with one another takes about 100 bytes a pair: this many pairs are 1.5 GB.
_MOST_PAIRS = 2**24


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of pairs of systems that the metric ranks as people do, and what it rests on."""

    value: float
    pairs: int
    """The pairs that the value is a share of."""
    agreeing: int
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

    `significant_only` keeps the pairs that people tell apart: a paired permutation test over the documents of
    both systems, two-sided, p = (count + 1) / (permutations + 1) <= alpha (exact with few documents), not
    corrected for the number of pairs. This is the discriminative power of TAC (Dang and Owczarzak, 2009;
    Deutsch 2022, section 2.3.2).

    A pair tied by people is left out, a pair tied by the metric alone counts as not alike. Without ties the
    accuracy is (Kendall's tau + 1) / 2.

    >>> metric = [[0.3, 0.5], [0.2, 0.4], [0.6, 0.8]]
    >>> judges = [[1, 2], [3, 3], [4, 5]]
    >>> found = pairwise_accuracy(metric, judges)
    >>> round(found.value, 3), found.agreeing, found.pairs
    (0.667, 2, 3)
    """
    a, b = shared_cells(x, z)
    missing = int(np.isnan(a).sum())
    known = ~np.isnan(a).all(axis=1)
    a, b = a[known], b[known]
    if len(a) < 2:
        raise DataError(f"a pairwise accuracy needs at least 2 systems with scores in both tables, not {len(a)}")
    pairs = pair_places(len(a))
    metric, human = (np.sign(differences(means(scores), pairs, tie_width(scores))) for scores in (a, b))
    decided = human != 0
    kept = decided
    if significant_only:
        kept = decided & (_human_pvalues(b, alpha, permutations, seed)[pairs] <= alpha)
    if not kept.any():
        why = f"at alpha {alpha}" if decided.any() else "at all: people tie every pair"
        raise DataError(f"no two systems differ {'significantly ' if significant_only else ''}in human scores {why}")
    agreeing, count = int((metric == human)[kept].sum()), int(kept.sum())
    return Accuracy(
        agreeing / count,
        count,
        agreeing,
        tied=int((metric == 0)[kept].sum()),
        undecided=int((~decided).sum()),
        insignificant=int((decided & ~kept).sum()),
        missing=missing,
    )


def _human_pvalues(scores: FloatArray, alpha: float, permutations: int, seed: int) -> FloatArray:
    check_share("alpha", alpha)
    if alpha * (permutations + 1) < 1:
        raise DataError(f"{permutations} permutations cannot give a p-value as small as alpha {alpha}; take more")
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
    groups: int
    """How many documents (summary) or systems (per-system) the value is a mean over; else 1."""
    missing: int


def tied_accuracy(
    x: ArrayLike, z: ArrayLike, *, level: Level = "summary", epsilon: float | None = None
) -> TiedAccuracy:
    """Pairwise accuracy with tie calibration, acc*_eq of "Ties Matter" (Deutsch, Foster and Freitag, EMNLP 2023).

    A pair is right if metric and people agree on which is better, or if both tie it. The metric ties two
    scores that differ by at most `epsilon`; without one given, the smallest that makes the accuracy largest is
    chosen, among 0 and all differences that occur. (Chosen on the data it is judged on, it flatters the metric
    a little: to test one, give the epsilon of other data.)

    `level` says which summaries are paired: those of one document ("summary", the paper's group-by-item, mean
    over documents), those of one system ("per-system", group-by-system), all ("pooled", no grouping), or the
    systems' means ("system").

    >>> metric, judges = [[0], [2], [6], [8]], [[1], [1], [1], [4]]
    >>> found = tied_accuracy(metric, judges)
    >>> round(found.value, 3), found.epsilon, found.uncalibrated
    (0.667, 4.0, 0.5)
    """
    check_choice("level", level, Level)
    if epsilon is not None and not epsilon >= 0:
        raise DataError(f"epsilon is a difference of scores, 0 or more, not {epsilon}")
    a, b = shared_cells(x, z)
    pairs = _paired(a, b, level)
    right, tied = pairs.metric == pairs.human, pairs.human == 0

    # With epsilon from 0 up ever more pairs become ties, and each is right from then on if people tie it too.
    gaps = np.abs(pairs.metric_gap)
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
        best = int(np.searchsorted(candidates, epsilon, side="right")) - 1
    missing = int(np.isnan(a).sum())
    return TiedAccuracy(float(values[best]), epsilon, float(values[0]), level, len(gaps), pairs.groups, missing)


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Pairs of scores: which is better by the metric and by people (-1, 0, 1), and how far apart by the metric."""

    metric: FloatArray
    human: FloatArray
    metric_gap: FloatArray
    weight: FloatArray
    """The share of a pair in the mean over groups of the means over their pairs."""
    groups: int


def _paired(a: FloatArray, b: FloatArray, level: Level) -> _Pairs:
    x, z = groups(a, level), groups(b, level)
    size = x.shape[1]
    count = len(x) * size * (size - 1) // 2
    if count > _MOST_PAIRS:
        raise DataError(f"at the {level} level there are {count:,} pairs to compare; take fewer documents")
    pairs = pair_places(size)
    metric, human = differences(x, pairs, tie_width(a)), differences(z, pairs, tie_width(b))
    known = ~np.isnan(metric)
    counts = known.sum(axis=1)
    rows = int((counts > 0).sum())
    if not rows:
        raise DataError(f"there are no two scores to compare at the {level} level: one of the tables lacks them")
    weight = 1.0 / (rows * np.repeat(counts, counts))
    return _Pairs(np.sign(metric[known]), np.sign(human[known]), metric[known], weight, rows)


@dataclass(frozen=True, slots=True)
class SoftAccuracy:
    """How alike metric and people are in how sure they rank two systems."""

    value: float
    pairs: int
    permutations: int
    """How many ways to swap documents the p-values rest on."""
    missing: int


def soft_accuracy(
    x: ArrayLike, z: ArrayLike, *, permutations: int = 1000, ties: NullTies = "count", seed: int = 0
) -> SoftAccuracy:
    """Soft pairwise accuracy (Thompson, Mathur, Deutsch and Khayrallah, WMT 2024): 1 - mean |p_metric - p_human|.

    For a pair of systems p is the one-sided p-value of "the first is better": the share of random swaps of the
    two systems, document by document, whose difference is at least the observed one. All pairs and both tables
    see the same swaps; with so few documents that there are at most `permutations` ways to swap, they see each
    way once. A pair is compared on the documents that both systems have.

    A permutation that gives just the observed difference counts as "at least", as published. Where scores are
    coarse that makes the value depend a little on the order of the systems; `ties="half"` counts such a
    permutation half, and then it does not.

    >>> good, bad = [0.6, 0.7, 0.5, 0.8, 0.6], [0.2, 0.3, 0.1, 0.4, 0.0]
    >>> soft_accuracy([good, bad], [[5, 4, 5, 3, 4], [1, 2, 1, 1, 2]]).value
    1.0
    >>> soft_accuracy([bad, good], [[5, 4, 5, 3, 4], [1, 2, 1, 1, 2]]).value  # 1 - (32/32 - 1/32)
    0.03125
    """
    check_choice("ties", ties, NullTies)
    a, b = shared_cells(x, z)
    missing = int(np.isnan(a).sum())
    first, second = pair_places(len(a))
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
    counts, done = np.zeros((2, len(first))), 0
    for count in draws.rounds(total, width, "permutations"):
        swaps = draws.all_swaps(documents, done, count) if exact else draws.swaps(documents, count, width, rng)
        done += count
        swapped = np.zeros((2, count, len(first)))
        for block, chosen in swaps:
            for side, scores in enumerate((a, b)):
                swapped[side] += chosen @ np.nan_to_num(scores[first, block] - scores[second, block]).T
        # Swapping documents whose differences add up to s changes the total by -2 s: it is as large if s <= 0.
        counts += (swapped <= slack).sum(axis=1)
        if ties == "half":
            counts -= 0.5 * (np.abs(swapped) <= slack).sum(axis=1)
    metric, human = counts / total
    value = 1.0 - float(np.abs(metric - human).mean())
    return SoftAccuracy(value, len(first), total, missing)
