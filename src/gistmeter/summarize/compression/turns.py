"""Turns: who says which sentences of an interview or a chat, where every line begins with its speaker's name."""

from __future__ import annotations

import re
from typing import NamedTuple

_LABEL = re.compile(r"^[ \t]*([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}):[ \t]+(?=\S)", re.MULTILINE)
_LINE = re.compile(r"^.*\S.*$", re.MULTILINE)

LEAST_SHARE = 0.5
"""The share of the lines of a text that must have a name, so that it is a conversation."""


class Turn(NamedTuple):
    """What somebody says in one go: where the line starts, where after the name the words do, and where they end."""

    start: int
    words: int
    end: int
    speaker: str
    speaker_number: int
    """Counted from 0 in the order in which they first speak."""


def find_turns(text: str) -> list[Turn]:
    """The turns of a conversation; none where few lines have a name, or no name comes twice, as in a list of facts.

    >>> text = "Ann Lee: Did you win?\\nBo: No. It rained.\\nAnn Lee: Oh."
    >>> [(turn.speaker, text[turn.words : turn.end]) for turn in find_turns(text)]
    [('Ann Lee', 'Did you win?'), ('Bo', 'No. It rained.'), ('Ann Lee', 'Oh.')]
    >>> find_turns("Place: Rome.\\nDate: May.")
    []
    """
    turns = []
    speakers: dict[str, int] = {}
    for label in _LABEL.finditer(text):
        end = text.find("\n", label.end())
        number = speakers.setdefault(label[1], len(speakers))
        turns.append(Turn(label.start(), label.end(), len(text) if end < 0 else end, label[1], number))
    lines = sum(1 for _ in _LINE.finditer(text))
    return turns if len(speakers) < len(turns) and len(turns) >= LEAST_SHARE * lines else []


def split_turns(turns: list[Turn], start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of a sentence between the names that stand in it, without these."""
    pieces = []
    for turn in turns:
        if start < turn.words and turn.start < end:
            pieces.append((start, min(turn.start, end)))
            start = turn.words
    pieces.append((start, end))
    return [(first, last) for first, last in pieces if first < last]
