"""The compiled loops of ROUGE-S and -SU: clipped matches of skip-bigrams.

They hold a few numbers for each word, not for each pair of words: the pairs are counted by their first word, one
word after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.overlap.rouge.hashing import compile_loop

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Ids = NDArray[np.int32]

NOWHERE = -1
"""The position of a word that does not stand (again) in a text."""


@compile_loop
def count_skip_bigrams_of_length(length: int, gap: int, unigrams: bool) -> int:
    """How many skip-bigrams a text has; gap < 0 means any distance. The last word gives no unigram.

    That last rule is ROUGE-1.5.5's, whose loop over first words ends one early, and stands in every number
    published with it.
    """
    if length < 2:
        return 0
    reach = length - 1 if gap < 0 else min(gap + 1, length - 1)
    bigrams = reach * length - reach * (reach + 1) // 2
    return bigrams + (length - 1 if unigrams else 0)


@compile_loop
def count_skip_bigrams(lengths: Ints, gap: int, unigrams: bool) -> Ints:
    """The same for many texts."""
    counts = np.empty(len(lengths), np.int64)
    for i in range(len(lengths)):
        counts[i] = count_skip_bigrams_of_length(lengths[i], gap, unigrams)
    return counts


@compile_loop
def count_skip_matches(
    s_ids: Ids, s_starts: Ints, r_ids: Ids, r_starts: Ints, owners: Ints, gap: int, unigrams: bool
) -> Ints:
    """How many skip-bigrams (and unigrams, if asked) each pair shares, clipped."""
    vocabulary = 1
    for number in s_ids:
        vocabulary = max(vocabulary, number + 1)
    for number in r_ids:
        vocabulary = max(vocabulary, number + 1)
    s_first, s_next = np.full(vocabulary, NOWHERE), np.empty(len(s_ids), np.int64)
    r_first, r_next = np.full(vocabulary, NOWHERE), np.empty(len(r_ids), np.int64)
    left = np.zeros(vocabulary, np.int64)
    matches = np.zeros(len(owners), np.int64)
    for p in range(len(owners)):
        s0, s1 = s_starts[owners[p]], s_starts[owners[p] + 1]
        r0, r1 = r_starts[p], r_starts[p + 1]
        _chain_positions(s_ids, s0, s1, s_first, s_next)
        _chain_positions(r_ids, r0, r1, r_first, r_next)
        for i in range(r0, r1):
            word = r_ids[i]
            if r_first[word] != i or s_first[word] == NOWHERE:
                continue
            if unigrams:
                matches[p] += min(_count_chain(r_next, i, r1 - 1), _count_chain(s_next, s_first[word], s1 - 1))
            _add_followers(r_ids, r1, r_next, i, gap, 1, left)
            matches[p] += _take_followers(s_ids, s1, s_next, s_first[word], gap, left)
            _add_followers(r_ids, r1, r_next, i, gap, 0, left)
        for i in range(s0, s1):
            s_first[s_ids[i]] = NOWHERE
        for i in range(r0, r1):
            r_first[r_ids[i]] = NOWHERE
    return matches


@compile_loop
def _chain_positions(ids: Ids, start: int, end: int, first: Ints, following: Ints) -> None:
    """Note where each word of a text stands first, and for each position where its word stands next."""
    for i in range(end - 1, start - 1, -1):
        following[i] = first[ids[i]]
        first[ids[i]] = i


@compile_loop
def _count_chain(following: Ints, position: int, end: int) -> int:
    """How often a word stands before `end`, from a position of it on."""
    count = 0
    while position != NOWHERE and position < end:
        count += 1
        position = following[position]
    return count


@compile_loop
def _add_followers(ids: Ids, end: int, following: Ints, position: int, gap: int, weight: int, left: Ints) -> None:
    """Add to each word how often it follows the word at `position` and later; a weight of 0 makes that 0 again."""
    if gap < 0:
        before = 0
        for j in range(position, end):
            left[ids[j]] = (left[ids[j]] + before) * weight
            if ids[j] == ids[position]:
                before += 1
        return
    while position != NOWHERE:
        for j in range(position + 1, min(end, position + gap + 2)):
            left[ids[j]] = (left[ids[j]] + 1) * weight
        position = following[position]


@compile_loop
def _take_followers(ids: Ids, end: int, following: Ints, position: int, gap: int, left: Ints) -> int:
    """How many followers of the word at `position` and later are still left; they are taken away."""
    matches = 0
    if gap < 0:
        before = 0
        for j in range(position, end):
            counted = min(before, left[ids[j]])
            left[ids[j]] -= counted
            matches += counted
            if ids[j] == ids[position]:
                before += 1
        return matches
    while position != NOWHERE:
        for j in range(position + 1, min(end, position + gap + 2)):
            if left[ids[j]] > 0:
                left[ids[j]] -= 1
                matches += 1
        position = following[position]
    return matches
