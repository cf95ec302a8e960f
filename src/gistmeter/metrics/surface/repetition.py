"""Repetition: how much a summary says again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.text.languages import language_code
from gistmeter.text.words import Tokenizer, split_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example

_ORDERS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Repetition(Metric):
    """The share of a summary's n-grams that occurred in it before: 1 - distinct / all, for n = 1, 2, 3.

    Missing (NaN) when the summary has no n-gram of that length, so all three are missing for an empty summary. Words
    always recur in long texts; the columns for pairs and triples show loops and copied sentences.

    >>> from gistmeter.example import Example
    >>> Repetition().score([Example(doc_id="d", system="s", summary="on and on and on")])
    array([[0.6       , 0.5       , 0.33333333]])
    """

    tokenizer: Tokenizer = "unicode"

    name = "repetition"
    needs = frozenset[Need]()
    columns = tuple(
        Column(f"repeat{n}", f"share of the summary's {n}-grams that stood in it before", "lower") for n in _ORDERS
    )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Repeated words, pairs and triples of each summary."""
        scores = np.full((len(examples), len(_ORDERS)), np.nan)
        for row, example in enumerate(examples):
            tokens = split_words(example.summary, self.tokenizer, language_code(example.language))
            for column, order in enumerate(_ORDERS):
                total = len(tokens) - order + 1
                if total > 0:
                    distinct = len(set(zip(*(tokens[k:] for k in range(order)), strict=False)))
                    scores[row, column] = 1 - distinct / total
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language."""
        return {"language": language_code(example.language)}
