"""Tokens: a text as token metrics compare it, by the states and the weights of its tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.evidence.alignment import Token, TokenText

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


def read_pieces(title: str, text: str, tokens: WeightedTokens) -> TokenText:
    """A text with the spans of its tokens; special ones have none, and stand where the token before them ends."""
    spans = []
    end = 0
    for token_start, token_end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        start = max(end, token_start)
        end = max(start, token_end)
        spans.append(Token(start, end))
    return TokenText(title, text, tuple(spans))
