"""Errors of words: a word or a phrase exchanged for one that says something else, by the lists."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Literal

from gistmeter.linguistics.contrasts.changes import fit_word
from gistmeter.linguistics.contrasts.clauses import TextChange
from gistmeter.linguistics.contrasts.words import list_alternatives, list_own_words, meanings_of, scale_words
from gistmeter.linguistics.errors.context import read_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Token

    from gistmeter.linguistics.contrasts.words import Meaning
    from gistmeter.linguistics.errors.context import ErrorContext

_UNIT_SECTIONS = frozenset(["period", "length", "weight", "volume", "currency"])
_QUANTITY_SECTIONS = frozenset(["magnitude", "share", "multiple"])
_DAY_SECTIONS = frozenset(["weekday", "month", "season", "day", "hour"])
_NAMED_DAYS = frozenset(["weekday", "month"])
_CURRENCY_SIGNS = ("$", "£", "€", "¥")
_OPEN_CLASSES = ("VERB", "NOUN", "ADJ", "ADV", "AUX")
Phrases = Literal["comparison", "cause"]


def find_quantities(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Shares, multiples and magnitudes exchanged: half for most, doubled for tripled, million for billion."""
    scales = [word for word, value in scale_words().items() if value >= 1000]
    changes = _exchange_meanings(doc, context, _QUANTITY_SECTIONS)
    for word in doc:
        if word.lower_ in scales:
            others = [scale for scale in scales if scale != word.lower_]
            changes.append(_put(word, context.draw(others)))
    return changes


def find_units(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Units exchanged for others of what they measure: weeks for months, miles for metres, pounds for dollars."""
    changes = _exchange_meanings(doc, context, _UNIT_SECTIONS)
    for word in doc:
        if word.text in _CURRENCY_SIGNS:
            changes.append(_put(word, context.draw([sign for sign in _CURRENCY_SIGNS if sign != word.text])))
    return sorted(changes, key=lambda change: change.start)


def find_days(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Weekdays, months, seasons and times of day exchanged for others."""
    return _exchange_meanings(doc, context, _DAY_SECTIONS)


def find_directions(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Words exchanged for their opposite: rose for fell, approved for rejected, bought for sold."""
    sections = {meaning.section for word in doc for meaning in meanings_of(word.lower_) if meaning.kind == "direction"}
    return _exchange_meanings(doc, context, frozenset(sections))


def find_modality(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Certainty exchanged: may for will, suspected for convicted, unclear for clear."""
    table = read_tables()["modality"]
    changes = []
    for word in doc:
        others = table.get(word.text)
        if others and not (word.lower_ == "may" and word.pos_ == "PROPN"):
            changes.append(_put(word, context.draw(others)))
    return changes


def find_comparisons(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Comparisons turned round: more than for less than, largest for smallest, first for last."""
    return list(_exchange_phrases(doc, context, "comparison"))


def find_causes(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Causes turned round: because of for despite, led to for prevented, after for before."""
    return list(_exchange_phrases(doc, context, "cause"))


def _exchange_meanings(doc: Doc, context: ErrorContext, sections: frozenset[str]) -> list[TextChange]:
    changes = []
    for word in doc:
        for meaning in meanings_of(word.lower_):
            if meaning.section not in sections or not _has_use(word, meaning):
                continue
            others = _list_fitting(word.lower_, meaning)
            if others:
                other = context.draw(others)
                changes.append(_put(word, other.capitalize() if word.text[0].isupper() else other))
                break
    return changes


def _has_use(word: Token, meaning: Meaning) -> bool:
    """Whether a word is used in a meaning: days and months have a capital, other words are no names."""
    if meaning.section in _NAMED_DAYS:
        return word.text[0].isupper() and word.lower_ != "may"
    if not word.is_alpha or word.pos_ == "PROPN":
        return False
    return meaning.kind != "direction" or (word.pos_ in _OPEN_CLASSES and word.ent_type_ in ("", "DATE"))


@functools.cache
def _list_fitting(word: str, meaning: Meaning) -> tuple[str, ...]:
    own = list_own_words(meaning)
    fitting = [
        other
        for words in list_alternatives(meaning)
        if 2 * len(words) >= len(own) and (other := fit_word(word, own.index(word), words)) is not None
    ]
    return tuple(other for other in fitting if other != word)


def _exchange_phrases(doc: Doc, context: ErrorContext, name: Phrases) -> Iterator[TextChange]:
    table = read_tables()[name]
    for match in _phrase_pattern(name).finditer(doc.text):
        others = table[match.group().lower()]
        if name == "comparison" and not _compares(doc, match.start()):
            continue
        other = context.draw(others)
        yield TextChange(match.start(), match.end(), other.capitalize() if match.group()[0].isupper() else other)


def _compares(doc: Doc, start: int) -> bool:
    """Whether a phrase compares: over and above stand before a number, last and first are no part of a name."""
    word = next((word for word in doc if word.idx == start), None)
    if word is None or word.ent_type_ in ("PERSON", "ORG", "GPE", "WORK_OF_ART", "PRODUCT", "FAC"):
        return False
    after = doc[word.i + 1] if word.i + 1 < len(doc) else word
    if word.lower_ in ("over", "above", "below"):
        return bool(after.like_num or after.text in _CURRENCY_SIGNS)
    if word.lower_ in ("last", "second", "third"):
        return word.pos_ == "ADJ" and after.lower_ not in ("year", "week", "month", "night", "quarter")
    return True


@functools.cache
def _phrase_pattern(name: Phrases) -> re.Pattern[str]:
    phrases = sorted(read_tables()[name], key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, phrases)) + r")\b", re.IGNORECASE)


def _put(word: Token, text: str) -> TextChange:
    return TextChange(word.idx, word.idx + len(word), text)
