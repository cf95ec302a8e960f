"""Numbers and what may take their place: a number of the same sort from the document, or one near by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gistmeter.linguistics.contrasts.statements import YEAR
from gistmeter.linguistics.contrasts.words import number_words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_NUMBER_WORDS = tuple(word for word, value in number_words().items() if value > 1)
_DIGITS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?")
_STEPS = (1, 2, -1, 3, -2, 5)
_MOST_FROM_DOCUMENT = 8


def is_number(word: Token) -> bool:
    """Whether a word is a number of more than one: digits, or a number word.

    What follows `one` and `1` is in the singular, so they stay.
    """
    return number_sort(word.text) != ""


def number_sort(text: str) -> str:
    """What sort of number a word is, empty for none: only numbers of a sort take each other's place.

    >>> [number_sort(text) for text in ("1998", "12", "3,400", "6.8", "Seven", "one", "F16")]
    ['year', '2', '4', '1.1', 'word', '', '']
    """
    if text.lower() in _NUMBER_WORDS:
        return "word"
    if YEAR.fullmatch(text):
        return "year"
    if not _DIGITS.fullmatch(text) or text in ("0", "1"):
        return ""
    whole, _, decimals = text.replace(",", "").partition(".")
    return f"{len(whole)}.{len(decimals)}" if decimals else str(len(whole))


def list_other_numbers(word: Token, document: Doc) -> list[str]:
    """Other numbers of the sort: those of the document that the summary does not have, or else some near by."""
    sort = number_sort(word.text)
    in_summary = {other.text.lower() for other in word.doc}
    from_document = dict.fromkeys(
        other.text if sort != "word" else other.lower_
        for other in document
        if number_sort(other.text) == sort and other.lower_ not in in_summary
    )
    near = [other for other in shift_number(word.text) if other not in in_summary]
    return list(from_document)[:_MOST_FROM_DOCUMENT] or near


def shift_number(text: str) -> list[str]:
    """Numbers near a number, written as it is.

    >>> shift_number("6.8"), shift_number("nine")[:2], shift_number("3,400")[0]
    (['6.9', '7.0', '6.7', '7.1', '6.6', '7.3'], ['ten', 'eleven'], '3,500')
    """
    if text.lower() in _NUMBER_WORDS:
        position = _NUMBER_WORDS.index(text.lower())
        return [_NUMBER_WORDS[position + step] for step in _STEPS if 0 <= position + step < len(_NUMBER_WORDS)]
    decimals = len(text.partition(".")[2])
    value = int(re.sub(r"[.,]", "", text))
    unit = 1
    while value and value % (unit * 10) == 0 and not decimals and not YEAR.fullmatch(text):
        unit *= 10  # round numbers stay as round
    shifted = [value + step * unit for step in _STEPS]
    return [_write(number, decimals, grouped="," in text) for number in shifted if number > 1]


def _write(value: int, decimals: int, *, grouped: bool) -> str:
    whole, rest = divmod(value, 10**decimals)
    return (f"{whole:,}" if grouped else str(whole)) + (f".{rest:0{decimals}d}" if decimals else "")
