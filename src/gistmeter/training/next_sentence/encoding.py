"""Vectors of pairs of sentences, each sentence encoded once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.next_sentence.heads import PairVectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import IntArray, SingleArray
    from gistmeter.models.next_sentence.heads import VectorSource
    from gistmeter.training.next_sentence.pairs import SentencePair
    from gistmeter.training.progress import Progress

BATCH_SENTENCES = 1024


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EncodedPairs:
    """The vectors of distinct sentences on either side, which of them each pair has, and whether the second follows."""

    sides: PairVectors
    first: IntArray
    second: IntArray
    follows: SingleArray

    @property
    def vectors(self) -> tuple[SingleArray, SingleArray]:
        """One row for each pair."""
        return self.sides.first[self.first], self.sides.second[self.second]


@dataclass(frozen=True, slots=True)
class PairEncoder:
    """Gives the vectors of pairs and tells how far it is."""

    vectors: VectorSource
    progress: Progress

    def encode(self, pairs: Sequence[SentencePair], task: str) -> EncodedPairs:
        """Encode the distinct sentences of these pairs."""
        row_of: dict[str, int] = {}
        rows = np.array(
            [[row_of.setdefault(text, len(row_of)) for text in (pair.first, pair.second)] for pair in pairs]
        )
        sentences = list(row_of)
        batches = []
        for start in range(0, len(sentences), BATCH_SENTENCES):
            self.progress.advance(task, start, len(sentences))
            batches.append(self.vectors.of(sentences[start : start + BATCH_SENTENCES]))
        self.progress.advance(task, len(sentences), len(sentences))
        return EncodedPairs(
            sides=PairVectors(
                np.concatenate([batch.first for batch in batches]), np.concatenate([batch.second for batch in batches])
            ),
            first=rows[:, 0],
            second=rows[:, 1],
            follows=np.array([pair.follows for pair in pairs], np.float32),
        )
