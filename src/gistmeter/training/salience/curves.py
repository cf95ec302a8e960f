"""How well spans are ranked: precision and recall of the first k of each document (Deutsch, 2022, Fig. 36)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.qa.evaluate import area_under_curve
from gistmeter.stats import bootstrap_interval, ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import BoolArray, FloatArray

MOST_SPANS = 30
"""The largest k of the curves."""


class RankedPoint(NamedTuple):
    """Precision and recall of the first k spans, averaged over documents, with 95% intervals."""

    k: int
    precision: float
    precision_low: float
    precision_high: float
    recall: float
    recall_low: float
    recall_high: float


@dataclass(frozen=True, slots=True)
class RankedCurves:
    """The points for k from 1, and how often a salient span stands before another (AUC, all documents together)."""

    points: tuple[RankedPoint, ...]
    auc: float
    documents: int

    @property
    def precision(self) -> tuple[float, ...]:
        """Precision by k."""
        return tuple(point.precision for point in self.points)

    def at(self, k: int) -> RankedPoint:
        """The point of a k."""
        return self.points[k - 1]


def measure_ranking(labels: Sequence[BoolArray], scores: Sequence[FloatArray], *, seed: int = 0) -> RankedCurves:
    """The curves over documents, each given by which of its spans are salient and how they are scored.

    Documents without a salient span are left out.

    >>> curves = measure_ranking([np.array([False, True, True])], [np.array([0.9, 0.8, 0.1])])
    >>> [(round(point.precision, 2), round(point.recall, 2)) for point in curves.points[:3]]
    [(0.0, 0.0), (0.5, 0.5), (0.67, 1.0)]
    """
    with_salient = [(truth, given) for truth, given in zip(labels, scores, strict=True) if truth.any()]
    hits = np.zeros((len(with_salient), MOST_SPANS))
    for row, (truth, given) in enumerate(with_salient):
        ranked = truth[np.argsort(-given, kind="stable")][:MOST_SPANS]
        hits[row, : len(ranked)] = np.cumsum(ranked)
        hits[row, len(ranked) :] = ranked.sum()
    totals = np.array([truth.sum() for truth, _ in with_salient], dtype=float)
    precisions = hits / np.arange(1, MOST_SPANS + 1)
    recalls = hits / totals[:, None]
    tables = [
        bootstrap_interval(np.stack([table.T, np.ones_like(table.T)], axis=-1), ratio, seed=seed)
        for table in (precisions, recalls)
    ]
    precision, recall = tables
    points = tuple(
        RankedPoint(
            k=k + 1,
            precision=float(precision.value[k]),
            precision_low=float(precision.low[k]),
            precision_high=float(precision.high[k]),
            recall=float(recall.value[k]),
            recall_low=float(recall.low[k]),
            recall_high=float(recall.high[k]),
        )
        for k in range(MOST_SPANS)
    )
    every_label = np.concatenate([truth for truth, _ in with_salient])
    every_score = np.concatenate([given for _, given in with_salient])
    return RankedCurves(points, area_under_curve(every_label, every_score), len(with_salient))
