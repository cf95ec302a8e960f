"""The compiled loop of ROUGE-N: clipped matches of n-grams.

Summaries and references come as ragged arrays of token numbers, and for pair p summary `owners[p]` is compared with
reference p, as in all compiled loops of ROUGE. All are exact: hash slots are checked against the tokens themselves. The
plain versions they are tested against are in tests/support/rouge_oracle.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.overlap.rouge.hashing import EMPTY, compile_loop, mix_bits, table_size

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Ids = NDArray[np.int32]


@compile_loop
def count_ngram_matches(s_ids: Ids, s_starts: Ints, r_ids: Ids, r_starts: Ints, owners: Ints, order: int) -> Ints:
    """How many n-grams each pair shares, counting each at most as often as it stands in both."""
    longest = 0
    for p in range(len(owners)):
        longest = max(longest, r_starts[p + 1] - r_starts[p])
    slots = np.empty(table_size(longest), np.int64)
    left = np.empty(longest + 1, np.int64)
    matches = np.zeros(len(owners), np.int64)
    for p in range(len(owners)):
        s0, s1 = s_starts[owners[p]], s_starts[owners[p] + 1]
        r0, r1 = r_starts[p], r_starts[p + 1]
        grams = r1 - r0 - order + 1
        if grams <= 0 or s1 - s0 < order:
            continue
        mask = table_size(grams) - 1
        slots[: mask + 1] = EMPTY
        for i in range(grams):
            code = np.int64(0)
            for k in range(order):
                code = mix_bits(code * 31 + r_ids[r0 + i + k])
            slot = code & mask
            while True:
                j = slots[slot]
                if j == EMPTY:
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
                code = mix_bits(code * 31 + s_ids[s0 + i + k])
            slot = code & mask
            while True:
                j = slots[slot]
                if j == EMPTY:
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
