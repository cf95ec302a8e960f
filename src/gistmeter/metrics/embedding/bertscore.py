"""BERTScore: tokens matched by the states that a model gives them in their context."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.metrics.embedding.token_metric import TokenMetric
from gistmeter.metrics.grouping import by_language
from gistmeter.metrics.metric import Column
from gistmeter.metrics.references import one_of
from gistmeter.models.encoder.baselines import find_baseline, kept_baselines
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.encoder.greedy import best_cosines, weighted_mean
from gistmeter.models.runtime.states import unit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example
    from gistmeter.models.encoder.baselines import Baseline, BaselineIdf
    from gistmeter.models.encoder.greedy import StateArray

Several = Literal["highest", "max", "best", "mean"]
"""Several references: each column's highest (as in bert-score), the scores of the reference with the highest F
(`max`) or with the highest recall (`best`), or the mean over references."""
BASELINE_CHOICES = "none, rescale (by the one kept for model and language), or a file of `gistmeter models baseline`"


@dataclass(frozen=True, slots=True)
class BertScore(TokenMetric):
    """BERTScore (Zhang et al., 2020): each token matched with the most similar one of the other text.

    Precision is the mean, over the summary's tokens, of the highest cosine with a token of the reference; recall
    goes over the reference's tokens. Tokens weigh by `idf`: `background` goes by how frequent words are in general,
    so that a score does not depend on what else is in the run; `references` by the references of the run, and `none`
    alike, both as in bert-score. Special tokens can be matched and weigh nothing.

    `layer` is left to the tables (`models/encoder/layers.py`), which go by `aspect`, when it is not given. `long` says
    whether a text longer than the model reads is read in overlapping windows or cut, as bert-score does.
    `baseline=rescale` moves 0 to what unrelated sentences of the language score. With model=gpt2-xl it is FFCI's
    GPT2Score.

    A summary without tokens scores 0. A reference without tokens is left out; with no other the scores are missing
    (NaN).

    >>> from gistmeter.example import Example
    >>> one = Example(doc_id="d", system="s", summary="The cat sat on the mat.",
    ...               references="On the mat sat a black cat.")
    >>> BertScore(idf="none", layer=6).score([one]).round(2)
    array([[0.85, 0.77, 0.81]])
    """

    references: Several = "highest"
    baseline: str = field(default="none", metadata={"takes": BASELINE_CHOICES})

    name = "bertscore"
    paper: ClassVar[str] = "Zhang et al. (2020), BERTScore: Evaluating Text Generation with BERT"
    columns = (
        Column("precision", "mean similarity of the summary's tokens to their best matches in the reference"),
        Column("recall", "mean similarity of the reference's tokens to their best matches in the summary"),
        Column("f1", "harmonic mean of the two"),
    )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F of each example."""
        scores = np.full((len(examples), 3), np.nan)
        for language, rows in by_language(examples).items():
            pairs = [(examples[row].summary, text) for row in rows for text in examples[row].references]
            each = self.pair_scores(pairs, language)
            start = 0
            for row in rows:
                end = start + len(examples[row].references)
                scores[row] = _combined(each[start:end], self.references)
                start = end
            scores[rows] = self._rescaled(scores[rows], language)
        return scores

    def pair_scores(self, pairs: Sequence[tuple[str, str]], language: str = "en") -> FloatArray:
        """Precision, recall and F for each (summary, reference), before rescaling; NaN where a reference is empty."""
        check_language(self.model, language, self.name)
        scores = np.full((len(pairs), 3), np.nan)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        sides = dict(zip(texts, self.sides(texts, language), strict=True))
        for row, (summary, reference) in enumerate(pairs):
            mine, theirs = sides[summary], sides[reference]
            if theirs.empty:
                continue
            if mine.empty:
                scores[row] = 0.0
                continue
            for_mine, for_theirs = best_cosines(mine.states, theirs.states)
            precision = weighted_mean(for_mine, mine.weights)
            recall = weighted_mean(for_theirs, theirs.weights)
            above = precision + recall
            scores[row] = precision, recall, 2 * precision * recall / above if above > 0 else 0.0
        return scores

    def sides(self, texts: Sequence[str], language: str) -> list[Side]:
        """What is compared of each text: its states, scaled to length 1, and the weights of its tokens."""
        weights = self._weights(language)
        layer = self.resolved_layer
        return [
            Side(unit(one.states[layer]), weights(one), one.starts, one.ends, bool(one.special.all()))
            for one in self._encoder().encode(texts, [layer])
        ]

    def facts(self) -> Mapping[str, str]:
        """The layer read, digests of the model and of the weights of tokens, and of the baselines there are."""
        said = dict(TokenMetric.facts(self))
        if self.baseline == "rescale":
            kept = kept_baselines(self.model, idf=self._baseline_idf)
            said["baseline"] = "+".join(f"{code}-{one.digest}" for code, one in sorted(kept.items())) or "rescale-none"
        elif self.baseline != "none":
            said["baseline"] = self._baseline("").digest
        return said

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, which decides the background weights and the baseline."""
        said = dict(TokenMetric.traits(self, example))
        if self.baseline == "rescale":
            said["baseline"] = f"{said['language']}-{self._baseline(said['language']).digest}"
        return said

    def explain(self, example: Example) -> Evidence:
        """Which word matched which, and the weakest and strongest matches."""
        from gistmeter.metrics.embedding.token_evidence import explain_tokens

        return explain_tokens(self, example)

    @property
    def _baseline_idf(self) -> BaselineIdf:
        """The weights of tokens that the baseline was made with: those of a run are not known then."""
        return "background" if self.idf == "background" else "none"

    def _baseline(self, language: str) -> Baseline:
        return find_baseline(self.baseline, self.model, language=language, idf=self._baseline_idf)

    def _rescaled(self, scores: FloatArray, language: str) -> FloatArray:
        if self.baseline == "none":
            return scores
        zero = self._baseline(language).at(self.resolved_layer)
        return np.asarray((scores - zero) / (1 - zero))


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One text of a comparison: states of length 1, weights and places of its tokens; `empty` if all are special."""

    states: StateArray
    weights: FloatArray
    starts: IntArray
    ends: IntArray
    empty: bool


def _combined(each: FloatArray, several: Several) -> FloatArray:
    """One row of scores from those against each reference."""
    usable = each[~np.isnan(each[:, 2])]
    if not len(usable):
        return np.full(3, np.nan)
    if several == "highest":
        return np.asarray(usable.max(axis=0))
    return one_of(usable, several)
