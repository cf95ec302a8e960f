"""BLEU, counted by sacrebleu: of each summary, and of a system over all its summaries."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import sacrebleu
from sacrebleu.metrics.bleu import BLEU

from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example

_ORDERS = 4
_FLOOR_COUNT = 0.1
_ADDED_COUNT = 1

Smooth = Literal["exp", "floor", "add-k", "none"]


@dataclass(frozen=True, slots=True)
class Bleu(Metric):
    """BLEU-4 on sacrebleu's scale of 0 to 100 (Papineni et al., 2002; Post, 2018).

    `bleu` is sacrebleu's sentence_bleu of a summary (with n-grams no longer than the summary); `corpus` is its
    corpus_bleu of all summaries of a system, which is not the mean of `bleu`. sacrebleu tokenizes and counts; the
    formulas are computed here for many counts at once. `tokenize=auto` is zh for Chinese and 13a for all other
    languages.

    A summary without tokens scores 0. A reference without tokens is left out; without any other reference the scores
    and their parts are missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="The cat sat down.", references="The cat sat down now.")
    >>> Bleu().score([example])[:, 0]
    array([57.89300675])
    """

    tokenize: Literal["auto", "13a", "zh", "intl", "char", "none"] = "auto"
    smooth: Smooth = "exp"
    lowercase: bool = False

    name = "bleu"
    paper: ClassVar[str] = "Papineni et al. (2002), BLEU: a Method for Automatic Evaluation of Machine Translation"
    parts = (
        "summary_length",
        "reference_length",
        *(f"correct_{n}" for n in range(1, _ORDERS + 1)),
        *(f"total_{n}" for n in range(1, _ORDERS + 1)),
    )
    needs = frozenset[Need]({"references"})
    columns = (
        Column("bleu", "sentence BLEU of the summary, 0 to 100"),
        Column("corpus", "corpus BLEU of the system, 0 to 100", pooled=True),
    )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Sentence BLEU of each summary, then the counts corpus BLEU is made of."""
        scores = np.full((len(examples), self.width), np.nan)
        for row, example in enumerate(examples):
            counter = _build_counter(self._choose_tokenizer(example.language), self.lowercase)
            references = [text for text in example.references if text.strip()]
            if references:
                counts = counter.sentence_score(example.summary, references)
                scores[row, 1:] = (counts.sys_len, counts.ref_len, *counts.counts, *counts.totals)
        scores[:, 0] = _compute_bleu(scores[:, 1:], self.smooth, effective_order=True)
        return scores

    def pool(self, sums: FloatArray) -> FloatArray:
        """Corpus BLEU from summed counts."""
        return _compute_bleu(sums, self.smooth, effective_order=False)[..., None]

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the tokenizer that follows from it."""
        return {"language": language_code(example.language), "tokenize": self._choose_tokenizer(example.language)}

    def facts(self) -> Mapping[str, str]:
        """sacrebleu's version."""
        return {"sacrebleu": sacrebleu.__version__}

    def _choose_tokenizer(self, language: str) -> str:
        if self.tokenize != "auto":
            return self.tokenize
        return "zh" if language_code(language) == "zh" else "13a"


@functools.cache
def _build_counter(tokenize: str, lowercase: bool) -> BLEU:
    """sacrebleu's counter. It does not smooth here, because its add-k changes the counts it returns."""
    return BLEU(tokenize=tokenize, lowercase=lowercase, smooth_method="none", effective_order=True)


def _compute_bleu(parts: FloatArray, smooth: Smooth, *, effective_order: bool) -> FloatArray:
    """BLEU for each row of counts (last axis), as sacrebleu computes it; NaN where there is no reference."""
    summary_length, reference_length = parts[..., 0], parts[..., 1]
    correct, total = parts[..., 2 : 2 + _ORDERS].copy(), parts[..., 2 + _ORDERS :].copy()
    any_match = (correct > 0).any(axis=-1)
    if smooth == "add-k":
        correct[..., 1:] += _ADDED_COUNT
        total[..., 1:] += _ADDED_COUNT
    # sacrebleu stops at the first order without n-grams; longer ones count as 0, or not at all.
    counted = np.logical_and.accumulate(total > 0, axis=-1)
    missed = counted & (correct == 0)
    if smooth == "exp":
        correct = np.where(missed, 0.5 ** np.cumsum(missed, axis=-1), correct)
    elif smooth == "floor":
        correct = np.where(missed, _FLOOR_COUNT, correct)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(100 * np.where(counted, correct / total, 0.0))
        if effective_order:
            mean = np.where(counted, logs, 0.0).sum(axis=-1) / counted.sum(axis=-1)
        else:
            mean = logs.sum(axis=-1) / _ORDERS
        brevity = np.where(summary_length < reference_length, np.exp(1 - reference_length / summary_length), 1.0)
        score = np.where(any_match, brevity * np.exp(mean), 0.0)
    return np.where(reference_length > 0, score, np.nan)
