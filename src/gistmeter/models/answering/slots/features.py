"""How well each noun phrase of a text fits the gap of a question: by words and by states, near it and around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.models.answering.slots.kinds import judge_fit
from gistmeter.models.answering.slots.texts import FAR_STEPS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.models.answering.slots.texts import SlottedText
    from gistmeter.models.runtime.states import StateArray


FEATURE_NAMES = (
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
"""`words` are shares of the question's words, rare ones counting more, that the text has too; `meaning` counts how near
the nearest state is where `words` counts equal stems."""

_HALF_WEIGHT_STEPS = 4.0
"""Steps along the parse at which a word counts half."""


def compute_features(text: SlottedText, questions: Sequence[SlottedText]) -> FloatArray:
    """The features of each noun phrase of a text as an answer: questions x phrases x features.

    A question without a gap, which has no place to compare, has zeros only.
    """
    features = np.zeros((len(questions), len(text.slots), len(FEATURE_NAMES)))
    with_gap = [index for index, question in enumerate(questions) if question.slots]
    if len(text.slots) and with_gap:
        features[with_gap] = _compare_words(text, [questions[index] for index in with_gap])
    return features


def _compare_words(text: SlottedText, questions: Sequence[SlottedText]) -> FloatArray:
    """The words of all questions compared with those of the text at once."""
    context = [_context(question) for question in questions]
    owner = np.repeat(np.arange(len(questions)), [len(words) for words in context])
    content = np.flatnonzero(text.stems >= 0)
    stems = _concatenate(question.stems[words] for question, words in zip(questions, context, strict=True))
    same = stems[:, None] == text.stems[content][None, :]
    states = _concatenate(question.states[words] for question, words in zip(questions, context, strict=True))
    likeness = np.maximum(states @ text.states[content].T, same)
    weights = _concatenate(question.weights[words] for question, words in zip(questions, context, strict=True))
    gap_steps = _concatenate(question.slots[0].steps[words] for question, words in zip(questions, context, strict=True))
    everywhere = _shares(owner, weights, len(questions))
    close = _shares(owner, weights / (1 + gap_steps / _HALF_WEIGHT_STEPS), len(questions))

    steps = np.stack([slot.steps[content] for slot in text.slots])
    outside: NDArray[np.float32] = (steps > 0).astype(np.float32)
    inside: NDArray[np.float32] = np.asarray(outside * (steps < FAR_STEPS), dtype=np.float32)
    near: NDArray[np.float32] = np.asarray(inside / (1 + steps / _HALF_WEIGHT_STEPS), dtype=np.float32)
    columns = [
        everywhere @ _best(same, inside),
        close @ _best(same, near),
        everywhere @ _best(likeness, inside),
        close @ _best(likeness, near),
        everywhere @ _best(same, outside),
        everywhere @ _best(likeness, outside),
        *_compare_places(text, questions),
        _share_repeated(same, owner, len(questions), text.weights[content] * (steps == 0)),
    ]
    return np.stack(columns, axis=2)


def _context(question: SlottedText) -> IntArray:
    """The content words of a question outside its wh-phrase."""
    (slot,) = question.slots
    positions = np.flatnonzero(question.stems >= 0)
    return positions[(positions < slot.first) | (positions >= slot.last)]


def _shares(owner: IntArray, weights: FloatArray, count: int) -> FloatArray:
    """What share of its question's weight each word has: questions x words."""
    table = np.zeros((count, len(owner)))
    table[owner, np.arange(len(owner))] = weights
    total = table.sum(axis=1, keepdims=True)
    return np.asarray(table / np.where(total > 0, total, 1.0))


def _best(table: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    """The best match of each word of the questions among the words around each phrase: words x phrases."""
    return np.stack([(table * mask).max(axis=1, initial=0.0) for mask in masks], axis=1)


def _share_repeated(same: NDArray[np.bool_], owner: IntArray, count: int, phrase_weights: FloatArray) -> FloatArray:
    """The share of each phrase's words that its question has already: questions x phrases."""
    in_question = np.zeros((count, same.shape[1]))
    np.maximum.at(in_question, owner, same)
    total = phrase_weights.sum(axis=1)
    return np.asarray(in_question @ phrase_weights.T / np.where(total > 0, total, 1.0))


def _compare_places(text: SlottedText, questions: Sequence[SlottedText]) -> Iterator[NDArray[Any]]:
    """What the place of each phrase has in common with the place of each gap, one feature after the other."""
    gaps = [question.slots[0] for question in questions]
    governors = np.array([slot.governor for slot in text.slots])
    holders = [_word_at(question, gap.governor) for question, gap in zip(questions, gaps, strict=True)]
    stems = np.where(governors >= 0, text.stems[governors], -1)
    yield _compare_stems([stem for stem, _ in holders], stems)
    states = np.where(governors[:, None] >= 0, text.states[governors], 0.0)
    yield np.stack([state for _, state in holders]) @ states.T
    yield np.array([[float(bool(gap.parts & slot.parts)) for slot in text.slots] for gap in gaps])
    yield np.array(
        [[float(gap.preposition != "" and gap.preposition == slot.preposition) for slot in text.slots] for gap in gaps]
    )
    roots = np.stack([question.states[gap.root] for question, gap in zip(questions, gaps, strict=True)])
    yield roots @ text.states[[slot.root for slot in text.slots]].T
    ways = {question.way for question in questions}
    fits = {way: [judge_fit(way, slot.kind, counts=slot.counts) for slot in text.slots] for way in ways}
    for wanted in ("suits", "clashes"):
        yield np.array([[float(fit == wanted) for fit in fits[question.way]] for question in questions])


def _word_at(text: SlottedText, index: int) -> tuple[int, StateArray]:
    return (int(text.stems[index]), text.states[index]) if index >= 0 else (-1, np.zeros_like(text.states[0]))


def _compare_stems(question_stems: Sequence[int], phrase_stems: IntArray) -> FloatArray:
    column = np.array(question_stems)
    return np.asarray((column[:, None] == phrase_stems[None, :]) & (column[:, None] >= 0), dtype=np.float64)


def _concatenate(parts: Iterable[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(list(parts))
