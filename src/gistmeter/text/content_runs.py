"""Runs of words that say something, between words that do not: phrases of a text in a language without a parser.

A run ends at punctuation, at a stop word (Rose et al. 2010 find keywords so), after a few words, and after a name: a
word with a capital before one without, but for the first word of a sentence. It is no noun phrase: it may be a verb.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gistmeter.text.languages import language_code
from gistmeter.text.sentences import find_sentences
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import UNSPACED, find_words, split_words

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_WORDS = 4
"""Of a run: a longer one goes on as another."""
_MOST_WORDS_UNSPACED = 2

_LETTER = rf"(?:(?![{UNSPACED}])[^\W_][\u0300-\u036f]*)"
_WORD = re.compile(rf"{_LETTER}+(?:[-‐‑]{_LETTER}+|(?<=\d)[.,:](?=\d){_LETTER}+)*|[{UNSPACED}]+")
_SUFFIXED_WORD = re.compile(rf"{_LETTER}+(?:[-‐‑'’]{_LETTER}+|(?<=\d)[.,:](?=\d){_LETTER}+)*|[{UNSPACED}]+")
_SPACE = re.compile(r"[^\S\n]*")


def find_content_runs(text: str, language: str) -> list[tuple[int, int]]:
    """The runs of a text, as offsets in its characters.

    >>> text = "Der Stadtrat von Lyon stimmte am Montag für die neue Brücke."
    >>> [text[start:end] for start, end in find_content_runs(text, "de")]
    ['Stadtrat', 'Lyon', 'stimmte', 'Montag', 'neue Brücke']

    Raises
    ------
    DataError
        There are no stop words in the language.
    """
    code = language_code(language)
    stopwords = load_stopwords("language", code)
    most = _MOST_WORDS_UNSPACED if code == "zh" else MOST_WORDS
    first_of_sentence = {start for start, _ in find_sentences(text, code)}
    runs: list[tuple[int, int]] = []
    count = 0  # words of the last run; 0 where no word can be added to it
    for start, end in _find_raw_words(text, code):
        is_near = count > 0 and _SPACE.fullmatch(text, runs[-1][1], start) is not None
        if _says_nothing(text[start:end], code, stopwords):
            count = 0
        elif is_near and count < most:
            runs[-1] = (runs[-1][0], end)
            count += 1
        else:
            runs.append((start, end))
            count = 1
        if count and text[start].isupper() and start not in first_of_sentence and not _is_capital_next(text, end):
            count = 0
    return runs


def _says_nothing(word: str, code: str, stopwords: frozenset[str]) -> bool:
    parts = split_words(word, language=code)
    return all(part in stopwords for part in (["".join(parts)] if code == "zh" else parts))


def _is_capital_next(text: str, end: int) -> bool:
    """Whether the word behind this place begins with a capital."""
    match = _SPACE.match(text, end)
    return match is not None and text[match.end() : match.end() + 1].isupper()


def _find_raw_words(text: str, code: str) -> Iterator[tuple[int, int]]:
    """The words of a text as it is, without composing its letters: offsets stay those of the text."""
    # An apostrophe cuts a word in most languages (l'été); in Turkish it is followed by an ending (Ankara'da).
    pattern = _SUFFIXED_WORD if code == "tr" else _WORD
    for match in pattern.finditer(text):
        if code == "zh" and re.match(f"[{UNSPACED}]", match[0]):
            for word in find_words(match[0], "jieba", code):
                yield match.start() + word.start, match.start() + word.end
        else:
            yield match.span()
