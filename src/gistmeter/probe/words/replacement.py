"""Replacements: what to put where into a summary, and the summary with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

WordKind = Literal["any", "content", "names", "numbers", "negation", "roles"]
"""What `corrupt` replaces. `any` is the paper's: whatever whole word is drawn, by the likeliest other word."""

ErrorKind = Literal["word", "name", "number", "negation", "role"]
"""What an error is of; `content` draws words, names and numbers."""


def check_kind(name: str) -> WordKind:
    """A name as a kind of words, or the error that says which kinds there are."""
    check_choice("words", name, WordKind)
    return cast("WordKind", name)


@dataclass(frozen=True, slots=True)
class Replacement:
    """Characters of a text and what takes their place."""

    start: int
    end: int
    text: str
    kind: ErrorKind = "word"

    def overlaps(self, other: Replacement) -> bool:
        """Whether both change the same characters."""
        return self.start < other.end and other.start < self.end


def choose_apart(replacements: Sequence[Replacement], most: int) -> tuple[Replacement, ...]:
    """The first ones, at most so many, that do not change the same characters.

    >>> first, second, third = (Replacement(s, e, "x") for s, e in ((0, 3), (2, 5), (6, 8)))
    >>> choose_apart([first, second, third], 2) == (first, third)
    True
    """
    chosen: list[Replacement] = []
    for replacement in replacements:
        if len(chosen) == most:
            break
        if not any(map(replacement.overlaps, chosen)):
            chosen.append(replacement)
    return tuple(chosen)


def copy_capitals(word: str, original: str) -> str:
    """A word in capitals, with a capital or as it is, after the word that it replaces.

    >>> [copy_capitals("paris", original) for original in ("London", "london", "LONDON")]
    ['Paris', 'paris', 'PARIS']
    """
    if len(original) > 1 and original.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if original[0].isupper() else word
