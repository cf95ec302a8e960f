"""Length and compression: how long a summary is, and how much shorter than its source."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import SentenceRule, resolve_sentence_rule, split_sentences
from gistmeter.text.words import Tokenizer, normalize, split_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example


@dataclass(frozen=True, slots=True)
class Length(Metric):
    """How many words, sentences and characters a summary has; an empty summary has 0 of each.

    A sentence counts if it has a word. `sentences` says how the summary is split: `newline` at line ends, `split` by
    the sentence splitter, `auto` at line ends if the summary has a newline and by the splitter otherwise. Characters
    are those of the text with composed letters, spaces and punctuation included, without the white space around it.

    >>> from gistmeter.example import Example
    >>> Length().score([Example(doc_id="d", system="s", summary="It rained. A lot!")])
    array([[ 4.,  2., 17.]])
    """

    tokenizer: Tokenizer = "unicode"
    sentences: SentenceRule = "auto"

    name = "length"
    needs = frozenset[Need]()
    columns = (
        Column("words", "words of the summary", "neither"),
        Column("sentences", "sentences of the summary that have a word", "neither"),
        Column("characters", "characters of the summary, white space around it left out", "neither"),
    )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Words, sentences and characters of each summary."""
        return np.array([self._measure(example) for example in examples], dtype=float).reshape(-1, 3)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and how sentences were found."""
        return {
            "language": language_code(example.language),
            "sentences": resolve_sentence_rule(self.sentences, example.summary),
        }

    def _measure(self, example: Example) -> tuple[int, int, int]:
        text, code = example.summary, language_code(example.language)
        by_sentence = [
            len(split_words(sentence, self.tokenizer, code))
            for sentence in split_sentences(text, resolve_sentence_rule(self.sentences, text), code)
        ]
        in_sentences = sum(count > 0 for count in by_sentence)
        return len(split_words(text, self.tokenizer, code)), in_sentences, len(normalize(text).strip())


@dataclass(frozen=True, slots=True)
class Compression(Metric):
    """How many times longer the source is than the summary, in words (Grusky et al., 2018).

    Missing (NaN) when the summary or the document has no words. Several documents count as one text.

    >>> from gistmeter.example import Example
    >>> Compression().score([Example(doc_id="d", system="s", summary="Rain.", document="It rained a lot.")])
    array([[4.]])
    """

    tokenizer: Tokenizer = "unicode"

    name = "compression"
    paper = "Grusky, Naaman and Artzi (2018), Newsroom: A Dataset of 1.3 Million Summaries"
    needs = frozenset[Need]({"document"})
    columns = (Column("ratio", "words of the document per word of the summary", "neither"),)

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Source words per summary word."""
        scores = np.full((len(examples), 1), np.nan)
        for row, example in enumerate(examples):
            code = language_code(example.language)
            short = len(split_words(example.summary, self.tokenizer, code))
            long = _count_document_words(self.tokenizer, code, example.document or "")
            if short and long:
                scores[row] = long / short
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language."""
        return {"language": language_code(example.language)}


@functools.lru_cache(maxsize=1024)
def _count_document_words(tokenizer: Tokenizer, language: str, text: str) -> int:
    """The words of a document, remembered because many systems summarise the same one."""
    return len(split_words(text, tokenizer, language))
