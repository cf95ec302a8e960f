"""Tokens: a text as token metrics compare it, by the states and the weights of its tokens, and who is closest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence.alignment import Alignment, Edge, TokenText, locate_tokens
from gistmeter.models.encoder.matching import find_best_matches

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

    def locate(self, title: str, text: str) -> TokenText:
        """The text with the places of its tokens."""
        return locate_tokens(title, text, self.starts.tolist(), self.ends.tolist(), self.weights.tolist())


@dataclass(frozen=True, slots=True)
class ClosestTokens:
    """A summary and another text, each token with the closest of the other side, by its weight and the cosine.

    `precision` has an edge for each token of the summary, `recall` one for each token of the other text. Special tokens
    have none, and a negative cosine, which would take away, counts 0.
    """

    precision: Alignment
    recall: Alignment


def align_closest(
    texts: tuple[str, str], tokens: tuple[WeightedTokens, WeightedTokens], other: str = "reference"
) -> ClosestTokens:
    """The closest tokens of a summary and another text, which is called `other`."""
    summary_tokens, other_tokens = tokens
    summary, compared = summary_tokens.locate("summary", texts[0]), other_tokens.locate(other, texts[1])
    best = find_best_matches(summary_tokens.states, other_tokens.states)
    gains = (
        summary_tokens.weights * np.clip(best.left, 0.0, 1.0),
        other_tokens.weights * np.clip(best.right, 0.0, 1.0),
    )
    forth = tuple(
        Edge(position, int(best.nearest_right[position]), float(gains[0][position]))
        for position in _list_compared(summary)
    )
    back = tuple(
        Edge(int(best.nearest_left[position]), position, float(gains[1][position]))
        for position in _list_compared(compared)
    )
    return ClosestTokens(Alignment(summary, compared, forth), Alignment(summary, compared, back))


def _list_compared(text: TokenText) -> list[int]:
    """The tokens that have letters or a weight: not the special ones."""
    return [position for position, token in enumerate(text.tokens) if token.end > token.start or token.weight > 0]
