"""Batches for a model: texts of like length together, at most so many tokens at once."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from gistmeter.models.runtime.tokenizer import JoinedTokens


class HasSize(Protocol):
    """An item that knows how many bytes it takes."""

    @property
    def size(self) -> int:
        """Bytes."""


Item = TypeVar("Item", bound=HasSize)


def split_into_batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Positions in batches, longest first; a batch takes at most `most_tokens` tokens with its padding.

    Longest first, so that the most memory is taken at once and the remaining time is not underestimated.

    >>> list(split_into_batches([3, 1, 2, 9], most_tokens=6))
    [[3], [0, 2], [1]]
    """
    order = sorted(range(len(lengths)), key=lambda index: (-lengths[index], index))
    batch: list[int] = []
    for index in order:
        if batch and (len(batch) + 1) * lengths[batch[0]] > most_tokens:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def pad_sequences(batch: Sequence[NDArray[np.int64]], pad_id: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Sequences of ids as one array, filled up at the end, and 1 where it is not filled up.

    >>> ids, mask = pad_sequences([np.array([5, 6, 7]), np.array([8])], 0)
    >>> ids.tolist(), mask.tolist()
    ([[5, 6, 7], [8, 0, 0]], [[1, 1, 1], [1, 0, 0]])
    """
    ids = np.full((len(batch), max(map(len, batch))), pad_id, dtype=np.int64)
    mask = np.zeros_like(ids)
    for row, sequence in enumerate(batch):
        ids[row, : len(sequence)] = sequence
        mask[row, : len(sequence)] = 1
    return ids, mask


def pad_pairs(pairs: Sequence[JoinedTokens], pad_id: int, *, types: bool) -> dict[str, NDArray[np.int64]]:
    """Sequences of two texts, filled up, under the names that transformers gives them."""
    ids, mask = pad_sequences([pair.ids for pair in pairs], pad_id)
    inputs = {"input_ids": ids, "attention_mask": mask}
    return inputs | {"token_type_ids": pad_sequences([pair.types for pair in pairs], 0)[0]} if types else inputs


class RecentCache(Generic[Item]):
    """The items used last, as many as fit into `max_bytes`."""

    def __init__(self, max_bytes: int) -> None:
        self._most = max_bytes
        self._bytes = 0
        self._items: OrderedDict[Hashable, Item] = OrderedDict()

    def get(self, key: Hashable) -> Item | None:
        """The item under a key, or None; it then counts as used."""
        item = self._items.get(key)
        if item is not None:
            self._items.move_to_end(key)
        return item

    def keep(self, key: Hashable, item: Item) -> None:
        """Store an item, and drop those unused for longest where the bytes are used up."""
        replaced = self._items.pop(key, None)
        self._bytes += item.size - (replaced.size if replaced is not None else 0)
        self._items[key] = item
        while self._bytes > self._most:
            _, dropped = self._items.popitem(last=False)
            self._bytes -= dropped.size
