"""Whole words masked, as in the program that the authors of ESTIME released.

It differs from the paper's text, and so from `mask=tokens`, in what it masks and what it asks. All pieces of a word
are masked at once, and the state of the first piece stands for the word. Distances are counted in words, and only the
words to be compared are masked. A window starts `margin` tokens before the first word that is left to read.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.masked.masking import Copy, Masking, load_masked_reader, read_copies, split_ids
from gistmeter.metrics.masked.treebank import split_treebank_words
from gistmeter.models.runtime.batch import RecentCache
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.states import Encoded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.arrays import BoolArray, IntArray
    from gistmeter.models.masked_words.model import MaskedWords
    from gistmeter.models.runtime.load import Dtype

_MEMORY_BYTES = 128 << 20
_NO_PIECE = -1


@dataclass(frozen=True, slots=True, eq=False)
class WordPieces:
    """The words of a normalised text, and the model's pieces of each; a word may have none (control characters)."""

    text: str
    spellings: tuple[str, ...]
    starts: IntArray
    ends: IntArray
    """Where each word stands in the text."""
    pieces: IntArray
    """The ids of all pieces, one word after the other."""
    cuts: IntArray
    """Where the pieces of each word start; one more number than there are words."""

    @property
    def readable(self) -> BoolArray:
        """Words that have pieces."""
        return np.diff(self.cuts) > 0

    @property
    def first_ids(self) -> IntArray:
        """The id of each word's first piece."""
        ids = np.full(len(self.spellings), _NO_PIECE, dtype=np.int64)
        ids[self.readable] = self.pieces[self.cuts[:-1][self.readable]]
        return ids


class WordReader:
    """Texts as the states of their masked words; recent texts are remembered, as many systems share a document."""

    def __init__(self, model: MaskedWords, masking: Masking) -> None:
        self.model = model
        self.masking = masking
        self._recent: RecentCache[Encoded] = RecentCache(_MEMORY_BYTES)

    def split(self, text: str, language: str) -> WordPieces:
        """The words of a text and their pieces."""
        split = split_treebank_words(text, language)
        spellings = tuple(word.text for word in split.words)
        distinct = list(dict.fromkeys(spellings))
        pieces_of = {
            spelling: tokens.ids[tokens.inner]
            for spelling, tokens in zip(distinct, self.model.tokens(distinct), strict=True)
        }
        pieces = [pieces_of[spelling] for spelling in spellings]
        return WordPieces(
            text=split.text,
            spellings=spellings,
            starts=np.array([word.start for word in split.words], dtype=np.int64),
            ends=np.array([word.end for word in split.words], dtype=np.int64),
            pieces=np.concatenate([*pieces, np.empty(0, dtype=np.int64)]),
            cuts=np.cumsum([0, *map(len, pieces)]),
        )

    def read(self, texts: Sequence[WordPieces], chosen: Sequence[BoolArray], layers: Sequence[int]) -> list[Encoded]:
        """Each text with a token for each word: its first piece, its place, and, where it is chosen, its state."""
        wanted = tuple(sorted(set(layers)))
        keys = [(words.text, words_chosen.tobytes()) for words, words_chosen in zip(texts, chosen, strict=True)]
        read: dict[tuple[str, bytes], Encoded] = {}
        missing: dict[tuple[str, bytes], tuple[WordPieces, BoolArray]] = {}
        for key, words, words_chosen in zip(keys, texts, chosen, strict=True):
            recent = self._recent.get(key)
            if recent is not None and recent.states.keys() >= set(wanted):
                read[key] = recent
            else:
                missing[key] = words, words_chosen
        copies = [list(self._make_copies(words, words_chosen)) for words, words_chosen in missing.values()]
        sizes = [len(words.spellings) for words, _ in missing.values()]
        states_of = read_copies(self.model, copies, sizes, wanted)
        for (key, (words, _)), states in zip(missing.items(), states_of, strict=True):
            read[key] = Encoded(
                text=words.text,
                ids=words.first_ids,
                starts=words.starts,
                ends=words.ends,
                special=np.zeros(len(words.spellings), dtype=np.bool_),
                states=states,
            )
            self._recent.keep(key, read[key])
        return [read[key] for key in keys]

    def _make_copies(self, words: WordPieces, chosen: BoolArray) -> Iterator[Copy]:
        """Copies of a text in which each chosen word is masked once."""
        head, _, tail = split_ids(self.model.tokens(["a"])[0])
        for group in _group_apart(np.flatnonzero(chosen & words.readable).tolist(), self.masking.distance):
            left = group
            while left:
                start = max(0, int(words.cuts[left[0]]) - self.masking.margin)
                body = words.pieces[start : start + self.masking.window].copy()
                last = start + self.masking.window - self.masking.margin
                # A word wider than a window is cut off there, so that every round reads at least a word.
                masked = [left[0], *(word for word in left[1:] if words.cuts[word + 1] - 1 <= last)]
                for word in masked:
                    body[words.cuts[word] - start : words.cuts[word + 1] - start] = self.model.mask_id
                positions = np.array(masked, dtype=np.int64)
                firsts = words.cuts[positions] - start + len(head)
                yield Copy(np.concatenate([head, body, tail]), firsts, positions)
                left = left[len(masked) :]


def load_word_reader(name: str, *, dtype: Dtype, masking: Masking) -> WordReader:
    """The reader of whole words of a masked-word model, which is loaded once per process."""
    return _load_reader(name, dtype, masking, current_settings())


@functools.lru_cache(maxsize=4)
def _load_reader(name: str, dtype: Dtype, masking: Masking, settings: RuntimeSettings) -> WordReader:  # noqa: ARG001  (a key)
    return WordReader(load_masked_reader(name, dtype=dtype, masking=masking).model, masking)


def _group_apart(words: list[int], distance: int) -> Iterator[list[int]]:
    """Words in groups, each taken greedily from the left, in which neighbours are at least so many words apart.

    >>> list(_group_apart([0, 1, 2, 5, 9], 4))
    [[0, 5, 9], [1], [2]]
    """
    while words:
        group: list[int] = []
        left: list[int] = []
        for word in words:
            (group if not group or word - group[-1] >= distance else left).append(word)
        yield group
        words = left
