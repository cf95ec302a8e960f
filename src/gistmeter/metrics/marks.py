"""Marks of evidence: from matched words and segments of two texts to the stretches that are marked in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.evidence import Mark
from gistmeter.evidence.alignment import Token, TokenText
from gistmeter.text.words import has_unspaced, is_combining

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.evidence.alignment import Alignment
    from gistmeter.text.analysis import Analysis
    from gistmeter.text.words import Word

    Span = tuple[int, int]
    """Start and end of a stretch of a text, in characters."""

NOTE_CHARACTERS = 60
"""How much of a text a note quotes, unless it asks for another length."""


def read_tokens(title: str, text: str, analysis: Analysis, *, weigh: Callable[[str], float] | None = None) -> TokenText:
    """A text as an analysis reads it: its words with their places, those of one stem under one key.

    `weigh` says what a word of a stem weighs, by default 1.
    """
    tokens = tuple(
        Token(word.start, word.end, key=word.text, weight=1.0 if weigh is None else weigh(word.text))
        for word in analysis.spans(text)
    )
    return TokenText(title, analysis.normalize(text), tokens)


def list_matches(alignment: Alignment) -> list[tuple[int, int]]:
    """The positions of the tokens that an alignment pairs: in the summary, in the other text."""
    return [(edge.summary, edge.other) for edge in alignment.edges]


def mark_words(words: Sequence[Word | Token], groups: Mapping[int, int]) -> tuple[Mark, ...]:
    """Marks for the words at the given positions; neighbours of the same group become one mark.

    >>> from gistmeter.text.words import find_words
    >>> mark_words(find_words("the black cat"), {0: 1, 1: 1, 2: 5})
    (Mark(start=0, end=9, group=1, ...), Mark(start=10, end=13, group=5, ...))
    """
    marks: list[Mark] = []
    previous = -2
    for position in sorted(groups):
        word, group = words[position], groups[position]
        if marks and previous == position - 1 and marks[-1].group == group:
            marks[-1] = Mark(marks[-1].start, word.end, group)
        else:
            marks.append(Mark(word.start, word.end, group))
        previous = position
    return tuple(marks)


def mark_words_with_notes(
    words: Sequence[Word], groups: Mapping[int, Sequence[int]], notes: Mapping[int, str]
) -> tuple[Mark, ...]:
    """A mark for each word at the given positions, with all its groups and its note (by position, if it has one).

    >>> from gistmeter.text.words import find_words
    >>> mark_words_with_notes(find_words("the black cat"), {2: [5, 6]}, {2: "closest: dog"})
    (Mark(start=10, end=13, group=5, also=(6,), note='closest: dog'),)
    """
    return tuple(
        Mark(
            start=words[position].start,
            end=words[position].end,
            group=groups[position][0],
            also=tuple(groups[position][1:]),
            note=notes.get(position, ""),
        )
        for position in sorted(groups)
    )


def mark_segments(
    text: str, segments: Sequence[str], groups: Iterable[Sequence[int]], notes: Iterable[str]
) -> tuple[Mark, ...]:
    """Marks for segments of a text that follow each other in it; a segment without groups is not marked.

    >>> mark_segments("It rained. A lot.", ["It rained.", "A lot."], [[], [3, 1]], ["", "0.512"])
    (Mark(start=11, end=17, group=3, also=(1,), note='0.512'),)
    """
    marks = []
    end = 0
    for segment, segment_groups, note in zip(segments, groups, notes, strict=True):
        start = text.find(segment, end)
        if start < 0:  # the splitter changed it
            continue
        end = start + len(segment)
        if segment_groups:
            marks.append(Mark(start=start, end=end, group=segment_groups[0], also=tuple(segment_groups[1:]), note=note))
    return tuple(marks)


def group_links(pairs: Iterable[tuple[int, int]]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Groups for linked positions of two texts, where a position may have many partners.

    Each link can be followed alone. Links that run on in both texts share a group, as long as neither end of them had
    a group before.

    >>> group_links([(0, 4), (1, 5), (3, 5)])
    ({0: [0], 1: [0], 3: [1]}, {4: [0], 5: [0, 1]})
    """
    left_groups: dict[int, list[int]] = {}
    right_groups: dict[int, list[int]] = {}
    count = 0
    previous = (-2, -2)
    for left, right in pairs:
        both_free = left not in left_groups and right not in right_groups
        if not both_free or (left - 1, right - 1) != previous:
            count += 1
        left_groups.setdefault(left, []).append(count - 1)
        right_groups.setdefault(right, []).append(count - 1)
        previous = (left, right) if both_free else (-2, -2)
    return left_groups, right_groups


def group_runs(pairs: Iterable[tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """One group for each matched position of two texts: matches that run on in both texts share a group.

    >>> group_runs([(0, 4), (1, 5), (3, 0)])
    ({0: 0, 1: 0, 3: 1}, {4: 0, 5: 0, 0: 1})
    """
    left_groups: dict[int, int] = {}
    right_groups: dict[int, int] = {}
    group = -1
    previous = (-2, -2)
    for left, right in sorted(set(pairs)):
        if (left - 1, right - 1) != previous:
            group += 1
        left_groups.setdefault(left, group)
        right_groups.setdefault(right, group)
        previous = (left, right)
    return left_groups, right_groups


def expand_to_word(text: str, start: int, end: int) -> Span:
    """The whole word that a piece of a text belongs to, as start and end; a Chinese piece is its own word.

    >>> expand_to_word("an unbeatable price", 5, 9), expand_to_word("市议会批准", 1, 2), expand_to_word("อนุมัติงบ", 0, 3)
    ((3, 13), (1, 2), (0, 3))
    """
    start, end = int(start), int(end)
    while start > 0 and _are_of_one_word(text[start - 1 : start + 1]):
        start -= 1
    while end < len(text) and _are_of_one_word(text[end - 1 : end + 1]):
        end += 1
    return start, end


def shorten(text: str, most: int = NOTE_CHARACTERS) -> str:
    """The beginning of a text on one line, cut between words and with an ellipsis if it is longer than `most`.

    >>> shorten("It rained a lot.", 10)
    'It rained…'
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rpartition(' ')[0] or line[:most]}…"


def _are_of_one_word(letters: str) -> bool:
    """Whether neighbouring letters belong to the same word; in scripts without spaces they never do."""
    if len(letters) < 2 or has_unspaced(letters):
        return False
    return all(letter.isalnum() or is_combining(letter) for letter in letters)
