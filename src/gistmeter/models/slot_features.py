"""How well each noun phrase of a text fits the gap of a question: by words and by states, near it and around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.slot_kinds import fit_of
from gistmeter.models.slot_sides import FAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.models.slot_sides import Side, Slot

    FloatArray = NDArray[np.float64]
    BoolArray = NDArray[np.bool_]

NAMES = (
    "words in sentence",
    "words near",
    "meaning in sentence",
    "meaning near",
    "words in text",
    "meaning in text",
    "same governor",
    "like governor",
    "same part",
    "same preposition",
    "like gap",
    "suits",
    "clashes",
    "repeats",
)
"""`words` are shares of the question's words, rare ones counting more, that are found; `meaning` is the same with the
nearest state in place of the same stem."""

_STEP = 4.0
"""Steps along the parse at which a word counts half."""


def features(text: Side, questions: Sequence[Side]) -> list[FloatArray]:
    """For each question the features of each noun phrase of the text: phrases x features."""
    asked = [one for one in questions if one.slots]
    if not text.slots or not asked:
        return [np.zeros((len(text.slots), len(NAMES))) for _ in questions]
    steps = np.stack([slot.steps for slot in text.slots]).astype(np.float64)
    outside = steps > 0
    inside = outside & (steps < FAR)
    found = iter(_compared(text, asked, outside, inside, inside / (1 + steps / _STEP)))
    return [next(found) if one.slots else np.zeros((len(text.slots), len(NAMES))) for one in questions]


def _compared(
    text: Side, asked: Sequence[Side], outside: BoolArray, inside: BoolArray, near: FloatArray
) -> list[FloatArray]:
    """The words of all questions compared with those of the text at once."""
    kept = [_context(one) for one in asked]
    words = np.concatenate([one.stems[k] for one, k in zip(asked, kept, strict=True)])
    states = np.concatenate([one.states[k] for one, k in zip(asked, kept, strict=True)])
    content = np.flatnonzero(text.stems >= 0)
    same = (words[:, None] == text.stems[content][None, :]).astype(np.float32)
    alike = np.maximum(states @ text.states[content].T, same)
    best = [
        np.stack([(table * mask[content]).max(axis=1, initial=0.0) for mask in masks], axis=1)
        for masks in (inside.astype(np.float32), near.astype(np.float32), outside.astype(np.float32))
        for table in (same, alike)
    ]
    found, at = [], 0
    for one, k in zip(asked, kept, strict=True):
        (slot,) = one.slots
        flat = one.weights[k]
        close = flat / (1 + slot.steps[k] / _STEP)
        columns = [
            _share(table[at : at + len(k)], weights)
            for table, weights in zip(best, (flat, flat, close, close, flat, flat), strict=True)
        ]
        at += len(k)
        ordered = [columns[i] for i in (0, 2, 1, 3, 4, 5)]
        found.append(np.column_stack([*ordered, _places(text, one, slot)]))
    return found


def _context(question: Side) -> NDArray[np.int64]:
    """The content words of a question outside its wh-phrase."""
    (slot,) = question.slots
    places = np.flatnonzero(question.stems >= 0)
    return places[(places < slot.first) | (places >= slot.last)]


def _share(found: FloatArray, weights: FloatArray) -> FloatArray:
    total = weights.sum()
    return weights @ found / total if total > 0 else np.zeros(found.shape[1])


def _places(text: Side, question: Side, gap: Slot) -> FloatArray:
    """What the place of each phrase has in common with the place of the gap: phrases x features."""
    rows = []
    said = {int(stem) for stem in question.stems if stem >= 0}
    for slot in text.slots:
        governed = gap.governor >= 0 and slot.governor >= 0
        governors = (question.stems[gap.governor], text.stems[slot.governor]) if governed else (-1, -2)
        like = float(question.states[gap.governor] @ text.states[slot.governor]) if governed else 0.0
        own = range(slot.first, slot.last)
        weight = float(text.weights[slot.first : slot.last].sum())
        repeated = sum(float(text.weights[i]) for i in own if int(text.stems[i]) in said)
        fit = fit_of(question.way, slot.kind, counts=slot.counts)
        rows.append(
            (
                float(governors[0] == governors[1]),
                like,
                float(bool(gap.parts & slot.parts)),
                float(bool(gap.preposition) and gap.preposition == slot.preposition),
                float(question.states[gap.root] @ text.states[slot.root]),
                float(fit == "suits"),
                float(fit == "clashes"),
                repeated / weight if weight else 0.0,
            )
        )
    return np.array(rows)
