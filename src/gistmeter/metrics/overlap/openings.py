"""Openings: the matches of words that an alignment has to choose among, and which of them to try first.

A repeated word may match every other occurrence of it, so that pairs of words grow with the square of the text. Few are
held as a table; many are gone through a word at a time, and only what the search asks for stays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import BoolArray

    Matches = dict[int, int]
    """For each matched position of the left text its position in the right text."""

    PartnersByPosition = dict[int, "Partners"]
    """For each position of the left text that may match, what it may match."""

MAX_OPTIONS = 16
"""How many partners of a word are tried: those that could start the longest runs."""

MAX_TABLE_PAIRS = 1 << 16
"""More pairs of words that may match than this are not held as a table."""


@dataclass(frozen=True, slots=True, eq=False)
class Partners:
    """The positions of the right text that a word may match, in order; equal words share the object."""

    positions: Sequence[int]
    _members: frozenset[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_members", frozenset(self.positions))

    def __contains__(self, position: int) -> bool:
        return position in self._members


@dataclass(frozen=True, slots=True)
class Openings:
    """The positions of the left text to search, from left to right, and what each may match."""

    order: Sequence[int]
    options: Sequence[Sequence[int]]
    """For each step of the search the partners to try, the longest runs first."""
    closing: Sequence[Sequence[int]]
    """For each step the right positions that no later step may match."""
    can_match: Callable[[int, int], bool]
    """Whether a left position may match a right one in this search."""

    @property
    def rights_open(self) -> int:
        """All right positions that a step may match, as the bits of a number."""
        return sum(1 << right for rights in self.closing for right in rights)


def find_openings(partners: PartnersByPosition, matched: Matches, *, continuing: bool) -> Openings:
    """What there is to search; `continuing` leaves out matches that can neither continue another nor be continued."""
    pairs = sum(len(group.positions) for group in partners.values())
    find = _openings_in_table if pairs <= MAX_TABLE_PAIRS else _openings_by_row
    return find(partners, matched, continuing)


def _openings_in_table(partners: PartnersByPosition, matched: Matches, continuing: bool) -> Openings:
    """All pairs at once, in a table of how many matches in a row could start with each."""
    rows = {left: group.positions for left, group in partners.items()}
    if continuing:
        joined = {left: [r for r in rights if _continues(partners, matched, left, r)] for left, rights in rows.items()}
        rows = {left: rights for left, rights in joined.items() if rights}
    order = sorted(rows)
    runs: dict[tuple[int, int], int] = {}
    for left in reversed(order):
        for right in rows[left]:
            if matched.get(left + 1) == right + 1:
                runs[left, right] = 2
            else:
                runs[left, right] = 1 + runs.get((left + 1, right + 1), 0)
    last_steps = {right: step for step, left in enumerate(order) for right in rows[left]}
    closing: list[list[int]] = [[] for _ in order]
    for right, step in last_steps.items():
        closing[step].append(right)
    return Openings(
        order=order,
        options=[sorted(rows[left], key=lambda right: -runs[left, right])[:MAX_OPTIONS] for left in order],
        closing=closing,
        can_match=lambda left, right: (left, right) in runs,
    )


def _openings_by_row(partners: PartnersByPosition, matched: Matches, continuing: bool) -> Openings:
    """The same with no more than the pairs of one left position in memory, from the last position to the first."""
    width = 3 + max([*(group.positions[-1] for group in partners.values()), *matched.values()])
    order: list[int] = []
    options: list[list[int]] = []
    closing: list[list[int]] = []
    closed = np.zeros(width, dtype=bool)
    following, following_left = np.zeros(width, dtype=np.int64), -1
    for left in sorted(partners, reverse=True):
        rights = np.asarray(partners[left].positions)
        if continuing:
            before, after = (_possible_rights(partners, matched, other, width) for other in (left - 1, left + 1))
            rights = rights[((rights > 0) & before[rights - 1]) | after[rights + 1]]
            if not len(rights):
                continue
        lengths = 1 + (following[rights + 1] if following_left == left + 1 else np.zeros(len(rights), dtype=np.int64))
        lengths[rights + 1 == matched.get(left + 1, -1)] = 2
        following, following_left = np.zeros(width, dtype=np.int64), left
        following[rights] = lengths
        ranks = -lengths * width + rights  # the longest run first, and of equal ones the first
        chosen = np.argpartition(ranks, MAX_OPTIONS - 1)[:MAX_OPTIONS] if len(ranks) > MAX_OPTIONS else slice(None)
        order.append(left)
        options.append([int(rank) % width for rank in np.sort(ranks[chosen])])
        closing.append(rights[~closed[rights]].tolist())
        closed[rights] = True

    def can_match(left: int, right: int) -> bool:
        group = partners.get(left)
        if group is None or right not in group:
            return False
        return not continuing or _continues(partners, matched, left, right)

    return Openings(order=order[::-1], options=options[::-1], closing=closing[::-1], can_match=can_match)


def _continues(partners: PartnersByPosition, matched: Matches, left: int, right: int) -> bool:
    """Whether a match could continue, or be continued by, another one: any other cannot save a chunk."""
    return _is_possible(partners, matched, left - 1, right - 1) or _is_possible(partners, matched, left + 1, right + 1)


def _is_possible(partners: PartnersByPosition, matched: Matches, left: int, right: int) -> bool:
    return matched.get(left) == right or (left in partners and right in partners[left])


def _possible_rights(partners: PartnersByPosition, matched: Matches, left: int, width: int) -> BoolArray:
    """Which right positions a left one may match or is matched with."""
    possible = np.zeros(width, dtype=bool)
    if left in partners:
        possible[np.asarray(partners[left].positions)] = True
    if left in matched:
        possible[matched[left]] = True
    return possible
