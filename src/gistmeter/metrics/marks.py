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


def noted_marks(
    words: Sequence[Word], groups: Mapping[int, Sequence[int]], notes: Mapping[int, str]
) -> tuple[Mark, ...]:
    """A mark for each word at the given positions, with all its groups and what there is to say of it.

    >>> from gistmeter.text.words import word_spans
    >>> noted_marks(word_spans("the black cat"), {2: [5, 6]}, {2: "closest: dog"})
    (Mark(start=10, end=13, group=5, also=(6,), note='closest: dog'),)
    """
    return tuple(
        Mark(words[at].start, words[at].end, groups[at][0], tuple(groups[at][1:]), notes.get(at, ""))
        for at in sorted(groups)
    )


def all_groups(pairs: Iterable[tuple[int, int]]) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Groups for linked positions of two texts, where one may have many partners; each link can be followed alone.

    Links that run on in both texts share a group, as long as neither end of them had one before.

    >>> all_groups([(0, 4), (1, 5), (3, 5)])
    ({0: [0], 1: [0], 3: [1]}, {4: [0], 5: [0, 1]})
    """
    left: dict[int, list[int]] = {}
    right: dict[int, list[int]] = {}
    count = 0
    previous = (-2, -2)
    for here, there in pairs:
        free = here not in left and there not in right
        if not free or (here - 1, there - 1) != previous:
            count += 1
        left.setdefault(here, []).append(count - 1)
        right.setdefault(there, []).append(count - 1)
        previous = (here, there) if free else (-2, -2)
    return left, right


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
