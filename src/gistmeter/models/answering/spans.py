"""From what a network says of starts and ends to an answer: the best span, and how likely there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.arrays import FloatArray, IntArray


MAX_ANSWER_TOKENS = 30
"""Tokens of the longest answer."""


MAX_GUESSES = 8
"""Spans that an answer remembers, the best among them."""


class Guess(NamedTuple):
    """A span of a text, its first character and the one after its last, and how likely it is the answer."""

    text: str
    start: int
    end: int
    probability: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The best span of a text for a question, and how likely it is; empty where a text has nothing to take."""

    text: str
    start: int
    end: int
    probability: float
    """Of this span, among all spans and "not answerable"."""

    null: float
    """Of "not answerable"."""

    answered: bool
    """Whether it counts as an answer: `null` is not above the answerer's threshold."""

    guesses: tuple[Guess, ...] = ()
    """The likeliest spans, this one first; none where it is not a model that answered."""


NO_ANSWER = Answer(text="", start=0, end=0, probability=0.0, null=1.0, answered=False)
"""The answer of a text that has nothing to take."""


class Span(NamedTuple):
    """A span by its first and its last token, and its log-weight."""

    first: int
    last: int
    weight: float


class WindowSpans(NamedTuple):
    """The likeliest spans of a window, the best first, and the log-weights of all spans together and of none."""

    likeliest: tuple[Span, ...]
    total: float
    null: float


def find_best_spans(starts: FloatArray, ends: FloatArray) -> WindowSpans:
    """The likeliest spans by logits of starts and ends; index 0 is "not answerable", index 1 the first token.

    >>> find_best_spans(np.array([0.0, 2.0, 1.0]), np.array([0.0, 0.0, 3.0])).likeliest[0]
    Span(first=0, last=1, weight=5.0)
    """
    null = float(starts[0] + ends[0])
    count = len(starts) - 1
    if count == 0:
        return WindowSpans((), -np.inf, null)
    width = min(MAX_ANSWER_TOKENS, count)
    padded_ends = np.concatenate([ends[1:], np.full(width - 1, -np.inf)])
    weights = starts[1:, None] + np.lib.stride_tricks.sliding_window_view(padded_ends, width)
    flat = weights.ravel()
    top = np.argpartition(-flat, MAX_GUESSES)[:MAX_GUESSES] if len(flat) > MAX_GUESSES else np.arange(len(flat))
    top = top[np.lexsort((top, -flat[top]))]
    best = float(flat[top[0]])
    likeliest = tuple(
        Span(index // width, index // width + index % width, float(flat[index]))
        for index in top.tolist()
        if flat[index] > -np.inf
    )
    return WindowSpans(likeliest, best + float(np.log(np.exp(flat - best).sum())), null)


def choose_answer(text: str, windows: Sequence[tuple[WindowSpans, IntArray]], threshold: float) -> Answer:
    """The answer in a text that was read in one or more windows, each with the offsets of its tokens in the text.

    A text answers when any of its windows does: the null of the whole is that of the window that doubts it least.
    """
    # Within a window a span is weighed against that window's "not answerable": only so are windows comparable.
    spans, offsets = max(windows, key=lambda window: window[0].total - window[0].null)
    if not spans.likeliest:
        return NO_ANSWER
    whole = np.logaddexp(spans.total, spans.null)
    null = float(np.exp(spans.null - whole))
    guesses = (
        make_guess(text, int(offsets[span.first, 0]), int(offsets[span.last, 1]), float(np.exp(span.weight - whole)))
        for span in spans.likeliest
    )
    return answer_from_guesses(guesses, null, answered=null <= threshold)


def make_guess(text: str, start: int, end: int, probability: float) -> Guess:
    """A span of a text as a guess."""
    return Guess(text=text[start:end], start=start, end=end, probability=probability)


def answer_from_guesses(guesses: Iterable[Guess], null: float, *, answered: bool) -> Answer:
    """The first of the likeliest spans as the answer."""
    guesses = tuple(guesses)
    text, start, end, probability = guesses[0]
    return Answer(
        text=text, start=start, end=end, probability=probability, null=null, answered=answered, guesses=guesses
    )


def find_overlapping_tokens(offsets: IntArray, start: int, end: int) -> tuple[int, int] | None:
    """The first and the last token that share a character with a stretch of the text; None when none does.

    >>> find_overlapping_tokens(np.array([[0, 3], [4, 8], [8, 9]]), 5, 9)
    (1, 2)
    """
    inside = np.flatnonzero((offsets[:, 0] < end) & (offsets[:, 1] > start))
    return (int(inside[0]), int(inside[-1])) if len(inside) else None
