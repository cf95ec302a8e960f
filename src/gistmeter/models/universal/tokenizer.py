"""The tokens of the multilingual Universal Sentence Encoder, with their positions in the text.

The package cuts texts as sentencepiece does and throws positions away. Here the same normalisation (NFKC, one blank for
many) notes which characters of the text each normalised one comes from, so that a token can be shown where it stands:
in a script without blanks, in one that runs from right to left, and where one character becomes several or several one.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.models.runtime.states import Tokens
from gistmeter.text.characters import replace_half_characters

if TYPE_CHECKING:
    from collections.abc import Sequence

UNLIMITED_TOKENS = 1 << 30
_WORD_START = "\u2581"
"""How the vocabulary writes the blank before a word."""
_BLANK = 0x20
_WORD = re.compile(r"[^ \n\t]+")
_CACHED_WORDS, _CACHED_CHARACTERS = 100_000, 40
"""How many words are remembered, and how long they may be: a line of Chinese is one "word" and comes once."""
_START_ID, _END_ID, _UNKNOWN_ID = 1, 2, 0


class _Cut(NamedTuple):
    """The tokens of a stretch of text: ids, starts and ends, and which of them are nothing but a blank."""

    ids: tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    blank: tuple[bool, ...]


class _Normalized(NamedTuple):
    """A text as the vocabulary spells it, and for each of its characters where it comes from: start and end."""

    text: str
    starts: list[int]
    ends: list[int]


class UniversalTokenizer:
    """Texts to tokens: a start mark, the pieces of the text, an end mark.

    A piece that is nothing but the blank before a word (every Chinese text begins with one) is no text: it is marked
    as special, like the marks at either end. No piece has a blank inside, so that texts are cut word by word, and a
    word that comes again is not cut again.
    """

    max_tokens = UNLIMITED_TOKENS
    unknown_id = _UNKNOWN_ID
    marks = (_UNKNOWN_ID, _START_ID, _END_ID)
    """The first of the vocabulary, which stand for no text."""

    def __init__(self, backend: Any) -> None:
        """`backend` is the package's own tokenizer, whose vocabulary, normaliser and search are used."""
        self._pieces: Sequence[str] = backend._pieces
        self._normalizer = backend._normalizer
        self._search = backend._viterbi
        self.log_probabilities: Sequence[float] = backend._scores
        """How probable each piece is in the texts that the vocabulary was made from."""
        self._cuts: dict[str, _Cut] = {}

    def __call__(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text."""
        return [self._read(text) for text in texts]

    def decode(self, token: int) -> str:
        """The text of a token as the vocabulary spells it."""
        return self._pieces[token] if token < len(self._pieces) else self._pieces[_UNKNOWN_ID]

    def _read(self, text: str) -> Tokens:
        ids, starts, ends, special = [_START_ID], [0], [0], [True]
        for word in _WORD.finditer(replace_half_characters(text)):
            cut = self._cut_word(word.group())
            shift = word.start()
            ids += cut.ids
            starts += [0 if blank else shift + start for start, blank in zip(cut.starts, cut.blank, strict=True)]
            ends += [0 if blank else shift + end for end, blank in zip(cut.ends, cut.blank, strict=True)]
            special += cut.blank
        return Tokens(
            text=text,
            ids=np.array([*ids, _END_ID], dtype=np.int64),
            starts=np.array([*starts, 0], dtype=np.int64),
            ends=np.array([*ends, 0], dtype=np.int64),
            special=np.array([*special, True], dtype=np.bool_),
        )

    def _cut_word(self, word: str) -> _Cut:
        cut = self._cuts.get(word)
        if cut is None:
            cut = self._compute_cut(word)
            if len(word) <= _CACHED_CHARACTERS:
                if len(self._cuts) >= _CACHED_WORDS:
                    self._cuts.clear()
                self._cuts[word] = cut
        return cut

    def _compute_cut(self, word: str) -> _Cut:
        normalized = self._normalize(word)
        pieces: list[int] = self._search(normalized.text) if normalized.text else []
        starts, ends, blank = [], [], []
        first = 0
        for piece in pieces:
            last = first + self._count_characters(normalized.text, first, piece)
            while first < last - 1 and normalized.text[first] == _WORD_START:
                first += 1
            blank.append(normalized.text[first] == _WORD_START)
            starts.append(normalized.starts[first])
            ends.append(normalized.ends[last - 1])
            first = last
        return _Cut(ids=tuple(pieces), starts=tuple(starts), ends=tuple(ends), blank=tuple(blank))

    def _count_characters(self, text: str, first: int, piece: int) -> int:
        """How many characters a piece takes; one that the vocabulary does not have is one character."""
        spelt = self._pieces[piece]
        if piece == _UNKNOWN_ID and not text.startswith(spelt, first):
            return 1
        return len(spelt)

    def _normalize(self, text: str) -> _Normalized:
        """What the package's normaliser makes of a text, and where each character of it comes from."""
        if _is_normal(text):
            return _Normalized(_WORD_START + text, [0, *range(len(text))], list(range(len(text) + 1)))
        replace = self._normalizer.normalize_prefix
        encoded = text.encode()
        character_of = _number_characters(text)
        characters: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        position, after_blank = 0, True  # blanks at the start do not count
        while position < len(encoded):
            replacement, length = replace(encoded, position)
            start, end = character_of[position], character_of[position + length - 1] + 1
            position += length
            if after_blank:
                replacement = replacement.lstrip(b" ")
            if not replacement:
                continue
            after_blank = replacement[-1] == _BLANK
            if not characters:  # the text begins as every word does
                characters, starts, ends = [_WORD_START], [start], [start]
            for character in replacement.decode().replace(" ", _WORD_START):
                characters.append(character)
                starts.append(start)
                ends.append(end)
        while characters and characters[-1] == _WORD_START:
            del characters[-1], starts[-1], ends[-1]
        return _Normalized("".join(characters), starts, ends)


def _is_normal(word: str) -> bool:
    """Whether the normaliser leaves a word as it is: letters and digits in NFKC, and the marks of ASCII."""
    if word.isascii():
        return word.isprintable()
    return unicodedata.is_normalized("NFKC", word) and all(
        letter.isalnum() or (letter.isascii() and letter.isprintable()) for letter in word
    )


def _number_characters(text: str) -> Sequence[int]:
    """For each byte of a text in UTF-8 the number of the character it belongs to.

    >>> _number_characters("a\\u00e9b")
    [0, 1, 1, 2]
    """
    if text.isascii():
        return range(len(text))
    lengths = (len(character.encode()) for character in text)
    return list(itertools.chain.from_iterable([number] * count for number, count in enumerate(lengths)))
