"""Matched words as evidence: from token matches to marks in the two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.evidence import Mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.text.words import Word


def marks_of(words: Sequence[Word], groups: Mapping[int, int]) -> tuple[Mark, ...]:
    """Marks for the words at the given positions; neighbours of one group become one mark.

    >>> from gistmeter.text.words import word_spans
    >>> marks_of(word_spans("the black cat"), {0: 1, 1: 1, 2: 5})
    (Mark(start=0, end=9, group=1), Mark(start=10, end=13, group=5))
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


def linked_groups(pairs: Iterable[tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Groups for matched positions (in one text, in the other): matches that run on in both share a group.

    >>> linked_groups([(0, 4), (1, 5), (3, 0)])
    ({0: 0, 1: 0, 3: 1}, {4: 0, 5: 0, 0: 1})
    """
    left: dict[int, int] = {}
    right: dict[int, int] = {}
    group = -1
    previous = (-2, -2)
    for here, there in sorted(set(pairs)):
        if (here - 1, there - 1) != previous:
            group += 1
        left.setdefault(here, group)
        right.setdefault(there, group)
        previous = (here, there)
    return left, right
