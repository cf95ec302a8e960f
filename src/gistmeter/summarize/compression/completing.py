"""Completing: what stays with the words of a sentence that stay, as they say little or something else without it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gistmeter.linguistics.people.attributes import NAME_LABELS
from gistmeter.summarize.compression.modifiers import SUBJECTS, VERBS, is_of_time, is_set_off
from gistmeter.summarize.compression.quotations import keep_quotations
from gistmeter.summarize.compression.words import list_words
from gistmeter.summarize.compression.writing import is_mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Token

_HYPHENS = frozenset({"-", "/", "–"})
LONGEST_NAME = 9
"""Words of a name of which none is left out."""

_RESULTS = re.compile(r"\b\d+[-–]\d+(?: ?\(\d+[-–]\d+\))?(?:,? (?:and )?\d+[-–]\d+(?: ?\(\d+[-–]\d+\))?)+")
"""The results of several games or sets: `6-4, 3-6, 7-6 (7-5)`."""


def complete_words(doc: Doc, remaining: set[int]) -> set[int]:
    """The words that stay, with all that is one with them: `over-prescribed`, `can't`, `9 to 4`, names, quotations."""
    whole = set(remaining)
    for name in doc.ents:
        positions = range(name.start, name.end)
        if name.label_ in NAME_LABELS and len(positions) <= LONGEST_NAME and whole.intersection(positions):
            whole.update(positions)
    for position in range(1, len(doc)):
        if _is_glued(doc, position) and position - 1 in whole:
            whole.add(position)
    for position in range(len(doc) - 1, 0, -1):
        if _is_glued(doc, position) and position in whole:
            whole.add(position - 1)
    for word in doc:
        if word.i in whole and word.dep_ == "relcl" and word.head.i in whole:
            whole.update(range(word.head.i + 1, word.left_edge.i))  # what stands between would be what is meant
    for word in doc:
        if word.i in whole and word.lower_ == "from" and word.head.lemma_.lower() in list_words("verbs", "spanning"):
            whole |= _find_other_end(word)
    for position in range(1, len(doc)):
        if position - 1 in whole and position not in whole and _ends_phrase(doc, position):
            whole.add(position)
    for word in doc:
        if word.i in whole:
            whole.update(*_list_companions(word))
    for results in _RESULTS.finditer(doc.text):
        words = {word.i for word in doc if results.start() <= word.idx < results.end()}
        whole |= words if words & whole else set()
    return keep_quotations(doc, whole)


def _list_companions(word: Token) -> Iterator[set[int]]:
    """Words without which another says little: the date of a time of day, the year of `six years later`, and the clause
    that a noun after it sums up: `rose by a third, a change that nobody saw`."""
    if word.dep_ == "prep" and is_of_time(word) and word.head.pos_ in VERBS:
        times = (other for other in word.head.rights if other.i < word.i and other.dep_ in ("prep", "npadvmod"))
        yield from ({part.i for part in time.subtree} for time in times if is_of_time(time) and not is_set_off(time))
    if word.lower_ in ("later", "earlier") and any(other.dep_ == "npadvmod" for other in word.children):
        dates = (other for other in word.doc[: word.i] if other.dep_ == "prep" and is_of_time(other))
        yield from ({part.i for part in date.subtree} for date in dates)
    sums_up = (
        word.dep_ == "npadvmod" and word.pos_ == "NOUN" and any(other.lower_ in ("a", "an") for other in word.lefts)
    )
    if sums_up and word.head.pos_ in VERBS and word.head.i < word.i and is_set_off(word):
        yield set(range(word.head.i, word.left_edge.i))


def _find_other_end(start: Token) -> set[int]:
    """The words from `to` on, after `ranging from`."""
    ends = (word for word in start.doc[start.i :] if word.lower_ == "to" and word.dep_ == "prep")
    end = next(ends, None)
    return set() if end is None else {word.i for word in end.subtree}


def _ends_phrase(doc: Doc, position: int) -> bool:
    """Whether a noun directly follows words that describe it, though the parse parts them: `the new kit`."""
    before, word = doc[position - 1], doc[position]
    if word.pos_ == "ADJ" and word.head == before and before.pos_ == "PROPN":
        return True  # `the Youth Cup final`
    if word.pos_ not in ("NOUN", "PROPN") or word.ent_type_ in ("DATE", "TIME") or before.dep_ == "ROOT":
        return False
    if before.tag_ in ("JJ", "PRP$", "DT", "POS"):
        return before.dep_ not in ("acomp", "oprd")
    return (
        before.pos_ in ("NOUN", "PROPN")
        and before.ent_type_ not in ("DATE", "TIME")
        and not _is_subject_of_dropped(word)
    )


def _is_subject_of_dropped(word: Token) -> bool:
    """Whether a noun begins a clause of its own: `the car officers found`."""
    return word.dep_ in SUBJECTS


def _is_glued(doc: Doc, position: int) -> bool:
    """Whether a token is one with that before it: a part of the same word, or of two numbers that a `to` joins."""
    before, word = doc[position - 1], doc[position]
    if _joins_numbers(doc, position) or _joins_numbers(doc, position - 1):
        return True
    if before.whitespace_ or before.is_space or word.is_space:
        return False
    return all(not is_mark(token) or token.text in _HYPHENS for token in (before, word))


def _joins_numbers(doc: Doc, position: int) -> bool:
    """Whether a token is the `to` of a result or a range: without its end, `9 to 4` would be another number."""
    if not 0 < position < len(doc) - 1 or doc[position].lower_ != "to":
        return False
    return bool(doc[position - 1].like_num and doc[position + 1].like_num)
