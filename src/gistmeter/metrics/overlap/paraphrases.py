"""Paraphrases: pairs of phrases that METEOR 1.5 may match, from a file in the form of its own tables."""

from __future__ import annotations

import functools
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.errors import DataError
from gistmeter.io.files import read_text_lines

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    Phrase = tuple[str, ...]

LINES_PER_PAIR = 3


class PhraseMatch(NamedTuple):
    """Words of the summary and of the reference that paraphrase each other: where they start and how many they are."""

    left: int
    right: int
    left_size: int = 1
    right_size: int = 1


@functools.lru_cache(maxsize=2)
def read_paraphrases(path: str) -> dict[Phrase, frozenset[Phrase]]:
    """The phrases that each phrase may be matched with, both ways.

    A pair is three lines: a probability, a phrase, and another. The file may be gzipped.
    """
    lines = [line.strip() for line in read_text_lines(path)]
    while lines and not lines[-1]:
        lines.pop()
    if len(lines) % LINES_PER_PAIR:
        raise DataError(
            f"{path} is no table of paraphrases: it has {len(lines)} lines, and a pair takes three (a probability, a "
            "phrase, another phrase)"
        )
    related: dict[Phrase, set[Phrase]] = defaultdict(set)
    for number in range(0, len(lines), LINES_PER_PAIR):
        probability, *phrases = lines[number : number + LINES_PER_PAIR]
        left, right = (tuple(phrase.lower().split()) for phrase in phrases)
        if not _is_probability(probability) or not left or not right:
            raise DataError(
                f"{path} is no table of paraphrases: line {number + 1} should be a probability, and the two lines "
                f"after it a phrase each, not {probability!r}, {phrases[0]!r} and {phrases[1]!r}"
            )
        related[left].add(right)
        related[right].add(left)
    return {phrase: frozenset(others) for phrase, others in related.items()}


def match_phrases(
    left: Sequence[str],
    right: Sequence[str],
    paraphrases: dict[Phrase, frozenset[Phrase]],
    left_taken: Container[int],
    right_taken: Container[int],
) -> list[PhraseMatch]:
    """Paraphrases among words that are free on both sides: those that cover most words first, then from the left.

    >>> table = {("as", "well"): frozenset({("too",)})}
    >>> match_phrases("it rained as well".split(), "it rained too".split(), table, {0, 1}, {0, 1})
    [PhraseMatch(left=2, right=2, left_size=2, right_size=1)]
    """
    starts_by_phrase: dict[Phrase, list[int]] = defaultdict(list)
    longest = max((len(phrase) for phrase in paraphrases), default=0)
    for start in range(len(right)):
        for size in range(1, min(longest, len(right) - start) + 1):
            starts_by_phrase[tuple(right[start : start + size])].append(start)
    candidates = []
    for start in range(len(left)):
        for size in range(1, min(longest, len(left) - start) + 1):
            for other in sorted(paraphrases.get(tuple(left[start : start + size]), ())):
                candidates += [
                    PhraseMatch(left=start, right=position, left_size=size, right_size=len(other))
                    for position in starts_by_phrase.get(other, ())
                ]
    candidates.sort(key=lambda match: (-match.left_size - match.right_size, match.left, match.right))
    chosen: list[PhraseMatch] = []
    used_left: set[int] = set()
    used_right: set[int] = set()
    for match in candidates:
        lefts = range(match.left, match.left + match.left_size)
        rights = range(match.right, match.right + match.right_size)
        if any(position in left_taken or position in used_left for position in lefts):
            continue
        if any(position in right_taken or position in used_right for position in rights):
            continue
        chosen.append(match)
        used_left.update(lefts)
        used_right.update(rights)
    return sorted(chosen)


def _is_probability(text: str) -> bool:
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False
