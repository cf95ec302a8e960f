"""METEOR: words matched by form, stem and meaning, and a penalty for matches out of order."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.metrics.long_texts import check_word_pairs
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.metrics.overlap.alignment import align_equal, align_related, count_chunks
from gistmeter.metrics.settings import Share, Within
from gistmeter.text.languages import language_code
from gistmeter.text.stems import STEM_CHOICES, check_stem, get_stemmer, resolve_stem
from gistmeter.text.wordnet import WordNet, load_wordnet
from gistmeter.text.words import Tokenizer, split_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example

Modules = Literal["auto", "exact", "exact+stem", "exact+stem+synonym"]
_SYNONYM = "exact+stem+synonym"

MAX_WORD_PAIRS = 50_000_000
"""Of a summary and a reference; where all of them match (one word, 7,000 times), they take about half a minute."""


@dataclass(frozen=True, slots=True)
class Meteor(Metric):
    """METEOR (Banerjee and Lavie, 2005; Lavie and Agarwal, 2007).

    Words match in stages: equal words, then equal stems, then words that share a meaning in WordNet. Each stage makes
    as many matches as it can, in as few chunks as it can (`gistmeter.metrics.overlap.alignment` says how; the papers
    count crossing matches, later versions of METEOR chunks). With P and R the shares of matched words in the summary
    and in the reference, the score is PR / (alpha P + (1 - alpha) R) times 1 - gamma (chunks / matches)^beta. Of
    several references the one with the highest score counts, for all columns.

    The defaults of alpha, beta and gamma are those of 2005, as in nltk and Hugging Face evaluate; the 2007 paper tunes
    them to 0.81, 0.83 and 0.28 for English. `modules=auto` is exact+stem for languages with a stemmer and exact for
    others, and adds synonym for English if a WordNet is installed (`gistmeter.text.wordnet` says where it looks). The
    signature names the modules and the version of WordNet.

    A summary without words scores 0. A reference without words is left out; without any other reference the scores are
    missing (NaN). Fragmentation is missing when nothing matches.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="the cat was sat on the mat",
    ...                   references="the cat sat on the mat")
    >>> Meteor(modules="exact").score([example]).round(4)
    array([[0.9654, 0.8571, 1.    , 0.3333]])
    """

    alpha: Share = 0.9
    beta: Annotated[float, Within(0, 100)] = 3.0
    gamma: Share = 0.5
    modules: Modules = "auto"
    stem: str = field(default="auto", metadata={"takes": STEM_CHOICES})
    tokenizer: Tokenizer = "unicode"

    name = "meteor"
    paper = "Lavie and Agarwal (2007), METEOR: An Automatic Metric for MT Evaluation"
    needs = frozenset[Need]({"references"})
    columns = (
        Column("meteor", "weighted mean of precision and recall, less the penalty for order"),
        Column("precision", "share of the summary's words matched in the reference"),
        Column("recall", "share of the reference's words matched in the summary"),
        Column("fragmentation", "chunks per matched word: 1 when no two matches stand together", "lower"),
    )

    def __post_init__(self) -> None:
        check_stem(self.stem)

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """METEOR, precision, recall and fragmentation of each summary."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        matchers: dict[str, _Matcher] = {}
        for row, example in enumerate(examples):
            code = language_code(example.language)
            matcher = matchers.get(code) or matchers.setdefault(code, self._choose_matcher(example))
            summary = split_words(example.summary, self.tokenizer, code)
            references = (_split_reference(reference, self.tokenizer, code) for reference in example.references)
            by_reference = [
                self._compare(example, summary, reference, matcher) for reference in references if reference
            ]
            if by_reference:
                scores[row] = max(by_reference, key=lambda columns: columns[0])
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the stemmer, modules and WordNet that follow from it."""
        matcher = self._choose_matcher(example)
        return {
            "language": language_code(example.language),
            "modules": matcher.modules,
            "stem": matcher.stem,
            "wordnet": matcher.wordnet.version if matcher.wordnet else "none",
        }

    def facts(self) -> Mapping[str, str]:
        """Which WordNet there is; English examples are scored with it."""
        present = load_wordnet() if self.modules in ("auto", _SYNONYM) else None
        return {"wordnet": present.version if present else "none"}

    def _compare(
        self, example: Example, summary: Sequence[str], reference: Sequence[str], matcher: _Matcher
    ) -> tuple[float, float, float, float]:
        check_word_pairs(self.name, [example], [len(summary)], [len(reference)], limit=MAX_WORD_PAIRS)
        matched = matcher.align(summary, reference)
        if not matched:
            return 0.0, 0.0, 0.0, math.nan
        precision, recall = len(matched) / len(summary), len(matched) / len(reference)
        mean = precision * recall / (self.alpha * precision + (1 - self.alpha) * recall)
        fragmentation = count_chunks(matched) / len(matched)
        return mean * (1 - self.gamma * fragmentation**self.beta), precision, recall, fragmentation

    def _choose_matcher(self, example: Example) -> _Matcher:
        """The modules for the example's language, `auto` made definite."""
        code = language_code(example.language)
        stem = resolve_stem(self.stem, code)
        modules: str = self.modules
        meanings = load_wordnet() if code == "en" and modules in ("auto", _SYNONYM) else None
        if modules == "auto":
            modules = _SYNONYM if meanings else "exact" if stem == "none" else "exact+stem"
        elif modules == _SYNONYM and not meanings:
            why = "there is only an English one" if code != "en" else "none was found"
            raise DataError(
                f"meteor(modules={_SYNONYM}) needs a WordNet for {example.name} (language {code}), "
                f"and {why}; take modules=auto, or install one (apt-get install wordnet-base) "
                "or name its folder in GISTMETER_WORDNET"
            )
        return _Matcher(modules, "none" if modules == "exact" else stem, meanings)


@dataclass(frozen=True, slots=True)
class _Matcher:
    """The modules in use for one language."""

    modules: str
    stem: str
    wordnet: WordNet | None

    def align(self, summary: Sequence[str], reference: Sequence[str]) -> dict[int, int]:
        matched = align_equal(summary, reference, str, {})
        if self.stem != "none":
            matched = align_equal(summary, reference, get_stemmer(self.stem), matched)
        if self.wordnet:
            matched = align_related(summary, reference, self.wordnet.synsets, matched)
        return matched


@functools.lru_cache(maxsize=1024)
def _split_reference(text: str, tokenizer: Tokenizer, language: str) -> list[str]:
    """The words of a reference, remembered because many systems are compared with the same one."""
    return split_words(text, tokenizer, language)
