"""Candidates: the sentences of a document that an extract may have, and how long it may be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.text.languages import language_code
from gistmeter.text.sentences import split_sentences
from gistmeter.text.words import has_words, split_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.metrics.extracts import Choice


@dataclass(frozen=True, slots=True)
class Candidates:
    """Sentences with their numbers of words, and how many sentences and words an extract of them may have."""

    sentences: tuple[str, ...]
    words: tuple[int, ...]
    most_sentences: int | None = None
    most_words: int | None = None

    @classmethod
    def of(
        cls,
        document: str,
        *,
        language: str = "en",
        most_sentences: int | None = None,
        most_words: int | None = None,
        first_words: int | None = None,
    ) -> Candidates:
        """The sentences of a document that have words; of those that begin within its `first_words`, if given.

        >>> Candidates.of("It rained. ... It was cold.", most_sentences=1).sentences
        ('It rained.', 'It was cold.')
        """
        code = language_code(language)
        sentences = tuple(filter(has_words, split_sentences(document, "split", code)))
        counts = [count_words(sentence, code) for sentence in sentences]
        if first_words is not None:
            near = sum(sum(counts[:position]) < first_words for position in range(len(counts)))
            sentences, counts = sentences[:near], counts[:near]
        return cls(sentences=sentences, words=tuple(counts), most_sentences=most_sentences, most_words=most_words)

    def extend(self, choice: Choice) -> list[Choice]:
        """The choices with one sentence more that are not too long, in the order of the sentence."""
        if self.most_sentences is not None and len(choice) >= self.most_sentences:
            return []
        used = self.count(choice)
        return [
            tuple(sorted((*choice, position)))
            for position in range(len(self.sentences))
            if position not in choice and self._fits(used + self.words[position])
        ]

    def list_all(self) -> Iterator[Choice]:
        """All choices that are not too long: single sentences first, then pairs, and so on."""
        for size in range(1, self._most + 1):
            yield from self._list_longer((), size)

    def count_all(self) -> int:
        """How many choices there are.

        >>> Candidates(("a", "b", "c"), (5, 6, 9), most_sentences=2, most_words=12).count_all()  # not b+c, nor a+c
        4
        """
        if self.most_words is None:
            return sum(math.comb(len(self.sentences), size) for size in range(1, self._most + 1))
        ways = np.zeros((self._most + 1, self.most_words + 1), dtype=object)  # by numbers of sentences and of words
        ways[0, 0] = 1
        for length in self.words:
            if length <= self.most_words:
                ways[1:, length:] += ways[:-1, : self.most_words + 1 - length].copy()
        return int(ways[1:].sum())

    def count(self, choice: Choice) -> int:
        """How many words a choice has."""
        return sum(self.words[position] for position in choice)

    def _list_longer(self, choice: Choice, missing: int) -> Iterator[Choice]:
        """The choices that have so many sentences more, all behind those of a choice, and are not too long."""
        if not missing:
            yield choice
            return
        used = self.count(choice)
        for position in range(choice[-1] + 1 if choice else 0, len(self.sentences) - missing + 1):
            if self._fits(used + self.words[position]):
                yield from self._list_longer((*choice, position), missing - 1)

    @property
    def _most(self) -> int:
        """How many sentences a choice can have."""
        limit = len(self.sentences) if self.most_sentences is None else min(self.most_sentences, len(self.sentences))
        if self.most_words is None:
            return limit
        lengths, size, total = sorted(self.words), 0, 0
        while size < limit and total + lengths[size] <= self.most_words:
            total += lengths[size]
            size += 1
        return size

    def _fits(self, words: int) -> bool:
        return self.most_words is None or words <= self.most_words


def count_words(text: str, language: str = "en") -> int:
    """The words of a text, as the metric `length` counts them.

    >>> count_words("It rained. A lot!")
    4
    """
    return len(split_words(text, language=language_code(language)))
