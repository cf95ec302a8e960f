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
class Ratio:
    """What was right among what was found and among what is annotated."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Agreement:
    """The scores of found clusters against annotated ones."""

    mentions: Ratio
    muc: Ratio
    b3: Ratio
    ceafe: Ratio

    @property
    def conll(self) -> float:
        """The mean F1 of MUC, B3 and CEAFe."""
        return (self.muc.f1 + self.b3.f1 + self.ceafe.f1) / 3


def agreement(pairs: Iterable[tuple[Clusters, Clusters]]) -> Agreement:
    """The scores over texts, each a pair of annotated and found clusters. Clusters of one mention do not count.

    >>> one = agreement([([[(0, 1), (2, 3), (4, 5)]], [[(0, 1), (2, 3)]])])
    >>> one.muc.recall, one.muc.precision
    (0.5, 1.0)
    """
    totals = np.zeros((4, 4))
    for annotated, found in pairs:
        gold, ours = _sets(annotated), _sets(found)
        totals += np.array([_mentions(gold, ours), _muc(gold, ours), _b3(gold, ours), _ceafe(gold, ours)])
    ratios = [Ratio(precision=_share(row[2], row[3]), recall=_share(row[0], row[1])) for row in totals]
    return Agreement(*ratios)


def _sets(clusters: Clusters) -> list[frozenset[Span]]:
    sets = (frozenset((int(start), int(end)) for start, end in cluster) for cluster in clusters)
    return [one for one in sets if len(one) > 1]


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else 0.0


def _mentions(gold: list[frozenset[Span]], ours: list[frozenset[Span]]) -> tuple[float, ...]:
    one, two = ({span for cluster in clusters for span in cluster} for clusters in (gold, ours))
    both = len(one & two)
    return both, len(one), both, len(two)


def _muc(gold: list[frozenset[Span]], ours: list[frozenset[Span]]) -> tuple[float, ...]:
    return (*_links(gold, ours), *_links(ours, gold))


def _links(clusters: list[frozenset[Span]], others: list[frozenset[Span]]) -> tuple[float, float]:
    """How many of the links that hold these clusters together the others have, and how many there are."""
    owner = {span: number for number, other in enumerate(others) for span in other}
    kept = 0
    for cluster in clusters:
        parts = {owner.get(span, span) for span in cluster}
        kept += len(cluster) - len(parts)
    return kept, sum(len(cluster) - 1 for cluster in clusters)


def _b3(gold: list[frozenset[Span]], ours: list[frozenset[Span]]) -> tuple[float, ...]:
    return (*_covered(gold, ours), *_covered(ours, gold))


def _covered(clusters: list[frozenset[Span]], others: list[frozenset[Span]]) -> tuple[float, float]:
    shares = [len(one & two) ** 2 / len(one) for one in clusters for two in others]
    return float(sum(shares)), sum(len(one) for one in clusters)


def _ceafe(gold: list[frozenset[Span]], ours: list[frozenset[Span]]) -> tuple[float, ...]:
    if not gold or not ours:
        return 0.0, len(gold), 0.0, len(ours)
    alike = np.array([[2 * len(one & two) / (len(one) + len(two)) for two in ours] for one in gold])
    total = float(alike[linear_sum_assignment(-alike)].sum())
    return total, len(gold), total, len(ours)
