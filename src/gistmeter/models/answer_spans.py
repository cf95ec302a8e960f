"""From what a network says of starts and ends to an answer: the best span, and how likely there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.models.states import IntArray

    FloatArray = NDArray[np.float64]

LONGEST = 30
"""Tokens of the longest answer."""


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


NO_ANSWER = Answer("", 0, 0, 0.0, 1.0, answered=False)
"""The answer of a text that has nothing to take."""


class Span(NamedTuple):
    """The first and the last token of the best span (-1 without any), its log-weight, and those of all and of none."""

    first: int
    last: int
    best: float
    total: float
    null: float


def best_span(starts: FloatArray, ends: FloatArray) -> Span:
    """The best span by logits of starts and ends; place 0 is "not answerable", token 0 of the text is place 1.

    >>> span = best_span(np.array([0.0, 2.0, 1.0]), np.array([0.0, 0.0, 3.0]))
    >>> span.first, span.last, span.best
    (0, 1, 5.0)
    """
    null = float(starts[0] + ends[0])
    count = len(starts) - 1
    if count == 0:
        return Span(-1, -1, -np.inf, -np.inf, null)
    width = min(LONGEST, count)
    filled = np.concatenate([ends[1:], np.full(width - 1, -np.inf)])
    weights = starts[1:, None] + np.lib.stride_tricks.sliding_window_view(filled, width)
    first, more = divmod(int(weights.argmax()), width)
    best = float(weights[first, more])
    return Span(first, first + more, best, best + float(np.log(np.exp(weights - best).sum())), null)


def answer_of(text: str, windows: Sequence[tuple[Span, IntArray]], threshold: float) -> Answer:
    """The answer in a text that was read in one or more windows, each with the places of its tokens in the text.

    A text answers when any of its windows does: the null of the whole is that of the window that doubts it least.
    """
    # Within a window a span is weighed against that window's "not answerable": only so are windows comparable.
    span, places = max(windows, key=lambda one: one[0].total - one[0].null)
    if span.first < 0:
        return NO_ANSWER
    whole = np.logaddexp(span.total, span.null)
    start, end = int(places[span.first, 0]), int(places[span.last, 1])
    null = float(np.exp(span.null - whole))
    return Answer(text[start:end], start, end, float(np.exp(span.best - whole)), null, answered=null <= threshold)


def overlap_token(places: IntArray, start: int, end: int) -> tuple[int, int] | None:
    """The first and the last token that share a character with a stretch of the text; None when none does.

    >>> overlap_token(np.array([[0, 3], [4, 8], [8, 9]]), 5, 9)
    (1, 2)
    """
    inside = np.flatnonzero((places[:, 0] < end) & (places[:, 1] > start))
    return (int(inside[0]), int(inside[-1])) if len(inside) else None
