"""The scanner: ASCII texts to token numbers in one compiled pass, for the tokenizers whose words are runs of a-z, 0-9.

It keeps a hash table from the letters of a word to its number. Letters are compared, not hashes alone, so that no two
words can be confused. Words it has not met before are stemmed and numbered in Python, once each.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_EMPTY = -1
INITIAL_SLOTS = 1 << 12
_FNV_START = np.uint64(14695981039346656037)
_FNV_PRIME = np.uint64(1099511628211)
_TOP_BITS = np.uint64(16)


class Scanner:
    """Token numbers for ASCII texts; `numbers` says the number of a word when it is first met."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        self._numbers = numbers
        self._words = 0
        self._letters = np.empty(0, dtype=np.uint8)
        """The letters of all words met, one word after the other; word i starts at `_starts[i]`."""
        self._starts = np.zeros(1, dtype=np.int64)
        self._word_numbers = np.empty(0, dtype=np.int32)
        self._slots = np.full(INITIAL_SLOTS, _EMPTY, dtype=np.int32)
        """The hash table: numbers of words, or -1."""

    def scan(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        """The numbers of the words of each text, which must be ASCII.

        >>> numbers = {"the": 0, "cat": 1}
        >>> [array.tolist() for array in Scanner(numbers).scan(["The cat, THE", "", "cat's"[:3]])]
        [[0, 1, 0], [], [1]]
        """
        buffer = np.frombuffer("".join(texts).encode("ascii"), dtype=np.uint8)
        ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
        self._make_room(len(buffer), len(texts))
        token_words, counts, words = _scan(buffer, ends, self._slots, self._letters, self._starts, self._words)
        self._number_new_words(words)
        numbers = self._word_numbers[token_words]
        bounds = [0, *np.cumsum(counts).tolist()]
        return [numbers[start:end] for start, end in pairwise(bounds)]

    def _make_room(self, size: int, texts: int) -> None:
        """Room for all words that so many texts of this size in all could hold, were each of them new."""
        new_words = (size + texts) // 2 + 1
        if len(self._starts) < self._words + new_words + 1:
            self._starts = np.concatenate([self._starts, np.zeros(len(self._starts) + new_words, dtype=np.int64)])
        if len(self._letters) < self._starts[self._words] + size:
            self._letters = np.concatenate([self._letters, np.empty(len(self._letters) + size, dtype=np.uint8)])
        if len(self._slots) < 2 * (self._words + new_words):
            self._slots = np.full(1 << int(4 * (self._words + new_words)).bit_length(), _EMPTY, dtype=np.int32)
            _insert_all(self._slots, self._letters, self._starts, self._words)

    def _number_new_words(self, words: int) -> None:
        if words == self._words:
            return
        bounds = self._starts[self._words : words + 1]
        letters = self._letters[bounds[0] : bounds[-1]].tobytes().decode("ascii")
        ends = (bounds - bounds[0]).tolist()
        new = [self._numbers[letters[start:end]] for start, end in pairwise(ends)]
        self._word_numbers = np.concatenate([self._word_numbers, np.array(new, dtype=np.int32)])
        self._words = words


@njit(cache=True, nogil=True)
def _insert_all(slots: NDArray[np.int32], letters: NDArray[np.uint8], starts: NDArray[np.int64], words: int) -> None:
    mask = len(slots) - 1
    for word in range(words):
        code = _FNV_START
        for i in range(starts[word], starts[word + 1]):
            code = (code ^ np.uint64(letters[i])) * _FNV_PRIME
        slot = np.int64(code >> _TOP_BITS) & mask
        while slots[slot] != _EMPTY:
            slot = (slot + 1) & mask
        slots[slot] = word


@njit(cache=True, nogil=True)
def _scan(
    buffer: NDArray[np.uint8],
    ends: NDArray[np.int64],
    slots: NDArray[np.int32],
    letters: NDArray[np.uint8],
    starts: NDArray[np.int64],
    words: int,
) -> Any:
    """The word of each token by its number in the table, the number of tokens of each text, and of words in all.

    A word that is not in the table is put there.
    """
    token_words = np.empty((len(buffer) + len(ends)) // 2 + 1, np.int32)
    counts = np.zeros(len(ends), np.int64)
    mask = len(slots) - 1
    position = tokens = 0
    for text in range(len(ends)):
        end = ends[text]
        while position < end:
            # The word is written after the last one; if it turns out to be in the table, it is simply not counted.
            first = starts[words]
            size = 0
            code = _FNV_START
            while position < end:
                letter = buffer[position]
                if 65 <= letter <= 90:
                    letter += np.uint8(32)
                elif not (97 <= letter <= 122 or 48 <= letter <= 57):
                    break
                letters[first + size] = letter
                code = (code ^ np.uint64(letter)) * _FNV_PRIME
                size += 1
                position += 1
            if size == 0:
                position += 1
                continue
            slot = np.int64(code >> _TOP_BITS) & mask
            found_word = -1
            while slots[slot] != _EMPTY:
                candidate = slots[slot]
                if starts[candidate + 1] - starts[candidate] == size:
                    same = True
                    for i in range(size):
                        if letters[starts[candidate] + i] != letters[first + i]:
                            same = False
                            break
                    if same:
                        found_word = candidate
                        break
                slot = (slot + 1) & mask
            if found_word < 0:
                found_word = words
                slots[slot] = words
                starts[words + 1] = first + size
                words += 1
            token_words[tokens] = found_word
            tokens += 1
            counts[text] += 1
    return token_words[:tokens], counts, words
