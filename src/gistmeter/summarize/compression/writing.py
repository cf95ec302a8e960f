"""Writing: the words that stay as a sentence with its spaces, commas, quotation marks, capital and full stop."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from gistmeter.summarize.compression.modifiers import SUBJECTS
from gistmeter.summarize.compression.quotations import list_quotations

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from spacy.tokens import Doc, Token

_OPENING_QUOTES = frozenset({"“", "‘", "``"})
_CLOSING_QUOTES = frozenset({"”", "''"})
_QUOTES = frozenset({'"', "'", "’", *_OPENING_QUOTES, *_CLOSING_QUOTES})
_CLITICS = frozenset({"'s", "’s", "n't", "n’t", "'"})
_BRACKETS = {"(": ")", "[": "]"}
SIGNS = frozenset("%‰&#@§°")
"""Characters that are read as words, though the parser takes most of them for punctuation: `by 17%`."""

_SET_OFF = frozenset({"appos", "relcl", "acl", "advcl", "parataxis"})
_ENDS = (".", "!", "?")
_LOOSE_START = re.compile(r"^[\s,;:.\-–—)\]]+")
_DOUBLE_END = re.compile(r"([.!?])\s+\.(?=['\"”’]*$)")
_LOOSE_END = re.compile(r"[\s,;:\-–—(\[]+$")


def is_mark(word: Token) -> bool:
    """Whether a token is a mark of punctuation, and not read as a word: a comma, but no `%`."""
    return word.is_punct and word.text not in SIGNS


def write_sentence(doc: Doc, remaining: Sequence[int], replaced: Mapping[int, str] | None = None) -> str:
    """The words at some positions as a sentence; `replaced` has other texts for some of them.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["Bo Tan, a nurse, left, crying."])
    >>> write_sentence(doc, [0, 1, 6, 9])
    'Bo Tan left.'
    """
    words = {position for position in remaining if not _is_movable(doc, position)}
    if not words:
        return ""
    quotations = [quotation for quotation in list_quotations(doc) if quotation.words & words]
    quoted = frozenset().union(*(quotation.words for quotation in quotations))
    positions = sorted(words | _choose_marks(doc, words, quoted) | quoted)
    texts = dict(replaced or {})
    for quotation in quotations:
        first, last = min(quotation.words), max(quotation.words)
        texts[first] = quotation.opening + texts.get(first, doc[first].text)
        texts[last] = texts.get(last, doc[last].text) + quotation.closing
    opening = frozenset(
        min(quotation.words) for quotation in quotations if not quotation.opening and len(quotation.words) > 1
    )
    pieces: list[str] = []
    for position, following in zip(positions, [*positions[1:], len(doc)], strict=True):
        pieces.append(texts.get(position, doc[position].text))
        if position not in opening and _has_space(doc, position, following, opening):
            pieces.append(" ")
    return _finish("".join(pieces), doc)


def _is_movable(doc: Doc, position: int) -> bool:
    """Whether a token is a mark that is put anew: a comma, a quotation mark, a bracket, an end."""
    word = doc[position]
    if word.is_space:
        return True
    inside = 0 < position < len(doc) - 1
    glued = inside and not doc[position - 1].whitespace_ and not word.whitespace_
    return is_mark(word) and not (glued and word.text in ("-", "/", "–"))


def _choose_marks(doc: Doc, words: Collection[int], quoted: Collection[int]) -> set[int]:
    """The commas and brackets that stay with these words; those in a quotation stay with it."""
    ordered = sorted(words)
    marks: set[int] = set()
    for left, right in pairwise(ordered):
        gap = [
            position
            for position in range(left + 1, right)
            if not doc[position].is_space and position not in quoted and not _is_quote(doc, position)
        ]
        dropped = [position for position in gap if not _is_movable(doc, position)]
        if not dropped:
            marks.update(gap)
            continue
        commas = [position for position in gap if doc[position].text == ","]
        if not commas:
            continue
        if _parts_clauses(doc, left, right):
            marks.add(commas[-1])
            continue
        ends_before = commas[-1] > dropped[-1]
        starts_after = commas[0] < dropped[0]
        if ends_before and (
            (not starts_after and _is_front(doc, left, right))
            or _closes_piece(doc, left, right, marks)
            or _precedes_speaker(doc, left, right)
            or (commas[-1] == right - 1 and _opens_piece(doc, left, right))
        ):
            marks.add(commas[-1])
    first, last = ordered[0], ordered[-1]
    marks.update(position for position in range(first) if doc[position].text in _BRACKETS)
    marks.update(position for position in range(last + 1, len(doc)) if doc[position].text in _BRACKETS.values())
    return _balance(doc, marks)


def _parts_clauses(doc: Doc, left: int, right: int) -> bool:
    """Whether a clause ends and another with its own subject begins: `it rained, but Bo left`, `If it rains, stay`."""
    if doc[right].tag_ == "CC":
        joined = (word for word in doc[right].head.rights if word.dep_ == "conj" and word.i > right)
        return any(child.dep_ in SUBJECTS for word in joined for child in word.lefts)
    clauses = [word for word in (doc[left], *doc[left].ancestors) if word.dep_ == "advcl" and word.i < word.head.i]
    return any(not clause.left_edge.i <= right <= clause.right_edge.i for clause in clauses)


def _precedes_speaker(doc: Doc, left: int, right: int) -> bool:
    """Whether a comma stands between what is said and who says it: `It rained, officials said`."""
    clauses = [word for word in (doc[left], *doc[left].ancestors) if word.dep_ == "ccomp" and word.i < word.head.i]
    return any(not clause.left_edge.i <= right <= clause.right_edge.i for clause in clauses)


def _is_front(doc: Doc, left: int, right: int) -> bool:
    """Whether the comma before a word ends a phrase that stands before its verb: `After the race, she`."""
    piece = head = doc[left]
    while head.head != head and not head.left_edge.i <= right <= head.right_edge.i:
        piece, head = head, head.head
    if piece != head and piece.dep_ in SUBJECTS:
        return False  # `The trip, which was long, was fun`
    return head.i >= right or not head.left_edge.i <= right <= head.right_edge.i


def _closes_piece(doc: Doc, left: int, right: int, marks: Collection[int]) -> bool:
    """Whether a phrase that a comma set off ends here: its comma stays on both sides or on neither."""
    for word in (doc[left], *doc[left].ancestors):
        edge = word.left_edge.i
        if word.dep_ in _SET_OFF and edge > 0 and not edge <= right <= word.right_edge.i:
            return doc[edge - 1].text == "," and edge - 1 in marks
    return False


def _opens_piece(doc: Doc, left: int, right: int) -> bool:
    """Whether a phrase that a comma sets off begins here, after the word that it hangs on and other words: `fell in
    May, their steepest drop`."""
    piece = doc[right]
    while piece.head != piece and piece.head.left_edge.i == right:
        piece = piece.head
    return piece.dep_ in (*_SET_OFF, "npadvmod", "prep") and piece.head.i <= left


def _balance(doc: Doc, marks: set[int]) -> set[int]:
    """The marks without brackets that lost their partner."""
    for opening, closing in _BRACKETS.items():
        both = [position for position in sorted(marks) if doc[position].text in (opening, closing)]
        if [doc[position].text for position in both] != [opening, closing] * (len(both) // 2):
            marks -= set(both)
    return marks


def _is_quote(doc: Doc, position: int) -> bool:
    return doc[position].text in _QUOTES and doc[position].tag_ != "POS"


def _has_space(doc: Doc, position: int, following: int, opening: Collection[int]) -> bool:
    """Whether a blank stands between two tokens that stay."""
    if following >= len(doc):
        return False
    if following in opening:
        return True
    if following == position + 1:
        return bool(doc[position].whitespace_)
    word, after = doc[position], doc[following]
    if after.is_punct and after.text not in _BRACKETS:
        return False
    return after.text not in _CLITICS and word.text not in _BRACKETS and word.text not in _OPENING_QUOTES


def _finish(text: str, doc: Doc) -> str:
    """A sentence with a capital and an end."""
    text = _LOOSE_END.sub("", _LOOSE_START.sub("", " ".join(text.split())))
    if not text:
        return ""
    end = next((word.text for word in reversed(doc) if word.text in _ENDS), ".")
    text = _DOUBLE_END.sub(r"\1", text)
    closed = text.rstrip("'\"”’")
    if not closed.endswith(_ENDS):
        text = text[: len(closed)].rstrip(" ,;:") + (end if text == closed else text[len(closed) :] + end)
    return _capitalise(text) if any(map(str.isupper, doc.text)) else text  # lower-cased texts stay so


def _capitalise(text: str) -> str:
    start = next((number for number, letter in enumerate(text) if letter.isalpha()), 0)
    return (
        text
        if any(map(str.isdigit, text[:start]))
        else text[:start] + text[start : start + 1].upper() + text[start + 1 :]
    )
