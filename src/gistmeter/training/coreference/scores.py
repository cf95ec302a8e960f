"""How well clusters of mentions agree with annotated ones: MUC, B3, CEAFe and their mean, the CoNLL score.

MUC (Vilain et al., 1995) counts links, B3 (Bagga and Baldwin, 1998) the share of each mention's cluster that is right,
CEAFe (Luo, 2005) pairs clusters one to one by their overlap. Counts are summed over texts before dividing, as the
scorer of CoNLL-2012 does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Span = tuple[int, int]
    Clusters = Sequence[Sequence[Span]]


@dataclass(frozen=True, slots=True)
class PrecisionRecall:
    """The share that is right of what was predicted and of what is annotated."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class ClusterScores:
    """The scores of predicted clusters against annotated ones."""

    mentions: PrecisionRecall
    muc: PrecisionRecall
    b3: PrecisionRecall
    ceafe: PrecisionRecall

    @property
    def conll(self) -> float:
        """The mean F1 of MUC, B3 and CEAFe."""
        return (self.muc.f1 + self.b3.f1 + self.ceafe.f1) / 3


def score_clusters(pairs: Iterable[tuple[Clusters, Clusters]]) -> ClusterScores:
    """The scores over texts, each a pair of annotated and predicted clusters. Clusters of one mention do not count.

    >>> scores = score_clusters([([[(0, 1), (2, 3), (4, 5)]], [[(0, 1), (2, 3)]])])
    >>> scores.muc.recall, scores.muc.precision
    (0.5, 1.0)
    """
    totals = np.zeros((4, 4))
    for annotated, predicted in pairs:
        sets = _sets(annotated), _sets(predicted)
        totals += np.array([_mentions(*sets), _muc(*sets), _b3(*sets), _ceafe(*sets)])
    mentions, muc, b3, ceafe = (
        PrecisionRecall(precision=_share(row[2], row[3]), recall=_share(row[0], row[1])) for row in totals
    )
    return ClusterScores(mentions=mentions, muc=muc, b3=b3, ceafe=ceafe)


def _sets(clusters: Clusters) -> list[frozenset[Span]]:
    sets = (frozenset((int(start), int(end)) for start, end in cluster) for cluster in clusters)
    return [cluster for cluster in sets if len(cluster) > 1]


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


def _mentions(gold: list[frozenset[Span]], predicted: list[frozenset[Span]]) -> tuple[float, ...]:
    gold_spans, predicted_spans = ({span for cluster in clusters for span in cluster} for clusters in (gold, predicted))
    both = len(gold_spans & predicted_spans)
    return both, len(gold_spans), both, len(predicted_spans)


def _muc(gold: list[frozenset[Span]], predicted: list[frozenset[Span]]) -> tuple[float, ...]:
    return (*_count_links(gold, predicted), *_count_links(predicted, gold))


def _count_links(clusters: list[frozenset[Span]], others: list[frozenset[Span]]) -> tuple[float, float]:
    """How many of the links that hold these clusters together the others have, and how many there are."""
    owner = {span: number for number, other in enumerate(others) for span in other}
    shared = 0
    for cluster in clusters:
        parts = {owner.get(span, span) for span in cluster}
        shared += len(cluster) - len(parts)
    return shared, sum(len(cluster) - 1 for cluster in clusters)


def _b3(gold: list[frozenset[Span]], predicted: list[frozenset[Span]]) -> tuple[float, ...]:
    return (*_count_covered(gold, predicted), *_count_covered(predicted, gold))


def _count_covered(clusters: list[frozenset[Span]], others: list[frozenset[Span]]) -> tuple[float, float]:
    shares = [len(cluster & other) ** 2 / len(cluster) for cluster in clusters for other in others]
    return float(sum(shares)), sum(len(cluster) for cluster in clusters)


def _ceafe(gold: list[frozenset[Span]], predicted: list[frozenset[Span]]) -> tuple[float, ...]:
    if not gold or not predicted:
        return 0.0, len(gold), 0.0, len(predicted)
    similarity = np.array(
        [[2 * len(cluster & other) / (len(cluster) + len(other)) for other in predicted] for cluster in gold]
    )
    total = float(similarity[linear_sum_assignment(-similarity)].sum())
    return total, len(gold), total, len(predicted)
