"""Which summaries were scored already, in ten bytes for each: a set of Python would take a hundred."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_KEY_BYTES = 10
"""Of a digest: that any two of a billion summaries share one has a chance of one in two million."""


class RowKeys:
    """The keys of summaries, as sorted arrays of which each is at least twice as long as the next.

    >>> keys = RowKeys()
    >>> keys.add(["1", "2"], ["a", "a"]), keys.add(["3", "2"], ["a", "a"])
    (None, 1)
    """

    def __init__(self) -> None:
        self._arrays: list[NDArray[Any]] = []

    def add(self, doc_ids: Sequence[str], systems: Sequence[str]) -> int | None:
        """Take in the summaries of a batch; the first that was there before, by its index in the batch, or None."""
        digests = [_digest(doc_id, system) for doc_id, system in zip(doc_ids, systems, strict=True)]
        if not digests:
            return None
        keys = np.array(digests, dtype=f"S{_KEY_BYTES}")
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        repeated = np.concatenate([[False], keys[1:] == keys[:-1]])
        for array in self._arrays:
            nearest = np.minimum(array.searchsorted(keys), len(array) - 1)
            repeated |= array[nearest] == keys
        if repeated.any():
            return int(order[repeated].min())
        self._arrays.append(keys)
        while len(self._arrays) > 1 and len(self._arrays[-2]) < 2 * len(self._arrays[-1]):
            merged = np.concatenate([self._arrays.pop(), self._arrays.pop()])
            merged.sort(kind="stable")  # which is a merge: both halves are sorted
            self._arrays.append(merged)
        return None


def _digest(doc_id: str, system: str) -> bytes:
    return hashlib.blake2b(f"{len(system)}\0{system}{doc_id}".encode(), digest_size=_KEY_BYTES).digest()
