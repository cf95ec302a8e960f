"""Batches for a model: texts of like length together, at most so many tokens at once."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from gistmeter.models.runtime.tokenizer import Joined


class Sized(Protocol):
    """Something that takes memory."""

    @property
    def size(self) -> int:
        """Bytes."""


Kept = TypeVar("Kept", bound=Sized)


def batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Positions in batches, longest first; a batch takes at most `most_tokens` tokens with its padding.

    Longest first, so that the most memory is taken at once and the remaining time is not underestimated.

    >>> list(batches([3, 1, 2, 9], most_tokens=6))
    [[3], [0, 2], [1]]
    """
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    batch: list[int] = []
    for i in order:
        if batch and (len(batch) + 1) * lengths[batch[0]] > most_tokens:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def padded(batch: Sequence[NDArray[np.int64]], pad_id: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sequences of ids as one array, filled up at the end, and 1 where it is not filled up.

    >>> ids, mask = padded([np.array([5, 6, 7]), np.array([8])], 0)
    >>> ids.tolist(), mask.tolist()
    ([[5, 6, 7], [8, 0, 0]], [[1, 1, 1], [1, 0, 0]])
    """
    ids = np.full((len(batch), max(map(len, batch))), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, one in enumerate(batch):
        ids[row, : len(one)] = one
        mask[row, : len(one)] = 1
    return ids, mask


def joined_inputs(pairs: Sequence[Joined], pad_id: int, *, types: bool) -> dict[str, NDArray[np.int64]]:
    """Sequences of two texts, filled up, under the names that transformers gives them."""
    ids, mask = padded([pair.ids for pair in pairs], pad_id)
    inputs = {"input_ids": ids, "attention_mask": mask}
    return inputs | {"token_type_ids": padded([pair.types for pair in pairs], 0)[0]} if types else inputs


class Recent(Generic[Kept]):
    """The things used last, as many as fit into so many bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()

    def get(self, key: Hashable) -> Kept | None:
        """What is kept under the key, if anything; it then counts as used."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: Hashable, thing: Kept) -> None:
        """Keep a thing, and let go of the ones unused for longest."""
        before = self._kept.pop(key, None)
        self._bytes += thing.size - (before.size if before is not None else 0)
        self._kept[key] = thing
        while self._bytes > self._most:
            _, gone = self._kept.popitem(last=False)
            self._bytes -= gone.size
