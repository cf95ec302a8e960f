"""Tokens and states: what a tokenizer and an encoder make of one text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from gistmeter.arrays import IntArray

    StateArray = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """The tokens of one text with their positions in it; a special token ([CLS], </s>) stands at 0 to 0."""

    text: str
    ids: IntArray
    starts: IntArray
    ends: IntArray
    special: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def inner(self) -> slice:
        """Where the text stands between the special tokens at either end."""
        plain = np.flatnonzero(~self.special)
        return slice(int(plain[0]), int(plain[-1]) + 1) if len(plain) else slice(0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class Encoded(Tokens):
    """The tokens of one text with their states by layer: layer 0 is the embeddings, the highest the last."""

    states: Mapping[int, StateArray]

    @property
    def size(self) -> int:
        """Bytes of states."""
        return sum(array.nbytes for array in self.states.values())


def scale_to_unit_length(states: StateArray) -> StateArray:
    """States scaled to length 1, so that a product of two is their cosine.

    >>> scale_to_unit_length(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32))
    array([[0.6, 0.8],
           [0. , 0. ]], dtype=float32)
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", states, states))[:, None]
    return np.asarray(states / np.where(lengths > 0, lengths, 1), dtype=np.float32)
