"""How alike two short texts are: the F1 of their words (ROUGE-1), the measure of the Lite2.xPyramid procedure."""

from __future__ import annotations

import functools
from collections import Counter
from typing import TYPE_CHECKING

from gistmeter.text.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence


def overlap(one: str, other: str) -> float:
    """ROUGE-1 F1, words in lower case, without stems.

    >>> round(overlap("Ann won the race", "Ann Lee won"), 3)
    0.571
    """
    mine, theirs = _counted(one), _counted(other)
    shared = (mine & theirs).total()
    return 2 * shared / (mine.total() + theirs.total()) if shared else 0.0


def nearest(text: str, others: Sequence[str]) -> tuple[int, float]:
    """The place of the most similar of some texts, the first of equals, and how similar it is."""
    found = [overlap(text, other) for other in others]
    best = max(range(len(found)), key=lambda place: (found[place], -place))
    return best, found[best]


@functools.lru_cache(maxsize=16384)
def _counted(text: str) -> Counter[str]:
    return Counter(words(text))
