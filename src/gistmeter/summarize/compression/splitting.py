"""Splitting: where a sentence begins within what the splitter takes for one, as after captions without a full stop, and
who says it in an interview or a chat, where lines begin with a name."""

from __future__ import annotations

import functools
import re
from itertools import pairwise
from typing import NamedTuple

from gistmeter.summarize.compression.words import list_words

_SPEAKER = re.compile(r"^[ \t]*([A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}):[ \t]+(?=\S)", re.MULTILINE)
_LINE = re.compile(r"^.*\S.*$", re.MULTILINE)
_DATELINE = re.compile(
    r"^\s*(?:[A-Z][\w.]*(?:,? [A-Z][\w.]*){0,4}\s*)?"
    r"\(\s?(?:CNN|cnn|AP|Reuters|CNN Student News)\s?\)\s*(?:--?|—|–|:)?\s*"
)
"""What stands before the first sentence of an article: `(CNN)`, `London (CNN) --`."""

_SCROLL_END = re.compile(r"(?<=Scroll down for video) ")
_BOILERPLATE = re.compile(r"\W*Scroll down (?:for|to) \w+\W*", re.IGNORECASE)
_LABEL = re.compile(r"(?<=[a-z0-9’')]) (?=[A-Z][a-z]+(?: [a-z]+){0,3}: [A-Z][a-z])")
"""Where the label of a caption begins after another without a full stop: `left the stage Sobbing: She was`."""

_BEFORE = re.compile(r"([\w’'-]+)\W*$")
_AFTER = re.compile(r"\W*(\w+) ")


def split_pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The pieces of a sentence where others begin within it, without a dateline and what says nothing of the story.

    >>> text = "(CNN) Ann walks past the old shop in town The crowd was glad Sad: Bo lost the race."
    >>> [text[start:end] for start, end in split_pieces(text, 0, len(text))]
    ['Ann walks past the old shop in town', 'The crowd was glad', 'Sad: Bo lost the race.']
    """
    start, end = _skip_dateline(text, start, end)
    sentence = text[start:end]
    starts = {
        cut.start() + 1 for pattern in (_SCROLL_END, _LABEL, _list_beginnings()) for cut in pattern.finditer(sentence)
    }
    cuts = [0, *sorted(cut for cut in starts if _may_end(sentence, cut)), len(sentence)]
    pieces = [(start + first, start + first + len(sentence[first:last].rstrip())) for first, last in pairwise(cuts)]
    return [piece for piece in pieces if not _BOILERPLATE.fullmatch(text[piece[0] : piece[1]])]


def _skip_dateline(text: str, start: int, end: int) -> tuple[int, int]:
    dateline = _DATELINE.match(text[start:end])
    return (start, end) if dateline is None or start + dateline.end() == end else (start + dateline.end(), end)


@functools.cache
def _list_beginnings() -> re.Pattern[str]:
    """Words with a capital that begin a sentence, before a word without."""
    words = "|".join(sorted(list_words("sentences", "certain") | list_words("sentences", "likely")))
    return re.compile(rf"(?<=[a-z0-9\"”’')]) (?=[\"“‘']?(?:{words}),? [a-z])")


def _may_end(sentence: str, cut: int) -> bool:
    """Whether a sentence may end before a place: not after `of` or `said`, and for some words not after a name."""
    before, after = _BEFORE.search(sentence[:cut]), _AFTER.match(sentence, cut)
    if before is None or before[1].lower() in list_words("sentences", "open"):
        return False
    return after is None or after[1] not in list_words("sentences", "likely") or not before[1][0].isupper()


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
    for label in _SPEAKER.finditer(text):
        end = text.find("\n", label.end())
        number = speakers.setdefault(label[1], len(speakers))
        end = len(text) if end < 0 else end
        turns.append(Turn(start=label.start(), words=label.end(), end=end, speaker=label[1], speaker_number=number))
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
