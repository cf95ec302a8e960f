"""How well probabilities of presence agree with people: by pair, by summary and by system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.presence.groups import Group


_DRAWS = 10_000


@dataclass(frozen=True, slots=True)
class Agreement:
    """Correlations of scores with the share of units that people found, Pearson and Spearman.

    At the level of summaries: within each document, then the mean; documents in whose summaries people, or the
    scores, found equally much have no correlation and are left out (`undefined`). At the level of systems: of the
    means over the documents. By fold, then averaged, as in Zhang and Bansal (2021).
    """

    pearson: float
    spearman: float
    system_pearson: float
    system_spearman: float
    undefined: int


@dataclass(frozen=True, slots=True)
class Scored:
    """The scores of the summaries of one document beside what people found in them."""

    fold: int
    systems: tuple[str, ...]
    scores: FloatArray
    recall: FloatArray


def agreement(scored: Sequence[Scored]) -> Agreement:
    """The four correlations of some documents."""
    folds = sorted({one.fold for one in scored})
    kinds: dict[str, Callable[[FloatArray, FloatArray], float]] = {"pearson": pearson, "spearman": spearman}
    found: dict[str, float] = {}
    for name, kind in kinds.items():
        by_fold = [[one for one in scored if one.fold == fold] for fold in folds]
        found[name] = float(np.nanmean([np.nanmean(within(some, kind)) for some in by_fold]))
        found[f"system_{name}"] = float(np.nanmean([_of_systems(some, kind) for some in by_fold]))
    return Agreement(**found, undefined=int(np.isnan(within(scored)).sum()))


def pearson(left: FloatArray, right: FloatArray) -> float:
    """Pearson's r, missing where either side does not vary.

    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    left, right = left - left.mean(), right - right.mean()
    spread = float(np.sqrt(left @ left * (right @ right)))
    return float(left @ right) / spread if spread > 1e-12 else float("nan")


def spearman(left: FloatArray, right: FloatArray) -> float:
    """Spearman's rho: the same of ranks."""
    return pearson(rankdata(left), rankdata(right))


def within(scored: Sequence[Scored], kind: Callable[[FloatArray, FloatArray], float] = pearson) -> FloatArray:
    """The correlation within each document."""
    return np.array([kind(one.scores, one.recall) for one in scored])


def difference(first: Sequence[Scored], second: Sequence[Scored], *, seed: int = 0) -> tuple[float, float, float]:
    """How much more the first scores correlate within documents: the mean, and its 95% interval over documents.

    Documents are drawn with replacement, both scores of a document together. Missing where no document has both.
    """
    gaps = within(first) - within(second)
    gaps = gaps[~np.isnan(gaps)]
    if not len(gaps):
        return float("nan"), float("nan"), float("nan")
    drawn = np.random.default_rng(seed).integers(len(gaps), size=(_DRAWS, len(gaps)))
    low, high = np.quantile(gaps[drawn].mean(axis=1), [0.025, 0.975])
    return float(gaps.mean()), float(low), float(high)


def accuracy(groups: Sequence[Group], said: Sequence[FloatArray]) -> float:
    """The share of pairs whose probability lies on the side of the label."""
    right = [((one > 0.5) == (group.labels > 0.5)).ravel() for group, one in zip(groups, said, strict=True)]
    return float(np.concatenate(right).mean())


def _of_systems(scored: Sequence[Scored], kind: Callable[[FloatArray, FloatArray], float]) -> float:
    scores: dict[str, list[float]] = {}
    recall: dict[str, list[float]] = {}
    for one in scored:
        for system, score, found in zip(one.systems, one.scores.tolist(), one.recall.tolist(), strict=True):
            scores.setdefault(system, []).append(score)
            recall.setdefault(system, []).append(found)
    return kind(_means(scores), _means(recall))


def _means(by_system: Mapping[str, Sequence[float]]) -> FloatArray:
    return np.array([np.mean(some) for some in by_system.values()])
