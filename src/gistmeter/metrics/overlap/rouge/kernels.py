"""The compiled loops of ROUGE: clipped matches of n-grams, skip-bigrams and (weighted) subsequences.

Each kernel takes summaries and references as ragged arrays of token numbers and, for pair p, compares summary
`owners[p]` with reference p. All are exact: hash slots are checked against the tokens themselves. The plain
versions they are tested against are in tests/support/rouge_oracle.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Ids = NDArray[np.int32]
    Floats = NDArray[np.float64]

_EMPTY = -1
_UNIGRAM = np.int64(0xFFFFFFFF)


def _compile(function: Callable[..., Any]) -> Any:
    return njit(cache=True, nogil=True)(function)


@_compile
def _table_size(items: int) -> int:
    """A power of two at least twice the number of items, so that probes stay short."""
    size = 8
    while size < 2 * items:
        size *= 2
    return size


@_compile
def _mix(value: Any) -> Any:
    """Spread a number over all bits (multiplier of Fibonacci hashing)."""
    spread = np.uint64(value) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((spread >> np.uint64(20)) & np.uint64(0x7FFFFFFFFFF))


@_compile
def count_ngram_matches(s_ids: Ids, s_starts: Ints, r_ids: Ids, r_starts: Ints, owners: Ints, order: int) -> Ints:
    """How many n-grams each pair shares, counting each at most as often as it stands in both."""
    longest = 0
    for p in range(len(owners)):
        longest = max(longest, r_starts[p + 1] - r_starts[p])
    slots = np.empty(_table_size(longest), np.int64)
    left = np.empty(longest + 1, np.int64)
    matches = np.zeros(len(owners), np.int64)
    for p in range(len(owners)):
        s0, s1 = s_starts[owners[p]], s_starts[owners[p] + 1]
        r0, r1 = r_starts[p], r_starts[p + 1]
        grams = r1 - r0 - order + 1
        if grams <= 0 or s1 - s0 < order:
            continue
        mask = _table_size(grams) - 1
        slots[: mask + 1] = _EMPTY
        for i in range(grams):
            code = np.int64(0)
            for k in range(order):
                code = _mix(code * 31 + r_ids[r0 + i + k])
            slot = code & mask
            while True:
                j = slots[slot]
                if j == _EMPTY:
                    slots[slot] = i
                    left[i] = 1
                    break
                same = True
                for k in range(order):
                    if r_ids[r0 + i + k] != r_ids[r0 + j + k]:
                        same = False
                        break
                if same:
                    left[j] += 1
                    break
                slot = (slot + 1) & mask
        for i in range(s1 - s0 - order + 1):
            code = np.int64(0)
            for k in range(order):
                code = _mix(code * 31 + s_ids[s0 + i + k])
            slot = code & mask
            while True:
                j = slots[slot]
                if j == _EMPTY:
                    break
                same = True
                for k in range(order):
                    if s_ids[s0 + i + k] != r_ids[r0 + j + k]:
                        same = False
                        break
                if same:
                    if left[j] > 0:
                        left[j] -= 1
                        matches[p] += 1
                    break
                slot = (slot + 1) & mask
    return matches


@_compile
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


@_compile
def count_skip_bigrams(lengths: Ints, gap: int, unigrams: bool) -> Ints:
    """The same for many texts."""
    counts = np.empty(len(lengths), np.int64)
    for i in range(len(lengths)):
        counts[i] = count_skip_bigrams_of_length(lengths[i], gap, unigrams)
    return counts


@_compile
def count_skip_matches(
    s_ids: Ids, s_starts: Ints, r_ids: Ids, r_starts: Ints, owners: Ints, gap: int, unigrams: bool
) -> Ints:
    """How many skip-bigrams (and unigrams, if asked) each pair shares, clipped."""
    most = 0
    for p in range(len(owners)):
        most = max(most, count_skip_bigrams_of_length(r_starts[p + 1] - r_starts[p], gap, unigrams))
    keys = np.empty(_table_size(most), np.int64)
    left = np.empty(len(keys), np.int64)
    matches = np.zeros(len(owners), np.int64)
    for p in range(len(owners)):
        s0, s1 = s_starts[owners[p]], s_starts[owners[p] + 1]
        r0, r1 = r_starts[p], r_starts[p + 1]
        mask = _table_size(count_skip_bigrams_of_length(r1 - r0, gap, unigrams)) - 1
        keys[: mask + 1] = _EMPTY
        for i in range(r0, r1 - 1):
            last = r1 - 1 if gap < 0 else min(r1 - 1, i + gap + 1)
            first = i if unigrams else i + 1  # position i itself stands for the unigram
            for j in range(first, last + 1):
                second = _UNIGRAM if j == i else np.int64(r_ids[j])
                key = (np.int64(r_ids[i]) << 32) | second
                slot = _mix(key) & mask
                while keys[slot] != _EMPTY and keys[slot] != key:
                    slot = (slot + 1) & mask
                if keys[slot] == _EMPTY:
                    keys[slot] = key
                    left[slot] = 0
                left[slot] += 1
        for i in range(s0, s1 - 1):
            last = s1 - 1 if gap < 0 else min(s1 - 1, i + gap + 1)
            first = i if unigrams else i + 1
            for j in range(first, last + 1):
                second = _UNIGRAM if j == i else np.int64(s_ids[j])
                key = (np.int64(s_ids[i]) << 32) | second
                slot = _mix(key) & mask
                while keys[slot] != _EMPTY and keys[slot] != key:
                    slot = (slot + 1) & mask
                if keys[slot] == key and left[slot] > 0:
                    left[slot] -= 1
                    matches[p] += 1
    return matches


@_compile
def measure_lcs(s_ids: Ids, s_starts: Ints, r_ids: Ids, r_starts: Ints, owners: Ints) -> Ints:
    """The length of the longest common subsequence of each pair."""
    longest = 0
    for p in range(len(owners)):
        longest = max(longest, r_starts[p + 1] - r_starts[p])
    row = np.empty(longest + 1, np.int64)
    lengths = np.zeros(len(owners), np.int64)
    for p in range(len(owners)):
        s0, s1 = s_starts[owners[p]], s_starts[owners[p] + 1]
        r0 = r_starts[p]
        width = r_starts[p + 1] - r0
        row[: width + 1] = 0
        for i in range(s0, s1):
            diagonal = row[0]
            word = s_ids[i]
            for j in range(1, width + 1):
                above = row[j]
                if r_ids[r0 + j - 1] == word:
                    row[j] = diagonal + 1
                elif row[j - 1] > above:
                    row[j] = row[j - 1]
                diagonal = above
        lengths[p] = row[width]
    return lengths


@_compile
def _mark_subsequence(
    summary: Ids, reference: Ids, weights: Floats, best: Floats, runs: Ints, marked: NDArray[np.bool_]
) -> None:
    """Mark the reference words in one (weighted) longest common subsequence with a summary sentence.

    Of several, ROUGE-1.5.5's: going back from the ends it takes a match where there is one, else drops the
    reference word when that loses nothing, else the summary word.
    """
    m, n = len(reference), len(summary)
    width = n + 1
    best[:width] = 0.0
    runs[:width] = 0
    for i in range(1, m + 1):
        at, up = i * width, (i - 1) * width
        best[at] = 0.0
        runs[at] = 0
        word = reference[i - 1]
        for j in range(1, n + 1):
            if word == summary[j - 1]:
                k = runs[up + j - 1]
                best[at + j] = best[up + j - 1] + weights[k + 1] - weights[k]
                runs[at + j] = k + 1
            else:
                best[at + j] = max(best[up + j], best[at + j - 1])
                runs[at + j] = 0
    i, j = m, n
    while i > 0 and j > 0:
        if reference[i - 1] == summary[j - 1]:
            i -= 1
            j -= 1
            marked[i] = True
        elif best[(i - 1) * width + j] >= best[i * width + j - 1]:
            i -= 1
        else:
            j -= 1


@_compile
def count_union_matches(
    s_ids: Ids,
    s_starts: Ints,
    s_texts: Ints,
    r_ids: Ids,
    r_starts: Ints,
    r_texts: Ints,
    owners: Ints,
    weights: Floats,
    by_run: bool,
) -> Floats:
    """What the union of subsequences over sentences is worth for each pair (ROUGE-1.5.5's L and W).

    Every reference sentence is matched with every summary sentence; its marked words count once each, and no
    word counts more often than it stands in the summary. `by_run` adds `weights[length]` for each unbroken run
    of marked words (W) instead of counting the words (L).
    """
    deepest = widest = most = 0
    for i in range(len(r_starts) - 1):
        deepest = max(deepest, r_starts[i + 1] - r_starts[i])
    for i in range(len(s_starts) - 1):
        widest = max(widest, s_starts[i + 1] - s_starts[i])
    for i in range(len(s_texts) - 1):
        most = max(most, s_starts[s_texts[i + 1]] - s_starts[s_texts[i]])
    best = np.empty((deepest + 1) * (widest + 1), np.float64)
    runs = np.empty((deepest + 1) * (widest + 1), np.int64)
    marked = np.empty(deepest, np.bool_)
    words = np.empty(_table_size(most), np.int64)
    left = np.empty(len(words), np.int64)
    matches = np.zeros(len(owners), np.float64)
    for p in range(len(owners)):
        t0, t1 = s_texts[owners[p]], s_texts[owners[p] + 1]
        first, end = s_starts[t0], s_starts[t1]
        mask = _table_size(end - first) - 1
        words[: mask + 1] = _EMPTY
        for i in range(first, end):
            slot = _mix(np.int64(s_ids[i])) & mask
            while words[slot] != _EMPTY and words[slot] != s_ids[i]:
                slot = (slot + 1) & mask
            if words[slot] == _EMPTY:
                words[slot] = s_ids[i]
                left[slot] = 0
            left[slot] += 1
        for sentence in range(r_texts[p], r_texts[p + 1]):
            r0, r1 = r_starts[sentence], r_starts[sentence + 1]
            size = r1 - r0
            marked[:size] = False
            for t in range(t0, t1):
                _mark_subsequence(s_ids[s_starts[t] : s_starts[t + 1]], r_ids[r0:r1], weights, best, runs, marked)
            run = 0
            for i in range(size):
                if not marked[i]:
                    continue
                slot = _mix(np.int64(r_ids[r0 + i])) & mask
                while words[slot] != r_ids[r0 + i]:
                    slot = (slot + 1) & mask
                if left[slot] == 0:
                    continue
                left[slot] -= 1
                if not by_run:
                    matches[p] += 1.0
                    continue
                run += 1
                if i + 1 == size or not marked[i + 1]:
                    matches[p] += weights[run]
                    run = 0
    return matches
