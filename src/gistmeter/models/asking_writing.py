"""A question as text: words put together as they stood, free-standing marks drawn to their words, one `?` at the end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.asking_order import Piece

_BEFORE = re.compile(r"\s+(?=(?:[,.;:!?%)\]…](?:\s|$|[,.;:!?%)\]…])|n['’]t\b|['’](?:s|re|ve|ll|d|m)\b))")
_AFTER = re.compile(r"(?<=[(\[£$€])\s+")
_DOUBLE = re.compile(r",(?:\s*,)+")
_END = re.compile(r"[\s.,;:!?…–—-]+$")
_START = re.compile(r"^[\s.,;:!?…–—*•-]+")
_JOINING = re.compile(r"^(?:and|but|or|so|yet)\s+", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_CLOSING = "\"'”’)]"


def written(pieces: Sequence[Piece]) -> str:
    """The question that the pieces spell.

    >>> written(["who", "left", ",", "said Ann", "."])
    'Who left, said Ann?'
    """
    text = _tidy(_joined(pieces))
    text = _JOINING.sub("", _START.sub("", text))
    text = _ended(text)
    return text[:1].upper() + text[1:] + "?"


def _joined(pieces: Sequence[Piece]) -> str:
    """Words with a space between, except where the sentence had none."""
    parts: list[str] = []
    for place, piece in enumerate(pieces):
        following = pieces[place + 1] if place + 1 < len(pieces) else ""
        if isinstance(piece, str):
            glued = not isinstance(following, str) and (following.is_punct or following.tag_ == "POS")
            glued = glued and following.i > 0 and not following.nbor(-1).whitespace_ and not following.is_left_punct
            parts.append(piece if glued else f"{piece} ")
        else:
            follows = not isinstance(following, str) and following.i == piece.i + 1
            parts.append(piece.text + (piece.whitespace_ if follows else " "))
    return "".join(parts)


def _tidy(text: str) -> str:
    text = _SPACE.sub(" ", text)
    return _DOUBLE.sub(",", _AFTER.sub("", _BEFORE.sub("", text))).strip()


def _ended(text: str) -> str:
    """A text without the marks that end a sentence; a closing quotation mark or bracket stays."""
    text = _END.sub("", text)
    if text and text[-1] in _CLOSING:
        inner = text[:-1].rstrip()
        return _END.sub("", inner) + text[len(inner) :] if _END.search(inner) else text
    return text
