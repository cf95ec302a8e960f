"""Alignment: one-to-one matches between the words of two texts, made in stages and in few chunks.

A stage says which words may match (equal words, equal stems, synonyms) and sees only words that no earlier
stage matched. It makes as many matches as it can; among the ways to do so it takes one with the fewest
chunks, that is, with the most matches that continue the match of the word before. Finding the fewest chunks
is NP-hard in general (minimum common string partition), but only words that have several partners and could
continue a match are open, and those are searched from left to right with all useful combinations kept, up to
`_BEAM_STATES` of them. So the result is the best one unless a text repeats itself a lot; then it is a beam search.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from gistmeter.metrics.overlap.openings import Partners, find_openings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.metrics.overlap.openings import Matches, PartnersByPosition

    _Chain = tuple["_Chain", int, int] | None
    """Matches chosen so far: those before, and the last (left position, right position)."""

_BEAM_STATES = 128


def align_equal(left: Sequence[str], right: Sequence[str], key: Callable[[str], str], matched: Matches) -> Matches:
    """Add matches between words with equal keys to those already made.

    >>> align_equal("the cat saw the dog".split(), "the dog saw a cat".split(), str, {})
    {1: 4, 2: 2, 3: 0, 4: 1}
    """
    left_positions = _index_positions(left, key, matched.keys())
    right_positions = _index_positions(right, key, set(matched.values()))
    shared = [(left_positions[word], right_positions[word]) for word in left_positions if word in right_positions]
    certain = {lefts[0]: rights[0] for lefts, rights in shared if len(lefts) == len(rights) == 1}
    matched = matched | certain
    partners: PartnersByPosition = {}
    for lefts, rights in shared:
        if lefts[0] not in certain:
            partners |= dict.fromkeys(lefts, Partners(rights))
    return _complete(_search(partners, matched, per_match=0), partners)


def align_related(
    left: Sequence[str], right: Sequence[str], meanings: Callable[[str], Iterable[str]], matched: Matches
) -> Matches:
    """Add matches between words that share a meaning to those already made."""
    positions_of: dict[str, list[int]] = defaultdict(list)
    matched_right = set(matched.values())
    for position, word in enumerate(right):
        if position not in matched_right:
            for meaning in meanings(word):
                positions_of[meaning].append(position)
    partners_of: dict[str, Partners] = {}
    partners: PartnersByPosition = {}
    for position, word in enumerate(left):
        if position not in matched:
            if word not in partners_of:
                related = {other for meaning in meanings(word) for other in positions_of.get(meaning, ())}
                partners_of[word] = Partners(sorted(related))
            if partners_of[word].positions:
                partners[position] = partners_of[word]
    # Sharing a meaning is not transitive, so the search has to count matches too: they outweigh all chunks.
    return _complete(_search(partners, matched, per_match=len(left) + 1), partners)


def count_chunks(matched: Mapping[int, int]) -> int:
    """How many runs the matches fall into: words that stand together in both texts, in the same order.

    >>> count_chunks({0: 3, 1: 4, 2: 0})
    2
    """
    return sum(matched.get(left - 1, -2) != right - 1 for left, right in matched.items())


def _index_positions(words: Sequence[str], key: Callable[[str], str], matched: Iterable[int]) -> dict[str, list[int]]:
    """The positions of each key among the words that are not matched yet."""
    positions: dict[str, list[int]] = defaultdict(list)
    for position, word in enumerate(words):
        if position not in matched:
            positions[key(word)].append(position)
    return positions


def _search(partners: PartnersByPosition, matched: Matches, *, per_match: int) -> Matches:
    """The choice of partners worth most: `per_match` for each match and 1 for each continued match.

    Without a worth of their own, only matches that continue others, or are continued, are searched.
    """
    openings = find_openings(partners, matched, continuing=not per_match)
    order = openings.order
    still_open = openings.rights_open
    best: dict[tuple[int, int], tuple[int, _Chain]] = {(0, -2): (0, None)}
    for step, left in enumerate(order):
        options = openings.options[step]
        before, after = matched.get(left - 1, -2), matched.get(left + 1, -2)
        next_is_open = step + 1 < len(order) and order[step + 1] == left + 1
        for right in openings.closing[step]:
            still_open &= ~(1 << right)
        reached: dict[tuple[int, int], tuple[int, _Chain]] = {}
        for (used, last), (worth, chain) in best.items():
            state = (used & still_open, -2)
            if state not in reached or reached[state][0] < worth:
                reached[state] = (worth, chain)
            candidates = options
            if last + 1 not in options and openings.can_match(left, last + 1):
                candidates = [*options, last + 1]
            for right in candidates:
                if used >> right & 1:
                    continue
                gain = per_match + (right - 1 in (before, last)) + (right + 1 == after)
                state = (
                    (used | 1 << right) & still_open,
                    right if next_is_open and openings.can_match(left + 1, right + 1) else -2,
                )
                if state not in reached or reached[state][0] < worth + gain:
                    reached[state] = (worth + gain, (chain, left, right))
        if len(reached) > _BEAM_STATES:
            reached = dict(sorted(reached.items(), key=lambda item: (-item[1][0], item[0]))[:_BEAM_STATES])
        best = reached
    chain = max(best.values(), key=lambda item: item[0])[1]
    chosen = dict(matched)
    while chain:
        chain, left, right = chain
        chosen[left] = right
    return chosen


def _complete(matched: Matches, partners: PartnersByPosition) -> Matches:
    """Match what is still free, from left to right."""
    matched_right = set(matched.values())
    # Words with the same partners take them in turn: what the word before was refused is not tried again.
    waiting = {group: iter(group.positions) for group in partners.values()}
    for left, group in partners.items():
        if left not in matched:
            right = next((option for option in waiting[group] if option not in matched_right), None)
            if right is not None:
                matched[left] = right
                matched_right.add(right)
    return dict(sorted(matched.items()))
