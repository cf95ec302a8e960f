"""Figures of a next-sentence head: on pairs it has not seen, and on summaries whose coherence people judged."""

from __future__ import annotations

import itertools
import random
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
    from gistmeter.training.sources.sentences import SentenceText

OPENING_SENTENCES = 7
"""Order is measured on the first sentences of documents, which are what summaries are like."""

LEAD_SENTENCES = 3


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


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFigures:
    """How often the order that a writer chose is the likelier one; equal probabilities count for half."""

    pairs: int
    order: float
    """Adjacent sentences a, b: how often b is likelier to follow a than a to follow b."""

    lead_order: float
    """The same of the joints within the first three sentences."""

    leads: int
    shuffled_min: float
    """First sentences of documents: how often their weakest joint is likelier than that of a shuffle of them."""

    shuffled_mean: float
    """The same of the mean over the joints."""


def measure_order(
    texts: Sequence[SentenceText], probabilities: Callable[[Sequence[tuple[str, str]]], FloatArray], *, seed: int = 0
) -> OrderFigures:
    """Order and shuffle accuracy on the first sentences of documents.

    A joint is compared with its reversal, a lead of three sentences with another order of them.

    >>> from gistmeter.training.sources.sentences import SentenceText
    >>> texts = [SentenceText("d", ("1 came", "2 came", "3 came"))]
    >>> ascending = lambda joints: np.array([float(first < second) for first, second in joints])
    >>> measure_order(texts, ascending)
    OrderFigures(pairs=2, order=1.0, lead_order=1.0, leads=1, shuffled_min=1.0, shuffled_mean=1.0)
    """
    rng = random.Random(f"order {seed}")
    openings = [_unbroken_opening(text) for text in texts]
    joints = [joint for opening in openings for joint in itertools.pairwise(opening)]
    leads = [tuple(opening[:LEAD_SENTENCES]) for opening in openings if len(opening) >= LEAD_SENTENCES]
    shuffles = [_shuffle(lead, rng) for lead in leads]
    every = [*joints, *((second, first) for first, second in joints)]
    every += [joint for lead in (*leads, *shuffles) for joint in itertools.pairwise(lead)]
    values = probabilities(every) if every else np.zeros(0)
    forward, backward = values[: len(joints)], values[len(joints) : 2 * len(joints)]
    in_lead = np.array(
        [number < LEAD_SENTENCES - 1 for opening in openings for number in range(len(opening) - 1)], bool
    )
    in_order, shuffled = values[2 * len(joints) :].reshape(2, len(leads), LEAD_SENTENCES - 1)
    return OrderFigures(
        pairs=len(joints),
        order=_share_above(forward, backward),
        lead_order=_share_above(forward[in_lead], backward[in_lead]),
        leads=len(leads),
        shuffled_min=_share_above(in_order.min(axis=1), shuffled.min(axis=1)),
        shuffled_mean=_share_above(in_order.mean(axis=1), shuffled.mean(axis=1)),
    )


def _unbroken_opening(text: SentenceText) -> list[str]:
    """The first sentences of a document, up to seven or to the first that was taken out."""
    return [sentence for sentence in itertools.takewhile(bool, text.sentences[:OPENING_SENTENCES]) if sentence]


def _shuffle(lead: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    """Another order of these sentences."""
    orders = [order for order in itertools.permutations(range(len(lead))) if order != tuple(range(len(lead)))]
    return tuple(lead[position] for position in rng.choice(orders))


def _share_above(values: FloatArray, others: FloatArray) -> float:
    return float(np.mean((values > others) + 0.5 * (values == others))) if len(values) else np.nan


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
