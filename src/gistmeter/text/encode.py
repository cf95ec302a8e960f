"""Encoding: texts as arrays of token numbers, so that compiled loops can compare them.

Numbers mean the same token only within one call of `encode`: the vocabulary is dropped when it grows large, so
that an endless stream of texts needs no endless memory.
"""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.text.scanner import Scanner
from gistmeter.text.sentences import split_sentences
from gistmeter.text.stems import get_stemmer
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import is_scannable, split_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from gistmeter.text.analysis import Analysis

MAX_CACHED_WORDS = 200_000
MAX_CACHED_TEXTS = 20_000
_STOP_WORD = -1


@dataclass(frozen=True, slots=True)
class Ragged:
    """Token numbers of many texts in one array; text i is `ids[starts[i]:starts[i + 1]]`."""

    ids: NDArray[np.int32]
    starts: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each text has."""
        return np.diff(self.starts)


@dataclass(frozen=True, slots=True)
class RaggedSentences:
    """Token numbers by sentence; sentences of text i are `text_starts[i]` to `text_starts[i + 1]` of `sentences`."""

    sentences: Ragged
    text_starts: NDArray[np.int64]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How many tokens each text has, over all its sentences."""
        return np.diff(self.sentences.starts[self.text_starts])


class Lexicon:
    """The token numbers of one analysis, with a cache of encoded texts for the next metric of the batch."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self._lock = threading.Lock()  # threads share a lexicon: one at a time numbers words
        self._clear_words()

    def encode(self, *groups: Sequence[str]) -> list[Ragged]:
        """Encode groups of texts so that equal tokens have equal numbers in all of them.

        >>> from gistmeter.text.analysis import Analysis
        >>> a, b = Lexicon(Analysis()).encode(["the cat"], ["the dog", "a cat"])
        >>> a.ids.tolist(), b.ids.tolist(), b.starts.tolist()
        ([0, 1], [0, 2, 3, 1], [0, 2, 4])
        """
        with self._lock:
            self._clear_if_large()
            arrays, cut = self._text_arrays, self.analysis.cut
            new = list(dict.fromkeys(text for group in groups for text in group if text not in arrays))
            arrays.update(zip(new, self._number_words([cut(text) for text in new]), strict=True))
            return [_make_ragged([arrays[text] for text in group]) for group in groups]

    def encode_sentences(
        self, *groups: tuple[Sequence[str], Sequence[Literal["newline", "split"]]]
    ) -> list[RaggedSentences]:
        """Encode groups of (texts, rule for the sentences of each) by sentence, with shared numbers."""
        with self._lock:
            self._clear_if_large()
            keys_by_group = [list(zip(rules, texts, strict=True)) for texts, rules in groups]
            new = list(
                dict.fromkeys(key for group in keys_by_group for key in group if key not in self._sentence_arrays)
            )
            analysis = self.analysis
            sentences_of_texts = [split_sentences(analysis.cut(text), rule, analysis.language) for rule, text in new]
            arrays = iter(self._number_words([sentence for text in sentences_of_texts for sentence in text]))
            for key, text in zip(new, sentences_of_texts, strict=True):
                self._sentence_arrays[key] = [array for _ in text if len(array := next(arrays))]
            return [_make_ragged_sentences([self._sentence_arrays[key] for key in group]) for group in keys_by_group]

    def _number_words(self, texts: Sequence[str]) -> list[NDArray[np.int32]]:
        """The token numbers of each text, stop words left out."""
        numbers = self._numbers
        tokenizer, language = self.analysis.tokenizer, self.analysis.language
        arrays: dict[int, NDArray[np.int32]] = {}
        if is_scannable(tokenizer, language):
            plain = [i for i, text in enumerate(texts) if text.isascii()]
            arrays = dict(zip(plain, self._scanner.scan([texts[i] for i in plain]), strict=True))
        for i, text in enumerate(texts):
            if i not in arrays:
                surface = split_words(text, tokenizer, language)
                arrays[i] = np.array([numbers[word] for word in surface], dtype=np.int32)
        if numbers.drops:
            arrays = {i: array[array != _STOP_WORD] for i, array in arrays.items()}
        return [arrays[i] for i in range(len(texts))]

    def _clear_if_large(self) -> None:
        if len(self._numbers) > MAX_CACHED_WORDS:
            self._clear_words()
        elif max(len(self._text_arrays), len(self._sentence_arrays)) > MAX_CACHED_TEXTS:
            self._clear_texts()

    def _clear_words(self) -> None:
        self._numbers = _StemNumbers(self.analysis)
        self._scanner = Scanner(self._numbers)
        self._clear_texts()

    def _clear_texts(self) -> None:
        self._text_arrays: dict[str, NDArray[np.int32]] = {}
        self._sentence_arrays: dict[tuple[str, str], list[NDArray[np.int32]]] = {}


@functools.lru_cache(maxsize=64)
def get_lexicon(analysis: Analysis) -> Lexicon:
    """The lexicon of an analysis, shared by all metrics of this process that use it."""
    return Lexicon(analysis)


class _StemNumbers(dict[str, int]):
    """From word to the number of its stem; a new word is stemmed and numbered when first asked for."""

    def __init__(self, analysis: Analysis) -> None:
        super().__init__()
        self.drops = load_stopwords(analysis.stopwords, analysis.language)
        self._stem = get_stemmer(analysis.stem)
        self._stems: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        if word in self.drops:
            number = _STOP_WORD
        else:
            number = self._stems.setdefault(self._stem(word), len(self._stems))
        self[word] = number
        return number


def _make_ragged(arrays: Sequence[NDArray[np.int32]]) -> Ragged:
    ids = np.concatenate(arrays) if arrays else np.empty(0, dtype=np.int32)
    return Ragged(ids, _starts(len(array) for array in arrays))


def _make_ragged_sentences(texts: Sequence[list[NDArray[np.int32]]]) -> RaggedSentences:
    flat = _make_ragged([sentence for text in texts for sentence in text])
    return RaggedSentences(flat, _starts(len(text) for text in texts))


def _starts(lengths: Iterable[int]) -> NDArray[np.int64]:
    return np.cumsum([0, *lengths], dtype=np.int64)
