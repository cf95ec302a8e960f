"""How similar two short texts are: the F1 of their words (ROUGE-1), the measure of the Lite2.xPyramid procedure."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence


class MostSimilar(NamedTuple):
    """The most similar of several texts: its position among them, and the F1 of the words in common."""

    position: int
    f1: float


def measure_overlap(text: str, other: str) -> float:
    """ROUGE-1 F1 of two texts, words in lower case, without stems.

    >>> round(measure_overlap("Ann won the race", "Ann Lee won"), 3)
    0.571
    """
    counts, other_counts = _count_words(text), _count_words(other)
    shared = (counts & other_counts).total()
    return 2 * shared / (counts.total() + other_counts.total()) if shared else 0.0


def find_most_similar(text: str, candidates: Sequence[str]) -> MostSimilar:
    """The candidate that shares most words with a text, the first of equals.

    >>> find_most_similar("Ann won", ["It rained", "Ann won"])
    MostSimilar(position=1, f1=1.0)
    """
    overlaps = [measure_overlap(text, candidate) for candidate in candidates]
    best = max(range(len(overlaps)), key=lambda index: (overlaps[index], -index))
    return MostSimilar(best, overlaps[best])


@functools.lru_cache(maxsize=16384)
def _count_words(text: str) -> Counter[str]:
    return Counter(split_words(text))
