"""Premises: which sentences of a summary are laid before the entailment model for a content unit.

A model that learned from single sentences reads two of them better than ten. They are chosen by words: the sentence
that has the most content words of the unit, then the one that adds the most, if it adds any; they stand in the
summary's order.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from gistmeter.text.sentences import resolve_sentence_rule, split_sentences
from gistmeter.text.stems import get_stemmer, resolve_stem
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence


def premise(summary: str, unit: str, *, most: int = 2, language: str = "en") -> str:
    """At most `most` sentences of a summary, those that match a unit best, in their order.

    >>> summary = "It rained. The match was called off. Ann Lee, the coach, was sad. Fans left."
    >>> premise(summary, "Ann Lee is sad that the match was off.")
    'The match was called off. Ann Lee, the coach, was sad.'
    """
    found = _split(summary, language)
    return " ".join(found[place] for place in best_sentences(found, unit, most=most, language=language))


def best_sentences(found: Sequence[str], unit: str, *, most: int, language: str = "en") -> list[int]:
    """The places of the sentences that match a unit best, in their order: one at least, if there is one.

    Among equals the sentence next to one already taken is preferred, then the earlier one.
    """
    wanted = content(unit, language)
    having = [wanted & content(sentence, language) for sentence in found]
    taken: list[int] = []
    covered: set[str] = set()
    while len(taken) < min(most, len(found)):
        left = [place for place in range(len(found)) if place not in taken]
        best = max(left, key=lambda p: (len(having[p] - covered), len(having[p]), -_distance(p, taken), -p))
        if taken and not having[best] - covered:
            break
        taken.append(best)
        covered |= having[best]
    return sorted(taken)


@functools.lru_cache(maxsize=65536)
def content(text: str, language: str = "en") -> frozenset[str]:
    """The stems of a text's content words.

    >>> sorted(content("The dogs were barking"))
    ['bark', 'dog']
    """
    stem, stop = get_stemmer(resolve_stem("auto", language)), load_stopwords("language", language)
    return frozenset(stem(word) for word in split_words(text, language=language) if word not in stop)


@functools.lru_cache(maxsize=8192)
def _split(summary: str, language: str) -> tuple[str, ...]:
    return tuple(split_sentences(summary, resolve_sentence_rule("auto", summary), language))


def _distance(place: int, taken: Sequence[int]) -> int:
    return min((abs(place - other) for other in taken), default=0)
