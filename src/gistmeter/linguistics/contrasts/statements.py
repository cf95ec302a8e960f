"""Statements as contrasts read them: words with their stems and sentences, and the numbers among them."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.linguistics.contrasts.words import (
    Meaning,
    bound_words,
    meanings_of,
    measured_sections,
    number_words,
    ordinal_words,
    scale_words,
)
from gistmeter.text.sentences import resolve_sentence_rule, split_sentences
from gistmeter.text.stems import get_stemmer
from gistmeter.text.stopwords import load_stopwords

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN = re.compile(
    r"\d+(?:st|nd|rd|th)\b|\d+(?:[.,]\d+)*(?:[-–]\d+(?:[.,]\d+)*)*|[$€£¥%]|n['’]t\b"
    r"|[^\W\d_]+(?=n['’]t\b)|[^\W\d_]+(?:['’][^\W\d_]+)*|[.,;:!?()\"]"
)
_SPACED_COMMA = re.compile(r"(?<=\d) ?, ?(?=\d{3}\b)")
"""A comma within a number, which tokenised text sets apart."""
YEAR = re.compile(r"\b(?:1[5-9]\d\d|20\d\d)\b")
_BREAKS = frozenset('.,;:!?()"')
_TOLERANCE = 1e-3
"""Relative difference below which two numbers are the same."""
_INEXACT = 0.06
"""The same where one of them is said to be about right."""
_FARTHEST = 2
"""How many times a bound, or what part of it, a number may be to be told by it."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign: as it is written, in lower case, its stem, and its sentence."""

    text: str
    lower: str
    stem: str
    sentence: int
    is_content: bool
    is_name: bool

    @property
    def is_break(self) -> bool:
        """Whether it is punctuation, across which negations and hedges do not reach."""
        return self.text in _BREAKS


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a statement: its value, what kind it is, and what it counts (the stem of the next content word)."""

    start: int
    end: int
    value: float
    kind: str
    """`plain`, `ordinal`, `year`, or `score` (28-27; its value is then that of the text)."""

    counted: str
    measures: tuple[Meaning, ...]
    """Periods, lengths, currencies and the like that say what it is of, or per what."""

    text: str
    bound: str = ""
    """What the words before it make of it: `above`, `below`, `about`, or nothing."""

    def agrees_with(self, other: Number) -> bool:
        """Whether a text with another number says this: the same, a year being a plain number too, or within bounds.

        `over 7 million` is said by 7.3 million, but not by 70 million, and 7.3 million not by `over 7 million`.
        """
        if "score" in (self.kind, other.kind):
            return self.kind == other.kind and self.text == other.text
        if (self.kind == "ordinal") != (other.kind == "ordinal"):
            return False
        difference = abs(self.value - other.value)
        if difference <= (_INEXACT if self.bound or other.bound else _TOLERANCE) * max(self.value, other.value):
            return True
        if self.bound == "above":
            return self.value < other.value <= _FARTHEST * self.value
        return self.bound == "below" and self.value / _FARTHEST <= other.value < self.value


@dataclass(frozen=True, slots=True)
class Statement:
    """A text as contrasts read it."""

    tokens: tuple[Token, ...]
    numbers: tuple[Number, ...]

    @property
    def sentences(self) -> int:
        """How many sentences it has."""
        return self.tokens[-1].sentence + 1 if self.tokens else 0


@functools.lru_cache(maxsize=8192)
def read_statement(text: str) -> Statement:
    """The tokens and numbers of a text.

    >>> statement = read_statement("It cost $6.8 million in 2019, not forty-two crowns.")
    >>> [(number.value, number.kind, number.counted) for number in statement.numbers]
    [(6800000.0, 'plain', 'dollar'), (2019.0, 'year', ''), (42.0, 'plain', 'crown')]
    """
    tokens: list[Token] = []
    sentences = split_sentences(text, resolve_sentence_rule("auto", text))
    for number, sentence in enumerate(sentences):
        tokens += _read_tokens(sentence, number)
    return Statement(tuple(tokens), tuple(_find_numbers(tokens)))


def _read_tokens(sentence: str, number: int) -> list[Token]:
    stem, function_words = get_stemmer("porter"), load_stopwords("language", "en")
    tokens: list[Token] = []
    for match in _TOKEN.finditer(_SPACED_COMMA.sub(",", sentence)):
        text = match.group()
        lower = text.lower().replace("’", "'")
        base = lower.removesuffix("'s")
        is_word = text[0].isalpha()
        tokens.append(
            Token(
                text=text,
                lower=lower,
                stem=stem(base) if is_word else lower,
                sentence=number,
                is_content=is_word and base not in function_words,
                is_name=is_word and text[0].isupper() and bool(tokens) and not meanings_of(lower),
            )
        )
    return tokens


def _find_numbers(tokens: list[Token]) -> list[Number]:
    numbers: list[Number] = []
    start = 0
    while start < len(tokens):
        number = _read_number(tokens, start)
        if number is None:
            start += 1
        else:
            numbers.append(number)
            start = number.end
    return numbers


def _read_number(tokens: list[Token], start: int) -> Number | None:
    lower, end, kind = tokens[start].lower, start + 1, "plain"
    value: float | None
    if lower in ordinal_words() or re.fullmatch(r"\d+(?:st|nd|rd|th)", lower):
        value, kind = float(ordinal_words().get(lower) or re.sub(r"\D", "", lower)), "ordinal"
    elif re.fullmatch(r"[\d.,]+(?:[-–][\d.,]+)+", lower):
        value, kind = float("nan"), "score"
    else:
        value = _parse_word(lower)
        if value is None or (lower == "one" and not _counts(tokens, start)):
            return None
        if 20 <= value < 100 and value % 10 == 0 and 0 < number_words().get(_lower(tokens, end), 0) < 10:
            value, end = value + number_words()[tokens[end].lower], end + 1
        while _lower(tokens, end) in scale_words():
            value, end = value * scale_words()[tokens[end].lower], end + 1
        if end == start + 1 and YEAR.fullmatch(lower):
            kind = "year"
    return Number(
        start=start,
        end=end,
        value=value,
        kind=kind,
        counted="" if kind == "year" else _counted(tokens, end, start),
        measures=tuple(_find_measures(tokens, end, start)),
        text=" ".join(token.text for token in tokens[start:end]).replace("–", "-"),
        bound=next((bound_words()[word] for word in _words_before(tokens, start) if word in bound_words()), ""),
    )


def _words_before(tokens: list[Token], start: int) -> list[str]:
    """The word before a number, leaving out a currency sign."""
    before = [token.lower for token in tokens[max(0, start - 2) : start] if token.lower not in "$€£¥"]
    return before[-1:]


def _lower(tokens: list[Token], position: int) -> str:
    return tokens[position].lower if position < len(tokens) else ""


def _find_measures(tokens: list[Token], after: int, before: int) -> Iterator[Meaning]:
    """What a number is of (2 euros) and per what (a litre): the sign before it, the next two words, and a rate."""
    words = [tokens[before - 1].lower] if before else []
    words += [token.lower for token in tokens[after : after + 2]]
    rates = [
        position + 1
        for position in range(after, after + 5)
        if _lower(tokens, position) in ("a", "an", "per", "every", "each")
    ]
    words += [_lower(tokens, position) for position in rates]
    for word in dict.fromkeys(words):
        yield from (meaning for meaning in meanings_of(word) if meaning.section in measured_sections())


def _counts(tokens: list[Token], start: int) -> bool:
    """Whether `one` is a number: a scale or a content word follows."""
    after = tokens[start + 1] if start + 1 < len(tokens) else None
    return after is not None and (after.lower in scale_words() or after.is_content)


def _parse_word(lower: str) -> float | None:
    """The value of digits, or of a number word below a hundred."""
    if not lower[0].isdigit():
        return number_words().get(lower)
    is_grouped = re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", lower) is not None
    try:
        return float(lower.replace(",", "" if is_grouped else "."))
    except ValueError:
        return None


def _counted(tokens: list[Token], after: int, before: int) -> str:
    """What a number counts: the currency sign before it, a percent sign, or the next content word."""
    if before and tokens[before - 1].lower in "$€£¥":
        return meanings_of(tokens[before - 1].lower)[0].name
    for token in tokens[after : after + 3]:
        if token.lower in ("%", "percent") or (
            token.lower == "per" and "cent" in [t.lower for t in tokens[after : after + 2]]
        ):
            return "percent"
        if token.is_break:
            break
        if token.is_content:
            currency = [meaning for meaning in meanings_of(token.lower) if meaning.section == "currency"]
            return currency[0].name if currency else token.stem
    return ""
