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


def choose_premise(summary: str, unit: str, *, max_sentences: int = 2, language: str = "en") -> str:
    """At most `max_sentences` sentences of a summary, those that match a unit best, in their order.

    >>> summary = "It rained. The match was called off. Ann Lee, the coach, was sad. Fans left."
    >>> choose_premise(summary, "Ann Lee is sad that the match was off.")
    'The match was called off. Ann Lee, the coach, was sad.'
    """
    summary_sentences = _split(summary, language)
    chosen = choose_sentences(summary_sentences, unit, max_sentences=max_sentences, language=language)
    return " ".join(summary_sentences[index] for index in chosen)


def choose_sentences(
    summary_sentences: Sequence[str], unit: str, *, max_sentences: int, language: str = "en"
) -> list[int]:
    """The indices of the sentences that match a unit best, in their order: one at least, if there is one.

    Among equals the sentence next to one already chosen is preferred, then the earlier one.
    """
    wanted = content_stems(unit, language)
    shared = [wanted & content_stems(sentence, language) for sentence in summary_sentences]
    chosen: list[int] = []
    covered: set[str] = set()
    while len(chosen) < min(max_sentences, len(summary_sentences)):
        remaining = [index for index in range(len(summary_sentences)) if index not in chosen]
        added = {index: len(shared[index] - covered) for index in remaining}
        best = max(remaining, key=lambda index: (added[index], len(shared[index]), -_distance(index, chosen), -index))
        if chosen and not shared[best] - covered:
            break
        chosen.append(best)
        covered |= shared[best]
    return sorted(chosen)


@functools.lru_cache(maxsize=65536)
def content_stems(text: str, language: str = "en") -> frozenset[str]:
    """The stems of a text's content words.

    >>> sorted(content_stems("The dogs were barking"))
    ['bark', 'dog']
    """
    stem, stop = get_stemmer(resolve_stem("auto", language)), load_stopwords("language", language)
    return frozenset(stem(word) for word in split_words(text, language=language) if word not in stop)


@functools.lru_cache(maxsize=8192)
def _split(summary: str, language: str) -> tuple[str, ...]:
    return tuple(split_sentences(summary, resolve_sentence_rule("auto", summary), language))


def _distance(index: int, chosen: Sequence[int]) -> int:
    return min((abs(index - other) for other in chosen), default=0)
