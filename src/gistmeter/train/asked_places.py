"""Where the answer of a question that gistmeter asked stands in another text, or that it stands there nowhere."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w{4,}")


def place_of(phrase: str, text: str) -> tuple[int, int] | None:
    """Where a phrase stands in a text as whole words, whatever its case, if it stands there once.

    >>> place_of("the car", "Anna sold The car."), place_of("car", "A card."), place_of("a car", "A car is a car.")
    ((10, 17), None, None)
    """
    places = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(phrase)}(?!\w)", text, re.IGNORECASE)]
    return places[0] if len(places) == 1 else None


def stands_in(phrase: str, text: str) -> bool:
    """Whether a phrase stands in a text at all, be it in a longer word."""
    return phrase.lower() in text.lower()


def long_words(text: str) -> set[str]:
    """The words of four letters and more, in lower case."""
    return set(_WORD.findall(text.lower()))
