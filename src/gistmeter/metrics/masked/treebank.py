"""Words as the Penn Treebank writes them, with their places: what ESTIME's released program masks whole.

A stop ends a word only at the end of its sentence, clitics ("n't", "'s") are words, and a straight double quote is
written `` or ''. Text is normalised first (NFKD: "é" becomes a letter and an accent, "ﬁ" two letters).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from gistmeter.text.sentences import find_sentences
from gistmeter.text.words import UNSPACED, Word

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLOSING = r"[\])}>\"'»”’ ]*$"
"""What may follow the stop of a sentence."""

_SIGNS = re.compile(
    r"`+|''|[\"«“‘„»”’]"  # quotes
    rf"|\.{{2,}}|(?<=[^.])\.(?={_CLOSING})"  # dots, and the stop of the sentence
    r"|[:,](?=\D|$)|[;@#$%&?!*\u2012-\u2015\[\](){}<>]|--"
    r"|(?<!\w)'(?!(?:re|ve|ll|[mtsdn])\b)(?=\w)|(?<=[^'])'(?= )"  # a single quote before, and after, a word
    rf"|[{UNSPACED}]",
    re.IGNORECASE,
)
"""Words of their own wherever they stand."""

_CLITIC = re.compile(r"(?<=[^'])(?:'[sSmMdD]?|'(?:ll|LL|re|RE|ve|VE)|n't|N'T)$")
_CONTRACTIONS = re.compile(r"\b(?:(can)not|(d)'ye|(gim)me|(gon)na|(got)ta|(lem)me|(more)'n|(wan)na)\b", re.IGNORECASE)
_OPENS_QUOTE = re.compile(r"(?:^|[ (\[{<])$")


@dataclass(frozen=True, slots=True)
class WordText:
    """A normalised text and its words, each with its start and end in that."""

    text: str
    words: tuple[Word, ...]


def split_treebank_words(text: str, language: str = "en") -> WordText:
    """The words of a text, normalised first.

    >>> split = split_treebank_words('Mr. Smith can\\'t say "no." Coffee prices rose 3.5%.')
    >>> [word.text for word in split.words]
    ['Mr.', 'Smith', 'ca', "n't", 'say', '``', 'no', '.', "''", 'Coffee', 'prices', 'rose', '3.5', '%', '.']
    >>> split.text[split.words[5].start : split.words[5].end]
    '"'
    """
    normalised = unicodedata.normalize("NFKD", text)
    words: list[Word] = []
    end = 0
    for start, sentence_end in find_sentences(normalised, language):
        if normalised[end:start].strip():  # a sentence that the splitter changed
            words += _split_sentence(normalised, end, start)
        words += _split_sentence(normalised, start, sentence_end)
        end = sentence_end
    words += _split_sentence(normalised, end, len(normalised))
    return WordText(normalised, tuple(words))


def _split_sentence(text: str, start: int, end: int) -> Iterator[Word]:
    sentence = re.sub(r"\s", " ", text[start:end])  # the same length, so that places stay
    position = 0
    for sign in _SIGNS.finditer(sentence):
        yield from _split_stretch(sentence, position, sign.start(), start)
        yield Word(_write_sign(sentence, sign), start + sign.start(), start + sign.end())
        position = sign.end()
    yield from _split_stretch(sentence, position, len(sentence), start)


def _write_sign(sentence: str, sign: re.Match[str]) -> str:
    """A sign as the Treebank writes it: straight double quotes say whether they open or close."""
    if sign.group() not in ('"', "''"):
        return sign.group()
    return "``" if _OPENS_QUOTE.search(sentence, 0, sign.start()) else "''"


def _split_stretch(sentence: str, start: int, end: int, offset: int) -> Iterator[Word]:
    """The words of a stretch without signs: cut at spaces, clitics and contractions."""
    for chunk in re.finditer(r"\S+", sentence[start:end]):
        cuts = [chunk.start(), chunk.end()]
        clitic = _CLITIC.search(chunk.group())
        if clitic is not None and clitic.start():
            cuts.append(chunk.start() + clitic.start())
        contractions = _CONTRACTIONS.finditer(chunk.group())
        cuts += [chunk.start() + contraction.end(contraction.lastindex or 0) for contraction in contractions]
        for first, last in pairwise(sorted(cuts)):
            if first < last:
                word = sentence[start + first : start + last]
                yield Word(word, offset + start + first, offset + start + last)
