"""The baseline without a model: how many 3-grams of a summary its document does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.text.analysis import Analysis

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from gistmeter import Example

NOVEL_TRIGRAMS = "count of novel 3-grams"
"""How tables name it, in the place of a metric."""


def novel_trigrams(examples: Iterable[Example]) -> NDArray[np.float64]:
    """Counts of novel 3-grams, one for each example."""
    words = Analysis().tokens
    return np.array(
        [len(_trigrams(words(one.summary)) - _trigrams(words(one.document or ""))) for one in examples], dtype=float
    )


def _trigrams(tokens: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(tokens[i : i + 3]) for i in range(len(tokens) - 2)}
