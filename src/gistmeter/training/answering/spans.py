"""Where the answer to a question stands in another text, and which text looks most as if it had the answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONG_WORD = re.compile(r"\w{4,}")


def find_span(phrase: str, text: str) -> tuple[int, int] | None:
    """Where a phrase stands in a text as whole words, whatever its case, if it stands there once.

    >>> find_span("the car", "Anna sold The car."), find_span("car", "A card."), find_span("a car", "A car is a car.")
    ((10, 17), None, None)
    """
    spans = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE)]
    return spans[0] if len(spans) == 1 else None


def contains_phrase(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text at all, be it in a longer word."""
    return phrase.lower() in text.lower()


def long_words(text: str) -> set[str]:
    """The words of four letters and more, in lower case."""
    return set(_LONG_WORD.findall(text.lower()))


def find_most_similar(question: str, texts: Sequence[str]) -> str:
    """The text that shares most long words with a question.

    >>> find_most_similar("Who sold the red house?", ["He sold a boat.", "The house was sold."])
    'The house was sold.'
    """
    words = long_words(question)
    return max(texts, key=lambda text: len(words & long_words(text)))
