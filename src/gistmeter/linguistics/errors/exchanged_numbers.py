"""Errors of numbers and years: another number of the document, digits exchanged, or a number near by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.contrasts.clauses import TextChange
from gistmeter.linguistics.contrasts.statements import YEAR
from gistmeter.linguistics.errors.exchanged_words import find_days
from gistmeter.linguistics.errors.other_numbers import is_number, list_other_numbers, number_sort, shift_number

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from gistmeter.linguistics.errors.context import ErrorContext

_MIRRORED_DIGITS = 2


def find_numbers(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Numbers exchanged: for another of the document, with their digits turned round, or for one near by."""
    words = [word for word in doc if is_number(word) and number_sort(word.text) != "year"]
    return [
        TextChange(word.idx, word.idx + len(word), other)
        for word in words
        if (other := _choose_number(word, context)) is not None
    ]


def find_dates(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Years, weekdays, months and times of day exchanged for others."""
    changes = find_days(doc, context)
    for word in doc:
        if YEAR.fullmatch(word.text):
            others = list_other_numbers(word, context.document)
            if others:
                changes.append(TextChange(word.idx, word.idx + len(word), context.draw(others)))
    return sorted(changes, key=lambda change: change.start)


def _choose_number(word: Token, context: ErrorContext) -> str | None:
    """Another number that is written as this one is."""
    own = word.text
    in_text = {other.lower_ for other in word.doc}
    mirrored = own[::-1]
    choices = [
        [other for other in list_other_numbers(word, context.document) if other.lower() not in in_text],
        [other for other in shift_number(own) if other.lower() not in in_text],
    ]
    can_mirror = own.replace(".", "").isdigit() and len(own) >= _MIRRORED_DIGITS and mirrored not in (own, *in_text)
    if can_mirror and number_sort(mirrored) and not mirrored.startswith("0"):
        choices.append([mirrored])
    choices = [others for others in choices if others]
    if not choices:
        return None
    other = context.draw(choices[int(context.rng.integers(len(choices)))])
    return other.capitalize() if own[0].isupper() else other
