"""Passages: which sentences of a document are laid before the judge for a sentence of its summary.

They are chosen by words: the sentence that has the most content words of the claim, rare ones counting more, then those
that add the most. They stand in the document's order, few enough that the judge reads them closely.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.models.presence.premises import content_stems
from gistmeter.text.sentences import split_sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_SENTENCES = 3
MAX_WORDS = 90
"""Words of all passages together; the first one is taken whatever its length."""

_MIN_GAIN = 0.04
"""Share of the claim's weight that a further sentence must add."""


@dataclass(frozen=True, slots=True)
class SplitDocument:
    """A document's sentences with their content stems, and how much each stem counts in it."""

    sentences: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    weights: Mapping[str, float]

    @classmethod
    def of(cls, sentences: Sequence[str], language: str = "en") -> SplitDocument:
        """A document from its sentences."""
        stems = tuple(content_stems(sentence, language) for sentence in sentences)
        counts = Counter(stem for of_sentence in stems for stem in of_sentence)
        weights = {stem: math.log(1 + len(sentences) / count) for stem, count in counts.items()}
        return cls(tuple(sentences), stems, weights)


def split_document(document: str, language: str = "en") -> SplitDocument:
    """A document as passages are chosen from it; sentences without a word are left out.

    >>> split_document("It rained. ... The match was off.").sentences
    ('It rained.', 'The match was off.')
    """
    sentences = [sentence for line in document.split("\n") for sentence in split_sentences(line, "split", language)]
    return SplitDocument.of(list(filter(has_words, sentences)), language)


def choose_passages(
    document: SplitDocument,
    claim: str,
    language: str = "en",
    *,
    max_sentences: int = MAX_SENTENCES,
    max_words: int = MAX_WORDS,
) -> tuple[int, ...]:
    """The numbers of the sentences that match a claim best, in their order: one at least, if there is one.

    >>> document = split_document("It rained. The match was called off. Ann Lee, the coach, was sad. Fans left.")
    >>> choose_passages(document, "Ann Lee is sad that the match was off.")
    (1, 2)
    """
    wanted = content_stems(claim, language)
    weights = document.weights
    total = sum(weights.get(stem, 0.0) for stem in wanted) or 1.0
    shared = {number: stems & wanted for number, stems in enumerate(document.stems)}
    chosen: list[int] = []
    words = 0
    covered: frozenset[str] = frozenset()
    while len(chosen) < min(max_sentences, len(document.sentences)):
        remaining = [number for number in shared if number not in chosen]
        gains = {number: _weigh(shared[number] - covered, weights) for number in remaining}
        best = max(
            remaining,
            key=lambda number: (gains[number], _weigh(shared[number], weights), -_distance(number, chosen), -number),
        )
        length = len(document.sentences[best].split())
        if chosen and (gains[best] < _MIN_GAIN * total or words + length > max_words):
            break
        chosen.append(best)
        words += length
        covered |= shared[best]
    return tuple(sorted(chosen))


def join_passages(document: SplitDocument, numbers: Sequence[int]) -> str:
    """The text of passages."""
    return " ".join(document.sentences[number] for number in numbers)


def _weigh(stems: frozenset[str], weights: Mapping[str, float]) -> float:
    return round(sum(weights[stem] for stem in sorted(stems)), 9)


def _distance(number: int, chosen: Sequence[int]) -> int:
    return min((abs(number - other) for other in chosen), default=0)
