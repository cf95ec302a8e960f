"""What a reader of two sentences learns from: joints of documents, each with its reversal and often another pair.

The other pairs are those of FFCI's appendix B (`pairs`): of two documents, far apart in one, or one sentence repeated
without a quarter of its words. Appendix B has no reversals: a model that learned from it alone cannot tell order.
"""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.models.next_sentence.heads import normalize_spelling
from gistmeter.models.next_sentence.reader import NEXT, OTHER, REVERSED
from gistmeter.training.next_sentence.pairs import Position, list_joints, pair_elsewhere, pair_far, repeat_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.training.next_sentence.pairs import Kind, SentencePair
    from gistmeter.training.sources.sentences import SentenceText

LATER_SHARE = 0.1
"""A joint after sentence i of a document, from 0, is drawn with a weight of exp(-LATER_SHARE * i)."""

OTHER_SHARES: Mapping[Kind, float] = {"elsewhere": 0.25, "later": 0.125, "earlier": 0.125, "repeated": 0.05}
"""In which share of the groups there is a third pair, by its kind."""


class ReadPair(NamedTuple):
    """Two sentences in one spelling, and the class that a reader is to say."""

    first: str
    second: str
    kind: int
    position: int
    """After which sentence of its document, from 0, the joint of its group comes."""


def draw_joint_groups(texts: Sequence[SentenceText], count: int, *, seed: int = 0) -> list[list[ReadPair]]:
    """At most `count` groups: a joint, its reversal and, in about half of them, a pair of another kind.

    >>> from gistmeter.training.sources.sentences import SentenceText
    >>> (group,) = draw_joint_groups([SentenceText("d", ("It rained.", "He left."))], 5)
    >>> [(pair.first, pair.kind) for pair in group[:2]]
    [('it rained', 0), ('he left', 1)]
    """
    rng = random.Random(f"joints {seed}")
    joints = list_joints(texts)
    # Drawn by weight without replacement (Efraimidis and Spirakis, 2006): the largest of u^(1/w), or of log(u) / w.
    keys = [math.log(1 - rng.random()) * math.exp(LATER_SHARE * joint.number) for joint in joints]
    drawn = sorted(range(len(joints)), key=lambda number: -keys[number])[:count]
    chosen = [joints[number] for number in drawn]
    rng.shuffle(chosen)
    groups = []
    for joint in chosen:
        first, second = normalize_spelling(joint.sentence), normalize_spelling(joint.move(1).sentence)
        read = [(first, second, NEXT), (second, first, REVERSED)]
        other = _draw_other(joint, chosen, rng)
        if other is not None:
            read.append((normalize_spelling(other.first), normalize_spelling(other.second), OTHER))
        groups.append([ReadPair(*texts_and_kind, position=joint.number) for texts_and_kind in read])
    return groups


def _draw_other(joint: Position, joints: Sequence[Position], rng: random.Random) -> SentencePair | None:
    """A pair that begins with the same sentence and does not go on, or none."""
    kinds: list[Kind] = [*OTHER_SHARES, "adjacent"]
    kind = rng.choices(kinds, [*OTHER_SHARES.values(), 1 - sum(OTHER_SHARES.values())])[0]
    if kind == "elsewhere":
        return pair_elsewhere(joint, rng.choice(joints))
    if kind == "repeated":
        return repeat_sentence(joint, rng)
    return pair_far(joint, rng, kind) if kind != "adjacent" else None
