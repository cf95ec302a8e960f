"""How well each noun phrase of a text fits the gap of a question: by words and by states, near it and around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.models.answering.slots.described import FAR
from gistmeter.models.answering.slots.kinds import fit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.models.answering.slots.described import Side
    from gistmeter.models.runtime.states import StateArray


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


def features(text: Side, questions: Sequence[Side]) -> FloatArray:
    """The features of each noun phrase of a text as an answer: questions x phrases x features.

    A question without a gap, which has no place to compare, has zeros only.
    """
    found = np.zeros((len(questions), len(text.slots), len(NAMES)))
    with_gap = [place for place, one in enumerate(questions) if one.slots]
    if len(text.slots) and with_gap:
        found[with_gap] = _compared(text, [questions[place] for place in with_gap])
    return found


def _compared(text: Side, asked: Sequence[Side]) -> FloatArray:
    """The words of all questions compared with those of the text at once."""
    context = [_context(one) for one in asked]
    owner = np.repeat(np.arange(len(asked)), [len(places) for places in context])
    content = np.flatnonzero(text.stems >= 0)
    same = _joined(one.stems[k] for one, k in zip(asked, context, strict=True))[:, None] == text.stems[content][None, :]
    states = _joined(one.states[k] for one, k in zip(asked, context, strict=True))
    alike = np.maximum(states @ text.states[content].T, same)
    flat = _joined(one.weights[k] for one, k in zip(asked, context, strict=True))
    away = _joined(one.slots[0].steps[k] for one, k in zip(asked, context, strict=True))
    everywhere, close = (_shares(owner, weights, len(asked)) for weights in (flat, flat / (1 + away / _STEP)))

    steps = np.stack([slot.steps[content] for slot in text.slots])
    outside: NDArray[np.float32] = (steps > 0).astype(np.float32)
    inside: NDArray[np.float32] = np.asarray(outside * (steps < FAR), dtype=np.float32)
    near: NDArray[np.float32] = np.asarray(inside / (1 + steps / _STEP), dtype=np.float32)
    columns = [
        everywhere @ _best(same, inside),
        close @ _best(same, near),
        everywhere @ _best(alike, inside),
        close @ _best(alike, near),
        everywhere @ _best(same, outside),
        everywhere @ _best(alike, outside),
        *_places(text, asked),
        _repeated(same, owner, len(asked), text.weights[content] * (steps == 0)),
    ]
    return np.stack(columns, axis=2)


def _context(question: Side) -> IntArray:
    """The content words of a question outside its wh-phrase."""
    (slot,) = question.slots
    places = np.flatnonzero(question.stems >= 0)
    return places[(places < slot.first) | (places >= slot.last)]


def _shares(owner: IntArray, weights: FloatArray, count: int) -> FloatArray:
    """What share of its question's weight each word has: questions x words."""
    table = np.zeros((count, len(owner)))
    table[owner, np.arange(len(owner))] = weights
    total = table.sum(axis=1, keepdims=True)
    return np.asarray(table / np.where(total > 0, total, 1.0))


def _best(table: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    """The best match of each word of the questions among the words around each phrase: words x phrases."""
    return np.stack([(table * mask).max(axis=1, initial=0.0) for mask in masks], axis=1)


def _repeated(same: NDArray[np.bool_], owner: IntArray, count: int, own: FloatArray) -> FloatArray:
    """The share of each phrase's words that its question has already: questions x phrases."""
    said = np.zeros((count, same.shape[1]))
    np.maximum.at(said, owner, same)
    total = own.sum(axis=1)
    return np.asarray(said @ own.T / np.where(total > 0, total, 1.0))


def _places(text: Side, asked: Sequence[Side]) -> Iterator[NDArray[Any]]:
    """What the place of each phrase has in common with the place of each gap, one feature after the other."""
    gaps = [one.slots[0] for one in asked]
    hung = np.array([slot.governor for slot in text.slots])
    holders = [_word(one, gap.governor) for one, gap in zip(asked, gaps, strict=True)]
    stems = np.where(hung >= 0, text.stems[hung], -1)
    yield _equal([stem for stem, _ in holders], stems)
    states = np.where(hung[:, None] >= 0, text.states[hung], 0.0)
    yield np.stack([state for _, state in holders]) @ states.T
    yield np.array([[float(bool(gap.parts & slot.parts)) for slot in text.slots] for gap in gaps])
    yield np.array(
        [[float(gap.preposition != "" and gap.preposition == slot.preposition) for slot in text.slots] for gap in gaps]
    )
    roots = np.stack([one.states[gap.root] for one, gap in zip(asked, gaps, strict=True)])
    yield roots @ text.states[[slot.root for slot in text.slots]].T
    fits = {
        way: [fit_of(way, slot.kind, counts=slot.counts) for slot in text.slots] for way in {one.way for one in asked}
    }
    for wanted in ("suits", "clashes"):
        yield np.array([[float(fit == wanted) for fit in fits[one.way]] for one in asked])


def _word(side: Side, place: int) -> tuple[int, StateArray]:
    return (int(side.stems[place]), side.states[place]) if place >= 0 else (-1, np.zeros_like(side.states[0]))


def _equal(one: Sequence[int], other: IntArray) -> FloatArray:
    first = np.array(one)
    return np.asarray((first[:, None] == other[None, :]) & (first[:, None] >= 0), dtype=np.float64)


def _joined(parts: Iterable[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(list(parts))
