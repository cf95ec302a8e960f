"""Novelty: how much of a summary's wording is not its source's."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.text.analysis import Analysis
from gistmeter.text.languages import language_code
from gistmeter.text.stems import STEM_CHOICES, check_stem, resolve_stem
from gistmeter.text.words import Tokenizer  # noqa: TC001  (read when settings are parsed)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example

_ORDERS = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Novelty(Metric):
    """The share of a summary's n-grams, each counted as often as it occurs, that its document does not have.

    Words are compared as they are; with `stem=auto` other forms of the document's words are not new. Several documents
    count as one text. Missing (NaN) when the document has no words or the summary no n-gram of that length.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="the cat sat down", document="a cat sat down on a rug")
    >>> Novelty().score([example])
    array([[0.25      , 0.33333333, 0.5       , 1.        ]])
    """

    tokenizer: Tokenizer = "unicode"
    stem: str = field(default="none", metadata={"takes": STEM_CHOICES})

    name = "novelty"
    paper = "Narayan, Cohen and Lapata (2018), Don't Give Me the Details, Just the Summary!"
    needs = frozenset[Need]({"document"})
    columns = tuple(
        Column(f"novel{n}", f"share of the summary's {n}-grams that the document does not have", "neither")
        for n in _ORDERS
    )

    def __post_init__(self) -> None:
        check_stem(self.stem)

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """New words, pairs, triples and quadruples of each summary."""
        scores = np.full((len(examples), len(_ORDERS)), np.nan)
        for row, example in enumerate(examples):
            analysis = Analysis(self.tokenizer, self.stem).in_language(example.language)
            document_grams = _collect_grams(analysis, example.document or "")
            if not document_grams[0]:
                continue
            tokens = analysis.tokens(example.summary)
            for column, order in enumerate(_ORDERS):
                total = len(tokens) - order + 1
                if total > 0:
                    new = sum(gram not in document_grams[column] for gram in _iterate_grams(tokens, order))
                    scores[row, column] = new / total
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the stemmer that follows from it."""
        code = language_code(example.language)
        return {"language": code, "stem": resolve_stem(self.stem, code)}


@functools.lru_cache(maxsize=128)
def _collect_grams(analysis: Analysis, document: str) -> tuple[frozenset[tuple[str, ...]], ...]:
    """The n-grams of a document, remembered because many systems summarise the same one."""
    tokens = analysis.tokens(document)
    return tuple(frozenset(_iterate_grams(tokens, order)) for order in _ORDERS)


def _iterate_grams(tokens: list[str], order: int) -> Iterator[tuple[str, ...]]:
    return zip(*(tokens[k:] for k in range(order)), strict=False)
