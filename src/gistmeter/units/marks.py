"""Brackets and quotation marks of a unit: one that has lost its other half is left out."""

from __future__ import annotations

import re

_MARK = re.compile(r"``|''|[()\[\]{}«»“”‘’\"']")
_OPENING_OF = {")": "(", "]": "[", "}": "{", "»": "«", "”": "“", "''": "``", "’": "‘", '"': '"', "'": "'"}
_OPENING = frozenset(_OPENING_OF.values())
_SIGN = re.compile(r"(?<=\w)['’]|['’](?=\d|(?:s|re|ve|ll|d|m|em|n)\b)|(?<=\d)\"")
"""An apostrophe (`isn't`, `'90s`, `Ann 's`) or inches."""


def drop_unpaired_marks(text: str) -> str:
    """A text without the brackets and quotation marks whose other half is not in it; apostrophes and inches stay.

    >>> drop_unpaired_marks("pupils (53% said it isn't 'a disgrace")
    "pupils 53% said it isn't a disgrace"
    >>> drop_unpaired_marks('the plan (its third) was "too expensive"')
    'the plan (its third) was "too expensive"'
    """
    opened: list[re.Match[str]] = []
    unpaired: list[re.Match[str]] = []
    for mark in _MARK.finditer(text):
        is_sign = _SIGN.match(text, mark.start()) is not None
        is_inside_word = is_sign and text[mark.end() : mark.end() + 1].isalnum()
        opening = _OPENING_OF.get(mark[0])
        depth = next((depth for depth, other in enumerate(reversed(opened)) if other[0] == opening), None)
        if depth is not None and not is_inside_word:
            unpaired += opened[len(opened) - depth :]
            del opened[len(opened) - depth - 1 :]
        elif mark[0] in _OPENING and not is_sign:
            opened.append(mark)
        elif not is_sign:
            unpaired.append(mark)
    unpaired += opened
    if not unpaired:
        return text
    positions = {position for mark in unpaired for position in range(*mark.span())}
    paired = "".join(character for position, character in enumerate(text) if position not in positions)
    return " ".join(paired.split())
