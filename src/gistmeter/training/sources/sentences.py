"""Documents as their sentences in order, and how to find a sentence again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.text.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

MIN_WORDS, MAX_WORDS = 3, 100
"""Sentences with fewer or more words are left out."""

_NO_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class SentenceText:
    """A document as its sentences in order; None where one was taken out, so that its neighbours are not adjacent."""

    name: str
    sentences: tuple[str | None, ...]

    @property
    def positions(self) -> tuple[int, ...]:
        """The positions that still have a sentence."""
        return tuple(position for position, sentence in enumerate(self.sentences) if sentence is not None)

    def without(self, fingerprints: AbstractSet[str]) -> SentenceText:
        """The document without the sentences that have one of these fingerprints."""
        remaining = (
            sentence if sentence and fingerprint(sentence) not in fingerprints else None for sentence in self.sentences
        )
        return SentenceText(self.name, tuple(remaining))


def fingerprint(sentence: str) -> str:
    """A sentence as its letters and digits alone, to find it again under other spacing, case and punctuation.

    >>> fingerprint("It rained ; he left .") == fingerprint("It rained; he left.")
    True
    """
    return _NO_LETTERS.sub("", sentence.lower())


def split_text(name: str, paragraphs: Iterable[str], *, language: str = "en") -> SentenceText:
    """A document from its paragraphs; very short and very long sentences are taken out.

    >>> split_text("d", ["It rained all day. Yes.", "The match was off."]).sentences
    ('It rained all day.', None, 'The match was off.')
    """
    every = [sentence for paragraph in paragraphs for sentence in split_sentences(paragraph, language=language)]
    return SentenceText(name, tuple(sentence if _has_fit_length(sentence) else None for sentence in every))


def _has_fit_length(sentence: str) -> bool:
    # Chinese has no spaces; its sentences are measured in pairs of letters.
    size = max(len(sentence.split()), sum(letter > "\u2e7f" for letter in sentence) // 2)
    return MIN_WORDS <= size <= MAX_WORDS
