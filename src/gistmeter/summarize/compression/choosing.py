"""Choosing: which sentences a summary takes, and which of their marks each says, within a number of words.

Each sentence offers ways to say some of its marks, of which at most one is taken. The best choice is found exactly, by
going through the numbers of words one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Offer:
    """A way to say some marks of a sentence: what it is worth, and how many words it takes."""

    sentence: int
    marks: frozenset[int]
    """The positions of the marks in the list of all."""

    words: int
    worth: float


def choose_offers(offers: Sequence[Sequence[Offer]], words: int | None) -> list[Offer]:
    """For each sentence (a list of its offers) at most one, worth the most together within so many words.

    Without a limit every sentence takes its most worthy offer. Of equal choices the shortest is taken.

    >>> first = [Offer(0, frozenset({0}), 5, 1.0), Offer(0, frozenset({0, 1}), 9, 2.0)]
    >>> second = [Offer(1, frozenset({2}), 4, 1.5)]
    >>> [(offer.sentence, offer.words) for offer in choose_offers([first, second], 9)]
    [(0, 5), (1, 4)]
    """
    if words is None:
        return [max(ways, key=lambda offer: (offer.worth, -offer.words)) for ways in offers if ways]
    words = min(words, sum(max((offer.words for offer in ways), default=0) for ways in offers))  # no choice has more
    # best[n]: the most worthy choice of at most n words so far, as (worth, -words, offers).
    best: list[tuple[float, int, tuple[Offer, ...]]] = [(0.0, 0, ())] * (words + 1)
    for ways in offers:
        improved = list(best)
        for offer in ways:
            for limit in range(offer.words, words + 1):
                worth, shortness, chosen = best[limit - offer.words]
                candidate = (worth + offer.worth, shortness - offer.words, (*chosen, offer))
                if candidate[:2] > improved[limit][:2]:
                    improved[limit] = candidate
        best = improved
    return list(best[words][2])
