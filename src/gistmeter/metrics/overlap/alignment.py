"""Alignment: one-to-one matches between the words of two texts, made in stages and in few chunks.

A stage says which words may match (equal words, equal stems, synonyms) and sees only words that no earlier
stage matched. It makes as many matches as it can; among the ways to do so it takes one with the fewest
chunks, that is, with the most matches that continue the match of the word before. Finding the fewest chunks
is NP-hard in general (minimum common string partition), but only words that have several partners and could
continue a match are open, and those are searched from left to right with all useful combinations kept, up to
`_WIDTH` of them. So the result is the best one unless a text repeats itself a lot; then it is a beam search.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Matches = dict[int, int]
    """From position in the one text to position in the other."""

    Partners = dict[int, list[int]]
    """For each position of the one text, the positions of the other it may match, in order."""

    _Chain = tuple["_Chain", int, int] | None
    """Matches chosen so far: the last one, and those before."""

_WIDTH = 128
_OPTIONS = 16


def align_equal(one: Sequence[str], other: Sequence[str], key: Callable[[str], str], matched: Matches) -> Matches:
    """Add matches between words with equal keys to those already made.

    >>> align_equal("the cat saw the dog".split(), "the dog saw a cat".split(), str, {})
    {1: 4, 2: 2, 3: 0, 4: 1}
    """
    mine, theirs = _places(one, key, matched.keys()), _places(other, key, set(matched.values()))
    shared = [(places, theirs[word]) for word, places in mine.items() if word in theirs]
    certain = {here[0]: there[0] for here, there in shared if len(here) == len(there) == 1}
    matched = matched | certain
    partners = {place: there for here, there in shared for place in here if place not in certain}
    return _complete(_search(_continuing(partners, matched), matched, per_match=0), partners)


def align_related(
    one: Sequence[str], other: Sequence[str], meanings: Callable[[str], Iterable[str]], matched: Matches
) -> Matches:
    """Add matches between words that share a meaning to those already made."""
    meant: dict[str, list[int]] = defaultdict(list)
    taken = set(matched.values())
    for place, word in enumerate(other):
        if place not in taken:
            for meaning in meanings(word):
                meant[meaning].append(place)
    partners: Partners = {}
    for place, word in enumerate(one):
        if place not in matched:
            found = {there for meaning in meanings(word) for there in meant.get(meaning, ())}
            if found:
                partners[place] = sorted(found)
    # Sharing a meaning is not transitive, so the search has to count matches too: they outweigh all chunks.
    return _complete(_search(partners, matched, per_match=len(one) + 1), partners)


def chunk_count(matched: Mapping[int, int]) -> int:
    """How many runs the matches fall into: words that stand together in both texts, in the same order.

    >>> chunk_count({0: 3, 1: 4, 2: 0})
    2
    """
    return sum(matched.get(here - 1, -2) != there - 1 for here, there in matched.items())


def _places(words: Sequence[str], key: Callable[[str], str], taken: Iterable[int]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(words):
        if place not in taken:
            places[key(word)].append(place)
    return places


def _continuing(partners: Partners, matched: Matches) -> Partners:
    """Only the matches that could continue, or be continued by, another one: the rest cannot save a chunk."""
    sets = {here: set(there) for here, there in partners.items()}

    def possible(here: int, there: int) -> bool:
        return matched.get(here) == there or there in sets.get(here, ())

    kept = {
        here: [j for j in there if possible(here - 1, j - 1) or possible(here + 1, j + 1)]
        for here, there in partners.items()
    }
    return {here: there for here, there in kept.items() if there}


def _search(partners: Partners, matched: Matches, *, per_match: int) -> Matches:
    """The choice of partners worth most: `per_match` for each match and 1 for each continued match."""
    order = sorted(partners)
    still_open = [0] * (len(order) + 1)
    for step in range(len(order) - 1, -1, -1):
        still_open[step] = still_open[step + 1] | sum(1 << j for j in partners[order[step]])
    best: dict[tuple[int, int], tuple[int, _Chain]] = {(0, -2): (0, None)}
    runs = _run_lengths(partners, matched)
    for step, here in enumerate(order):
        options = sorted(partners[here], key=lambda j: -runs[here, j])[:_OPTIONS]
        before, after = matched.get(here - 1, -2), matched.get(here + 1, -2)
        next_is_open = step + 1 < len(order) and order[step + 1] == here + 1
        reached: dict[tuple[int, int], tuple[int, _Chain]] = {}
        for (used, last), (worth, chain) in best.items():
            state = (used & still_open[step + 1], -2)
            if state not in reached or reached[state][0] < worth:
                reached[state] = (worth, chain)
            tried = options
            if (here, last + 1) in runs and last + 1 not in options:
                tried = [*options, last + 1]
            for there in tried:
                if used >> there & 1:
                    continue
                gain = per_match + (there - 1 in (before, last)) + (there + 1 == after)
                state = (
                    (used | 1 << there) & still_open[step + 1],
                    there if next_is_open and (here + 1, there + 1) in runs else -2,
                )
                if state not in reached or reached[state][0] < worth + gain:
                    reached[state] = (worth + gain, (chain, here, there))
        if len(reached) > _WIDTH:
            reached = dict(sorted(reached.items(), key=lambda item: (-item[1][0], item[0]))[:_WIDTH])
        best = reached
    chain = max(best.values(), key=lambda item: item[0])[1]
    chosen = dict(matched)
    while chain:
        chain, here, there = chain
        chosen[here] = there
    return chosen


def _run_lengths(partners: Partners, matched: Matches) -> dict[tuple[int, int], int]:
    """For each possible match, how many matches in a row could start with it."""
    runs: dict[tuple[int, int], int] = {}
    for here in sorted(partners, reverse=True):
        for there in partners[here]:
            if matched.get(here + 1) == there + 1:
                runs[here, there] = 2
            else:
                runs[here, there] = 1 + runs.get((here + 1, there + 1), 0)
    return runs


def _complete(matched: Matches, partners: Partners) -> Matches:
    """Match what is still free, from left to right."""
    taken = set(matched.values())
    for here, options in partners.items():
        if here not in matched:
            there = next((j for j in options if j not in taken), None)
            if there is not None:
                matched[here] = there
                taken.add(there)
    return dict(sorted(matched.items()))
