"""Extract scorers that several families of metrics share: of joined tokens, and of joined texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.extracts.scorer import Choice, join_extract

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray


@dataclass(frozen=True, slots=True)
class TokenExtracts:
    """Extracts as the tokens of their sentences, which were found once, one sentence after the other."""

    tokens: tuple[list[str], ...]
    """Those of each sentence."""
    score_tokens: Callable[[list[str]], Sequence[float]]
    """The columns for a summary of these tokens."""
    estimates: bool = False

    def score(self, choices: Sequence[Choice]) -> FloatArray:
        """The columns of each choice."""
        return np.array(
            [self.score_tokens([token for position in choice for token in self.tokens[position]]) for choice in choices]
        )


@dataclass(frozen=True, slots=True)
class TextExtracts:
    """Extracts as texts, where all that depends on the document alone was computed once."""

    sentences: tuple[str, ...]
    score_texts: Callable[[list[str]], FloatArray]
    """The columns for each of these summaries."""
    estimates: bool = False

    def score(self, choices: Sequence[Choice]) -> FloatArray:
        """The columns of each choice."""
        return self.score_texts([join_extract(self.sentences, choice) for choice in choices])
