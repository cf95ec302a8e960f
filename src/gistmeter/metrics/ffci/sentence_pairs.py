"""Sentence pairs: each sentence of a document beside each sentence of its summaries, scored once."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.example import Example

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gistmeter.arrays import FloatArray

BATCH_PAIRS = 4096
"""Pairs of sentences compared together: a document of any length takes the same memory."""


class Comparison(NamedTuple):
    """The sentences of a summary and of its document, and the scores of their pairs (summary x document)."""

    summary_sentences: list[str]
    document_sentences: list[str]
    pair_scores: FloatArray


class SourceSentences:
    """A document's sentences, the distinct sentences of all its summaries, and the scores of their pairs."""

    __slots__ = ("language", "pair_scores", "row_of", "sentences")

    def __init__(self, document_sentences: list[str], language: str) -> None:
        self.sentences = document_sentences
        self.language = language
        self.row_of: dict[str, int] = {}
        self.pair_scores: FloatArray = np.zeros((0, len(document_sentences)))

    def add(self, summary_sentences: Iterable[str]) -> None:
        """Take up the sentences of a summary."""
        for sentence in summary_sentences:
            self.row_of.setdefault(sentence, len(self.row_of))

    def build_pairs(self) -> Iterator[Example]:
        """All pairs as examples; those of a sentence of the document follow each other, so it is encoded once."""
        for document_sentence in self.sentences:
            for summary_sentence in self.row_of:
                yield Example(
                    doc_id="",
                    system="",
                    summary=summary_sentence,
                    references=(document_sentence,),
                    language=self.language,
                )

    def take_scores(self, scores: FloatArray) -> int:
        """Keep the first scores, which are those of `pairs`, and say how many that are."""
        size = len(self.sentences) * len(self.row_of)
        self.pair_scores = scores[:size].reshape(len(self.sentences), len(self.row_of)).T
        return size

    def compare(self, summary_sentences: list[str]) -> Comparison:
        """The scores of one summary's sentences."""
        rows = [self.row_of[sentence] for sentence in summary_sentences]
        return Comparison(summary_sentences, self.sentences, self.pair_scores[rows])


def batch_pairs(pairs: Iterator[Example]) -> Iterator[list[Example]]:
    """The pairs in lists of `BATCH_PAIRS`, the last of which may be shorter."""
    while batch := list(islice(pairs, BATCH_PAIRS)):
        yield batch


def average_highest(pair_scores: FloatArray, count: int) -> FloatArray:
    """For each row the mean of its `count` highest scores; missing ones (NaN) do not count.

    >>> average_highest(np.array([[1.0, 4.0, 2.0], [np.nan, 5.0, np.nan]]), 2)
    array([3., 5.])
    """
    highest = -np.sort(-pair_scores, axis=1)[:, :count]  # NaN is sorted last
    present = ~np.isnan(highest)
    sums, counts = np.where(present, highest, 0.0).sum(axis=1), present.sum(axis=1)
    return np.asarray(np.divide(sums, counts, out=np.full(len(pair_scores), np.nan), where=counts > 0))
