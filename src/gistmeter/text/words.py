"""Words: how a text falls into tokens, lower-cased.

The default, `unicode`, keeps letters, digits and combining marks of every script together and treats each
character of a script without spaces (Han, kana, Thai, Lao, Khmer, Burmese) as a word. On ASCII text it gives
exactly the tokens of `rouge155`, the rule of ROUGE-1.5.5 and of rouge-score: runs of a-z and 0-9.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gistmeter.extras import missing_extra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Tokenizer = Literal["unicode", "rouge155", "whitespace", "characters", "jieba"]

# Han (with the iteration mark), kana, half-width kana, Thai, Lao, Khmer, Burmese. Written as escapes: some of these
# characters would be changed by an editor that normalises.
UNSPACED = (
    "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003fffd"
    "\u0e00-\u0e7f\u0e80-\u0eff\u1780-\u17ff\u1000-\u109f"
)
_ASCII_TO_SPACE = "".join(chr(c) if chr(c).isalnum() else " " for c in range(128))
_TURKISH_CAPITALS = str.maketrans({"İ": "i", "I": "ı"})


@dataclass(frozen=True, slots=True)
class Word:
    """A token and where it stands in the text it came from."""

    text: str
    start: int
    end: int


def has_words(text: str) -> bool:
    """Whether a text has a letter or a digit of any script.

    >>> has_words("... _"), has_words("№ 5"), has_words("他")
    (False, True, True)
    """
    return any(map(str.isalnum, text))


def has_unspaced(text: str) -> bool:
    """Whether a text has a character of a script that puts no blanks between words.

    >>> has_unspaced("Berlin"), has_unspaced("บ้าน")
    (False, True)
    """
    return re.search(f"[{UNSPACED}]", text) is not None


def is_combining(letter: str) -> bool:
    """Whether a character is a mark on the letter before it."""
    return unicodedata.category(letter) in ("Mn", "Mc")


def split_words(text: str, tokenizer: Tokenizer = "unicode", language: str = "en") -> list[str]:
    """The lower-cased tokens of a text.

    >>> split_words("Für 3,5 Mio. Euro: l'été!", language="fr")
    ['für', '3', '5', 'mio', 'euro', 'l', 'été']
    >>> split_words("他走了 today", language="zh")
    ['他', '走', '了', 'today']
    >>> split_words("Für Elise", tokenizer="rouge155")
    ['f', 'r', 'elise']
    """
    if text.isascii() and is_scannable(tokenizer, language):
        return text.lower().translate(_ASCII_TO_SPACE).split()
    if tokenizer == "jieba":
        return [word.text for word in find_words(text, tokenizer, language)]
    words: list[str] = _pattern(tokenizer).findall(_lower(normalize(text, tokenizer), language))
    return words


def is_scannable(tokenizer: Tokenizer, language: str) -> bool:
    """Whether the words of an ASCII text are its runs of letters and digits (Turkish lower-cases I to ı)."""
    return tokenizer in ("unicode", "rouge155") and language != "tr"


def find_words(text: str, tokenizer: Tokenizer = "unicode", language: str = "en") -> list[Word]:
    """The tokens of `split_words`, each with its start and end in `normalize(text, tokenizer)`."""
    text = normalize(text, tokenizer)
    if tokenizer == "jieba":
        cut = _jieba_cut()
        return [
            Word(_lower(piece, language), start, end)
            for piece, start, end in cut(text)
            if any(letter.isalnum() for letter in piece)
        ]
    # Lower-casing may make a letter longer (the dot of İ): remember where each lowered letter came from.
    lowered_letters, origins = [], []
    for position, letter in enumerate(text):
        lowered = _lower(letter, language)
        lowered_letters.append(lowered)
        origins.extend([position] * len(lowered))
    lowered_text = _lower(text, language)
    if len(lowered_text) != len(origins):  # a letter whose lower case depends on its neighbours
        lowered_text = "".join(lowered_letters)
    return [
        Word(match.group(), origins[match.start()], origins[match.end() - 1] + 1)
        for match in _pattern(tokenizer).finditer(lowered_text)
    ]


def match_words_and_signs(text: str) -> Iterator[re.Match[str]]:
    """Where the words of a text are, as `unicode` splits it but for underscores, and each sign between them.

    >>> [match.group() for match in match_words_and_signs("No_1: 他走!")]
    ['No_1', ':', '他', '走', '!']
    """
    return _words_and_signs().finditer(text)


def normalize(text: str, tokenizer: Tokenizer = "unicode") -> str:
    """A text in composed characters (NFC), so that é is one letter however it was typed; `rouge155` leaves it."""
    return text if text.isascii() or tokenizer == "rouge155" else unicodedata.normalize("NFC", text)


def _lower(text: str, language: str) -> str:
    if language == "tr":
        text = text.translate(_TURKISH_CAPITALS)
    return text.lower()


@functools.cache
def _pattern(tokenizer: Tokenizer) -> re.Pattern[str]:
    if tokenizer == "rouge155":
        return re.compile(r"[a-z0-9]+")
    if tokenizer == "whitespace":
        return re.compile(r"\S+")
    marks = _mark_ranges()
    if tokenizer == "characters":
        return re.compile(rf"[^\W_][{marks}]*")
    return re.compile(rf"[{UNSPACED}][{marks}]*|(?:(?![{UNSPACED}])[^\W_]|[{marks}])+")


@functools.cache
def _words_and_signs() -> re.Pattern[str]:
    marks = _mark_ranges()
    return re.compile(rf"[{UNSPACED}][{marks}]*|(?:(?![{UNSPACED}])\w|[{marks}])+|[^\w\s]")


@functools.cache
def _mark_ranges() -> str:
    """The combining marks, which belong to the letter before them, as the inside of a character class."""
    marks = [c for c in range(sys.maxunicode + 1) if unicodedata.category(chr(c)) in ("Mn", "Mc")]
    ranges: list[list[int]] = []
    for mark in marks:
        if ranges and mark == ranges[-1][1] + 1:
            ranges[-1][1] = mark
        else:
            ranges.append([mark, mark])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)


@functools.cache
def _jieba_cut() -> Callable[[str], list[tuple[str, int, int]]]:
    try:
        import jieba
    except ImportError:
        raise missing_extra("tokenizer=jieba needs the package jieba", "zh") from None
    import logging

    jieba.setLogLevel(logging.WARNING)  # jieba writes to stderr while it builds its dictionary
    return lambda text: list(jieba.tokenize(text))
