"""chrF, counted by sacrebleu: of each summary, and of a system over all its summaries."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np
import sacrebleu
from sacrebleu.metrics.chrf import CHRF

from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.metrics.settings import Within

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example

_COUNT_NAMES = ("summary", "reference", "matched")


@dataclass(frozen=True, slots=True)
class Chrf(Metric):
    """chrF on sacrebleu's scale of 0 to 100 (Popović, 2015): F-score of shared runs of characters.

    `chrf` is sacrebleu's sentence_chrf of a summary; `corpus` is its corpus_chrf of all summaries of a system. Of
    several references the one with the highest score counts. `word_order=2` is chrF++. `whitespace` keeps spaces in the
    runs of characters.

    A summary without characters scores 0. A reference without characters is left out; without any other reference the
    scores and their parts are missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="The cat sat.", references="The cat sat down.")
    >>> Chrf().score([example])[:, 0]
    array([61.01497102])
    """

    char_order: Annotated[int, Within(1, 30)] = 6
    word_order: Annotated[int, Within(0, 30)] = 0
    beta: Annotated[int, Within(1, 100)] = 2
    lowercase: bool = False
    whitespace: bool = False

    name = "chrf"
    paper: ClassVar[str] = "Popović (2015), chrF: character n-gram F-score for automatic MT evaluation"
    needs = frozenset[Need]({"references"})
    columns = (
        Column("chrf", "chrF of the summary, 0 to 100"),
        Column("corpus", "chrF of the system over all its summaries, 0 to 100", pooled=True),
    )

    @property
    def parts(self) -> tuple[str, ...]:
        """The counts of each order: n-grams of the summary, of the reference, of both."""
        orders = [f"char{n}" for n in range(1, self.char_order + 1)]
        orders += [f"word{n}" for n in range(1, self.word_order + 1)]
        return tuple(f"{order}_{name}" for order in orders for name in _COUNT_NAMES)

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """chrF of each summary, then the counts corpus chrF is made of."""
        scores = np.full((len(examples), self.width), np.nan)
        counter = self._build_counter()
        for row, example in enumerate(examples):
            references = tuple(text for text in example.references if text.strip())
            if references:
                summary = counter._preprocess_segment(example.summary)
                reference_grams = _extract_grams(self, references)
                scores[row, 1:] = counter._compute_segment_statistics(summary, reference_grams)
        scores[:, 0] = self._compute_chrf(scores[:, 1:])
        return scores

    def pool(self, sums: FloatArray) -> FloatArray:
        """chrF of summed counts."""
        return self._compute_chrf(sums)[..., None]

    def facts(self) -> Mapping[str, str]:
        """sacrebleu's version."""
        return {"sacrebleu": sacrebleu.__version__}

    def _build_counter(self) -> CHRF:
        return _build_counter(self.char_order, self.word_order, self.beta, self.lowercase, self.whitespace)

    def _compute_chrf(self, parts: FloatArray) -> FloatArray:
        """chrF for each row of counts (last axis), as sacrebleu computes it."""
        in_summary, in_reference, matched = np.moveaxis(parts.reshape(*parts.shape[:-1], -1, len(_COUNT_NAMES)), -1, 0)
        counted = (in_summary > 0) & (in_reference > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision, recall = (
                np.where(counted, matched / total, 0.0).sum(axis=-1) / counted.sum(axis=-1)
                for total in (in_summary, in_reference)
            )
            factor = self.beta**2
            score = 100 * (1 + factor) * precision * recall / (factor * precision + recall)
        score = np.where(precision + recall > 0, score, 0.0)
        return np.where((in_reference > 0).any(axis=-1), score, np.nan)


@functools.cache
def _build_counter(char_order: int, word_order: int, beta: int, lowercase: bool, whitespace: bool) -> CHRF:
    return CHRF(char_order=char_order, word_order=word_order, beta=beta, lowercase=lowercase, whitespace=whitespace)


@functools.lru_cache(maxsize=256)
def _extract_grams(metric: Chrf, references: tuple[str, ...]) -> dict[str, Any]:
    """The n-grams of references, remembered because many systems are compared with the same ones."""
    counter = metric._build_counter()
    return counter._extract_reference_info([counter._preprocess_segment(text) for text in references])
