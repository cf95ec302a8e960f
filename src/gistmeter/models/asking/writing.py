"""A question as text: words put together as they stood, marks drawn to their words, one `?` at the end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gistmeter.linguistics.people.words import people_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Token

    Piece = Token | str
    """A word of the sentence, or a new one."""

_BEFORE = re.compile(r"\s+(?=(?:[,.;:!?%)\]…](?:\s|$|[,.;:!?%)\]…])|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b))")
_AFTER = re.compile(r"(?<=[(\[£$€])\s+")
_DOUBLE = re.compile(r",(?:\s*,)+")
_END = re.compile(r"[\s.,;:!?…–—-]+$")
_START = re.compile(r"^[\s.,;:!?…–—*•-]+")
_JOINING = re.compile(r"^(?:and|but|or|so|yet)\s+", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_COMMON = ("person", "male", "female", "group", "time")
_SMALL = frozenset({"DET", "ADP", "NUM", "PRON", "ADV", "SCONJ", "CCONJ", "PART"})
_CLOSING = "\"'”’)]"


def write_question(pieces: Sequence[Piece]) -> str:
    """The question that the pieces spell.

    >>> write_question(["who", "left", ",", "said Ann", "."])
    'Who left, said Ann?'
    """
    text = _tidy(_join(pieces))
    text = _JOINING.sub("", _START.sub("", text))
    text = _strip_end(text)
    return text[:1].upper() + text[1:] + "?"


def lower_first_word(tokens: list[Token], first: bool) -> list[Piece]:
    """Words that began the sentence and do so no more."""
    if not tokens or not first:
        return list(tokens)
    word = tokens[0]
    return [word.lower_, *tokens[1:]] if _is_common(word) else list(tokens)


def _is_common(word: Token) -> bool:
    """Whether a word was written large only because it began the sentence; the parser takes some names for nouns."""
    if word.lower_ == "i" or word.text[1:] != word.text[1:].lower():
        return False
    if word.pos_ in _SMALL or any(word.lemma_.lower() in people_words("nouns", sort) for sort in _COMMON):
        return True
    return word.tag_ in ("NNS", "JJ", "VBG", "VBN") and not word.ent_type_


def _join(pieces: Sequence[Piece]) -> str:
    """Words with a space between, except where the sentence had none."""
    parts: list[str] = []
    for index, piece in enumerate(pieces):
        following = pieces[index + 1] if index + 1 < len(pieces) else ""
        if isinstance(piece, str):
            parts.append(piece if _is_glued(following) else f"{piece} ")
        else:
            follows = not isinstance(following, str) and following.i == piece.i + 1
            parts.append(piece.text + (piece.whitespace_ if follows else " "))
    return "".join(parts)


def _is_glued(piece: Piece) -> bool:
    """Whether a mark stood straight after the word before it."""
    if isinstance(piece, str) or piece.i == 0 or piece.is_left_punct:
        return False
    return (piece.is_punct or piece.tag_ == "POS") and not piece.nbor(-1).whitespace_


def _tidy(text: str) -> str:
    text = _SPACE.sub(" ", text)
    return _DOUBLE.sub(",", _AFTER.sub("", _BEFORE.sub("", text))).strip()


def _strip_end(text: str) -> str:
    """A text without the marks that end a sentence; a closing quotation mark or bracket stays."""
    text = _END.sub("", text)
    if text and text[-1] in _CLOSING:
        inner = text[:-1].rstrip()
        return _END.sub("", inner) + text[len(inner) :] if _END.search(inner) else text
    return text
