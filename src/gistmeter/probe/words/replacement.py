"""Replacements: what to put where into a summary, and the summary with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

import numpy as np

from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.linguistics.errors.context import RuleErrorKind

WordKind = Literal[
    "any",
    "content",
    "names",
    "numbers",
    "negation",
    "roles",
    "quantities",
    "units",
    "dates",
    "places",
    "modality",
    "directions",
    "attribution",
    "comparisons",
    "causes",
    "elsewhere",
    "outside",
    "merged",
]
"""What `corrupt` replaces. `any` is the paper's: whatever whole word is drawn, by the likeliest other word."""

ErrorKind = Literal[
    "word",
    "name",
    "number",
    "negation",
    "role",
    "quantity",
    "unit",
    "date",
    "place",
    "modality",
    "direction",
    "attribution",
    "comparison",
    "cause",
    "elsewhere",
    "outside",
    "merged",
]
"""What an error is of; `content` draws words, names and numbers."""

KINDS_BY_RULES: Mapping[WordKind, RuleErrorKind] = {
    "quantities": "quantity",
    "units": "unit",
    "dates": "date",
    "places": "place",
    "modality": "modality",
    "directions": "direction",
    "attribution": "attribution",
    "comparisons": "comparison",
    "causes": "cause",
    "elsewhere": "elsewhere",
    "outside": "outside",
    "merged": "merged",
}
"""What is replaced by rules alone (`gistmeter.linguistics.errors`), and what such an error is of."""


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


@dataclass(frozen=True, slots=True)
class Draws:
    """What is drawn for one summary: the same seed draws the same, whatever is drawn for others."""

    seed: int

    def permute(self, count: int) -> list[int]:
        """So many positions in an order drawn."""
        order: list[int] = self.make_generator().permutation(count).tolist()
        return order

    def make_generator(self) -> np.random.Generator:
        """A new stream of random numbers."""
        return np.random.default_rng(self.seed)
