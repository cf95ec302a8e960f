"""How well probabilities of presence agree with people: by pair, by summary and by system."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.stats import rankdata

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.presence.groups import LabelledGroup

    Correlation = Callable[[FloatArray, FloatArray], float]

RESAMPLES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallCorrelations:
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


@dataclass(frozen=True, slots=True, eq=False)
class ScoredDocument:
    """The scores of the summaries of one document beside what people found in them."""

    fold: int
    systems: tuple[str, ...]
    scores: FloatArray
    recall: FloatArray


class Gain(NamedTuple):
    """A mean difference of correlations and its 95% interval."""

    mean: float
    low: float
    high: float


def correlate_recall(documents: Sequence[ScoredDocument]) -> RecallCorrelations:
    """The four correlations of some documents."""
    folds = sorted({document.fold for document in documents})
    by_fold = [[document for document in documents if document.fold == fold] for fold in folds]
    correlations: dict[str, Correlation] = {"pearson": pearson, "spearman": spearman}
    values: dict[str, float] = {}
    for name, correlation in correlations.items():
        values[name] = float(np.nanmean([np.nanmean(correlate_within(part, correlation)) for part in by_fold]))
        values[f"system_{name}"] = float(np.nanmean([_correlate_systems(part, correlation) for part in by_fold]))
    return RecallCorrelations(**values, undefined=int(np.isnan(correlate_within(documents)).sum()))


def pearson(left: FloatArray, right: FloatArray) -> float:
    """Pearson's r, missing where either side does not vary.

    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    left, right = left - left.mean(), right - right.mean()
    spread = float(np.sqrt(left @ left * (right @ right)))
    return float(left @ right) / spread if spread > 1e-12 else float("nan")


def spearman(left: FloatArray, right: FloatArray) -> float:
    """Spearman's rho: Pearson's r of ranks."""
    return pearson(rankdata(left), rankdata(right))


def correlate_within(documents: Sequence[ScoredDocument], correlation: Correlation = pearson) -> FloatArray:
    """The correlation within each document."""
    return np.array([correlation(document.scores, document.recall) for document in documents])


def measure_gain(first: Sequence[ScoredDocument], second: Sequence[ScoredDocument], *, seed: int = 0) -> Gain:
    """How much more the first scores correlate within documents: the mean, and its 95% interval over documents.

    Documents are drawn with replacement, both scores of a document together. Missing where no document has both.
    """
    gaps = correlate_within(first) - correlate_within(second)
    gaps = gaps[~np.isnan(gaps)]
    if not len(gaps):
        return Gain(float("nan"), float("nan"), float("nan"))
    resamples = np.random.default_rng(seed).integers(len(gaps), size=(RESAMPLES, len(gaps)))
    low, high = np.quantile(gaps[resamples].mean(axis=1), [0.025, 0.975])
    return Gain(float(gaps.mean()), float(low), float(high))


def measure_accuracy(groups: Sequence[LabelledGroup], probabilities: Sequence[FloatArray]) -> float:
    """The share of pairs whose probability lies on the side of the label."""
    right = [
        ((of_group > 0.5) == (group.labels > 0.5)).ravel()
        for group, of_group in zip(groups, probabilities, strict=True)
    ]
    return float(np.concatenate(right).mean())


def _correlate_systems(documents: Sequence[ScoredDocument], correlation: Correlation) -> float:
    scores: dict[str, list[float]] = {}
    recalls: dict[str, list[float]] = {}
    for document in documents:
        values = zip(document.systems, document.scores.tolist(), document.recall.tolist(), strict=True)
        for system, score, recall in values:
            scores.setdefault(system, []).append(score)
            recalls.setdefault(system, []).append(recall)
    return correlation(_means(scores), _means(recalls))


def _means(by_system: Mapping[str, Sequence[float]]) -> FloatArray:
    return np.array([np.mean(values) for values in by_system.values()])
