"""The compiled loops of ROUGE-L, -Lsum and -W: (weighted) longest common subsequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.overlap.rouge.hashing import EMPTY, compile_loop, mix_bits, table_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Ids = NDArray[np.int32]
    Floats = NDArray[np.float64]


@compile_loop
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


@compile_loop
def _mark_subsequence(
    summary: Ids,
    reference: Ids,
    weights: Floats,
    best: Floats,
    runs: Ints,
    steps: NDArray[np.bool_],
    marked: NDArray[np.bool_],
) -> None:
    """Mark the reference words in one (weighted) longest common subsequence with a summary sentence.

    Of several, ROUGE-1.5.5's: going back from the ends it takes a match where there is one, else drops the
    reference word when that loses nothing, else the summary word. Which of the two is noted in `steps` for a block of
    rows (reference words) at a time, as many as there is room for: where that is not all of them, a first round
    leaves the row before each block, and the blocks are computed once more from the last to the first. `best` and
    `runs` have room for a row.
    """
    m, n = len(reference), len(summary)
    rows = m if m * n <= len(steps) else max(1, len(steps) // n)
    blocks = (m + rows - 1) // rows
    saved_best = np.empty((blocks - 1, n + 1), np.float64)
    saved_runs = np.empty((blocks - 1, n + 1), np.int32)
    best[: n + 1] = 0.0
    runs[: n + 1] = 0
    for block in range(blocks - 1):
        for i in range(block * rows, (block + 1) * rows):
            _extend_row(reference[i], summary, weights, best, runs, n, steps[:0])
        saved_best[block] = best[: n + 1]
        saved_runs[block] = runs[: n + 1]
    i, j = m, n
    for block in range(blocks - 1, -1, -1):
        start = block * rows
        if block == 0:
            best[: j + 1] = 0.0
            runs[: j + 1] = 0
        else:
            best[: j + 1] = saved_best[block - 1, : j + 1]
            runs[: j + 1] = saved_runs[block - 1, : j + 1]
        for row in range(i - start):
            _extend_row(reference[start + row], summary, weights, best, runs, j, steps[row * n : row * n + n])
        while i > start and j > 0:
            if reference[i - 1] == summary[j - 1]:
                i -= 1
                j -= 1
                marked[i] = True
            elif steps[(i - 1 - start) * n + j - 1]:
                i -= 1
            else:
                j -= 1


@compile_loop
def _extend_row(
    word: int, summary: Ids, weights: Floats, best: Floats, runs: Ints, columns: int, steps: NDArray[np.bool_]
) -> None:
    """Make of the row before a reference word the row after it; `steps` (if any) notes where dropping it is free."""
    corner, corner_run = best[0], runs[0]
    for j in range(1, columns + 1):
        above, above_run = best[j], runs[j]
        if word == summary[j - 1]:
            best[j] = corner + weights[corner_run + 1] - weights[corner_run]
            runs[j] = corner_run + 1
        else:
            if len(steps):
                steps[j - 1] = above >= best[j - 1]
            best[j] = max(above, best[j - 1])
            runs[j] = 0
        corner, corner_run = above, above_run


@compile_loop
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
    block_cells: int,
) -> Floats:
    """What the union of subsequences over sentences is worth for each pair (ROUGE-1.5.5's L and W).

    Every reference sentence is matched with every summary sentence; its marked words count once each, and no
    word counts more often than it stands in the summary. `by_run` adds `weights[length]` for each unbroken run
    of marked words (W) instead of counting the words (L). `block_cells` is the room for the table of two sentences:
    of a larger one, blocks of rows are computed one after the other.
    """
    deepest = widest = most = 0
    for i in range(len(r_starts) - 1):
        deepest = max(deepest, r_starts[i + 1] - r_starts[i])
    for i in range(len(s_starts) - 1):
        widest = max(widest, s_starts[i + 1] - s_starts[i])
    for i in range(len(s_texts) - 1):
        most = max(most, s_starts[s_texts[i + 1]] - s_starts[s_texts[i]])
    best = np.empty(widest + 1, np.float64)
    runs = np.empty(widest + 1, np.int64)
    steps = np.empty(max(widest, min(block_cells, deepest * widest)), np.bool_)
    marked = np.empty(deepest, np.bool_)
    words = np.empty(table_size(most), np.int64)
    left = np.empty(len(words), np.int64)
    matches = np.zeros(len(owners), np.float64)
    for p in range(len(owners)):
        t0, t1 = s_texts[owners[p]], s_texts[owners[p] + 1]
        first, end = s_starts[t0], s_starts[t1]
        mask = table_size(end - first) - 1
        words[: mask + 1] = EMPTY
        for i in range(first, end):
            slot = mix_bits(np.int64(s_ids[i])) & mask
            while words[slot] != EMPTY and words[slot] != s_ids[i]:
                slot = (slot + 1) & mask
            if words[slot] == EMPTY:
                words[slot] = s_ids[i]
                left[slot] = 0
            left[slot] += 1
        for sentence in range(r_texts[p], r_texts[p + 1]):
            r0, r1 = r_starts[sentence], r_starts[sentence + 1]
            size = r1 - r0
            marked[:size] = False
            for t in range(t0, t1):
                summary = s_ids[s_starts[t] : s_starts[t + 1]]
                _mark_subsequence(summary, r_ids[r0:r1], weights, best, runs, steps, marked)
            run = 0
            for i in range(size):
                if not marked[i]:
                    continue
                slot = mix_bits(np.int64(r_ids[r0 + i])) & mask
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
