"""Tokens: a text as token metrics compare it, by the states and the weights of its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.models.encoder.matching import StateArray


@dataclass(frozen=True, slots=True, eq=False)
class WeightedTokens:
    """The tokens of a text: states of length 1, weights, starts and ends in the text; `empty` if all are special."""

    states: StateArray
    weights: FloatArray
    starts: IntArray
    ends: IntArray
    empty: bool
