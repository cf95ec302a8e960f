"""Figures of a next-sentence head: on pairs it has not seen, and on summaries whose coherence people judged."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.training.next_sentence.pairs import SHARES
from gistmeter.training.sources.records import read_records

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.next_sentence.pairs import Kind, SentencePair


@dataclass(frozen=True, slots=True)
class PairFigures:
    """How well a head tells pairs apart: all together, and the accuracy on each kind."""

    pairs: int
    accuracy: float
    auc: float
    kinds: Mapping[Kind, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoherenceCorrelation:
    """Pearson's r with people for one system, of the weakest, mean and strongest joint of its summaries."""

    system: str
    summaries: int
    single: int
    """Summaries of one sentence, which have no joint and are left out."""

    weakest: float
    mean: float
    strongest: float


def measure_pairs(pairs: Sequence[SentencePair], probabilities: FloatArray) -> PairFigures:
    """Accuracy at one half, area under the curve, and accuracy by kind.

    >>> from gistmeter.training.next_sentence.pairs import SentencePair
    >>> kinds = {"b": "adjacent", "c": "later", "d": "later"}
    >>> measure_pairs([SentencePair("a", text, kind) for text, kind in kinds.items()], np.array([0.7, 0.6, 0.1]))
    PairFigures(pairs=3, accuracy=0.6666666666666666, auc=1.0, kinds={'adjacent': 1.0, 'later': 0.5})
    """
    from scipy.stats import rankdata

    follows = np.array([pair.follows for pair in pairs])
    right = (probabilities > 0.5) == follows
    following, others = int(follows.sum()), int((~follows).sum())
    above = rankdata(probabilities)[follows].sum() - following * (following + 1) / 2
    kind_of = np.array([pair.kind for pair in pairs])
    return PairFigures(
        pairs=len(pairs),
        accuracy=float(right.mean()),
        auc=float(above / (following * others)) if following and others else np.nan,
        kinds={kind: float(right[kind_of == kind].mean()) for kind in SHARES if (kind_of == kind).any()},
    )


def correlate_coherence(
    path: str, probabilities: Callable[[Sequence[tuple[str, str]]], FloatArray]
) -> tuple[CoherenceCorrelation, ...]:
    """Correlations with `human.coherence_z` in records with `summary.sentences`, by system and for all together."""
    joints: list[tuple[str, str]] = []
    summaries: list[tuple[str, int, float]] = []
    for record in read_records(path):
        try:
            fields = record.fields
            sentences, coherence = fields["summary"]["sentences"], float(fields["human"]["coherence_z"])
        except (KeyError, TypeError):
            raise DataError(f"{record.position} lacks summary.sentences or human.coherence_z") from None
        joints += itertools.pairwise(sentences)
        summaries.append((str(fields["system_id"]), len(sentences) - 1, coherence))
    values = probabilities(joints)
    scores: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    start = 0
    for system, count, coherence in summaries:
        of_summary = values[start : start + count]
        start += count
        scores[system].append(
            (of_summary.min(), of_summary.mean(), of_summary.max(), coherence) if count > 0 else (np.nan,) * 4
        )
    scores["all"] = [row for rows in list(scores.values()) for row in rows]
    return tuple(_correlation(system, np.array(rows)) for system, rows in scores.items())


def _correlation(system: str, scores: FloatArray) -> CoherenceCorrelation:
    with_joints = scores[~np.isnan(scores[:, 3])]
    weakest, mean, strongest = (
        float(np.corrcoef(with_joints[:, column], with_joints[:, 3])[0, 1]) for column in range(3)
    )
    return CoherenceCorrelation(
        system=system,
        summaries=len(scores),
        single=len(scores) - len(with_joints),
        weakest=weakest,
        mean=mean,
        strongest=strongest,
    )
