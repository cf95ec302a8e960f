"""Fragments: how much of a summary is copied, and in what lengths (coverage and density)."""

from __future__ import annotations

import functools
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


@dataclass(frozen=True, slots=True)
class Fragments(Metric):
    """Coverage and density of the fragments a summary shares with its document (Grusky et al., 2018).

    From left to right, a fragment is the longest stretch of the summary's words that also occurs in the document; the
    search continues after it. Coverage is the share of the summary's words that are in fragments; density adds up
    squared lengths instead, so it is the mean length of the fragment a word is in. The search is that of the paper:
    once it has compared a stretch of the document, it does not start again within it.

    A summary without words scores 0 for both. Missing (NaN) when the document has no words. Several documents count as
    one text.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="the cat sat there", document="a cat sat on the mat")
    >>> Fragments().score([example])
    array([[0.75, 1.25]])
    """

    tokenizer: Tokenizer = "unicode"

    name = "fragments"
    paper = "Grusky, Naaman and Artzi (2018), Newsroom: A Dataset of 1.3 Million Summaries"
    needs = frozenset[Need]({"document"})
    columns = (
        Column("coverage", "share of the summary's words in fragments copied from the document", "neither"),
        Column("density", "mean length of the copied fragment a word of the summary is in", "neither"),
    )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Coverage and density of each summary."""
        scores = np.full((len(examples), 2), np.nan)
        for row, example in enumerate(examples):
            code = language_code(example.language)
            source = _read_source(self.tokenizer, code, example.document or "")
            if not source.tokens:
                continue
            tokens = split_words(example.summary, self.tokenizer, code)
            lengths = measure_fragments(tokens, source)
            scores[row] = (
                sum(lengths) / max(len(tokens), 1),
                sum(length**2 for length in lengths) / max(len(tokens), 1),
            )
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language."""
        return {"language": language_code(example.language)}


@dataclass(frozen=True, slots=True)
class Source:
    """The words of a document and the positions of each."""

    tokens: list[str]
    positions: dict[str, list[int]]


@functools.lru_cache(maxsize=256)
def _read_source(tokenizer: Tokenizer, language: str, text: str) -> Source:
    tokens = split_words(text, tokenizer, language)
    positions: dict[str, list[int]] = {}
    for position, token in enumerate(tokens):
        positions.setdefault(token, []).append(position)
    return Source(tokens, positions)


def measure_fragments(tokens: Sequence[str], source: Source) -> list[int]:
    """The lengths of the fragments of a summary, from left to right."""
    lengths: list[int] = []
    start = 0
    while start < len(tokens):
        longest = _measure_fragment(start, tokens, source)
        if longest:
            lengths.append(longest)
        start += max(longest, 1)
    return lengths


def _measure_fragment(start: int, tokens: Sequence[str], source: Source) -> int:
    """How many words from `start` on stand together in the document."""
    longest = resume = 0
    for position in source.positions.get(tokens[start], ()):
        if position < resume:
            continue
        most = min(len(tokens) - start, len(source.tokens) - position)
        length = 1
        while length < most and tokens[start + length] == source.tokens[position + length]:
            length += 1
        longest = max(longest, length)
        resume = position + length
    return longest
