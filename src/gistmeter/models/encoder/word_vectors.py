"""Vectors of single words out of any context: the embedded encoder's table of word pieces, read without its network."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.runtime.locate import locate
from gistmeter.weights import read_tensors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_TABLE = "embeddings.word_embeddings.weight"
_LONGEST_PIECE = 18
_MOST_WORDS = 50_000


class WordVectors:
    """A vector of length 1 for each lower-case word: the mean of its pieces, less the mean of all pieces."""

    def __init__(self, pieces: dict[str, int], table: NDArray[np.float32]) -> None:
        self._pieces = pieces
        self._table = table - table.mean(axis=0)
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def find(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The vectors of words, one row for each; a word that has no known piece has zeros."""
        if len(self._vectors) > _MOST_WORDS:
            self._vectors.clear()
        for word in words:
            if word not in self._vectors:
                self._vectors[word] = self._compute(word)
        return np.stack([self._vectors[word] for word in words]) if words else np.zeros((0, self._table.shape[1]), "f4")

    def _compute(self, word: str) -> NDArray[np.float32]:
        numbers = self._split(word)
        mean = self._table[numbers].mean(axis=0) if numbers else np.zeros(self._table.shape[1], np.float32)
        length = float(np.linalg.norm(mean))
        return np.asarray(mean / length if length else mean, dtype=np.float32)

    def _split(self, word: str) -> list[int]:
        """The numbers of the longest pieces from the left; none where a part of the word is in no piece."""
        numbers, start = [], 0
        while start < len(word):
            for end in range(min(len(word), start + _LONGEST_PIECE), start, -1):
                piece = word[start:end] if start == 0 else f"##{word[start:end]}"
                if piece in self._pieces:
                    numbers.append(self._pieces[piece])
                    start = end
                    break
            else:
                return []
        return numbers


@functools.cache
def load_word_vectors() -> WordVectors:
    """The vectors of the embedded encoder's word pieces (English).

    >>> king, queen, tax = load_word_vectors().find(["king", "queen", "tax"])
    >>> bool(king @ queen > king @ tax + 0.1)
    True
    """
    checkpoint = locate()
    lines = (checkpoint.folder / "vocab.txt").read_text("utf-8").splitlines()
    (file,) = checkpoint.weights
    tensors = read_tensors(file, "vectors of words").arrays
    (table,) = (array for name, array in tensors.items() if name.endswith(_TABLE))
    return WordVectors({piece: number for number, piece in enumerate(lines)}, np.asarray(table, np.float32))
