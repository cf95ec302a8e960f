"""BERTScore: tokens matched by the states that a model gives them in their context."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.evidence import Evidence, Pane
from gistmeter.metrics.embedding.token_evidence import match_words
from gistmeter.metrics.embedding.token_metric import TokenMetric
from gistmeter.metrics.embedding.tokens import WeightedTokens, align_closest
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.metric import Column
from gistmeter.metrics.references import choose_reference
from gistmeter.metrics.scored import score_each_reference, score_once, split_references
from gistmeter.models.encoder.baselines import find_baseline, read_baseline, read_stored_baselines
from gistmeter.models.encoder.matching import find_best_cosines, weighted_mean
from gistmeter.models.runtime.locate import MULTILINGUAL_MODULE, MULTILINGUAL_NAME
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.text.languages import language_code
from gistmeter.text.words import normalize
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.metrics.embedding.token_evidence import TokenScore
    from gistmeter.metrics.embedding.tokens import ClosestTokens
    from gistmeter.models.encoder.baselines import Baseline, BaselineIdf

Several = Literal["highest", "max", "best", "mean"]
"""Several references: each column's highest (as in bert-score), the scores of the reference with the highest F
(`max`) or with the highest recall (`best`), or the mean over references."""
_BATCH_SUMMARIES = 64
"""Whose tokens are held in memory at once."""

BASELINE_CHOICES = "none, rescale (by the one kept for model and language), or a file of `gistmeter models baseline`"


@dataclass(frozen=True, slots=True)
class BertScore(TokenMetric):
    """BERTScore (Zhang et al., 2020): each token matched with the most similar token of the other text.

    Precision is the mean, over the summary's tokens, of the highest cosine with a token of the reference; recall is the
    mean over the reference's tokens. `idf` weights the tokens: `background` by how rare words are in general, so that a
    score does not depend on the rest of the run; `references` by how rare they are in the references of the run; `none`
    weights all tokens equally. The last two are those of bert-score. `vocabulary` weights the tokens of the embedded
    multilingual encoder by their probability in its vocabulary, which `background` also does in languages without a
    list of words. `auto` is what the layer was chosen with: `none` for models of the literature and for an `aspect`,
    `background` for the embedded encoders otherwise. Special tokens can be matched, but have no weight.

    The embedded encoder reads English with all-MiniLM-L6-v2 and fifteen other languages with the tokens of the
    multilingual Universal Sentence Encoder; scores of different languages do not compare. `model=auto` takes the model
    that Koto, Lau and Baldwin (2021, Table 4) have for each language, and mBERT uncased for others.

    `layer` is the layer of the model whose states are compared. By default it is the one recommended for the model and
    the `aspect` (`models/encoder/layers.py`). `long` says what happens to a text that is longer than the model reads:
    it is read in overlapping windows, or cut, as bert-score does. `baseline=rescale` moves the zero point to the score
    of unrelated sentences of the language. With model=gpt2-xl this is FFCI's GPT2Score.

    A summary without tokens scores 0. A reference without tokens is left out; without any other reference the scores
    are missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="The cat sat on the mat.",
    ...                   references="On the mat sat a black cat.")
    >>> BertScore(idf="none", layer=6).score([example]).round(2)
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

    def __post_init__(self) -> None:
        TokenMetric.__post_init__(self)
        if self.idf == "separate":
            raise MetricError("bertscore cannot have idf=separate, which is moverscore's: it takes idf=references")

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F of each example."""
        scores = np.full((len(examples), 3), np.nan)
        for language, rows in group_by_language(examples).items():
            pairs = [(examples[row].summary, text) for row in rows for text in examples[row].references]
            pair_scores = self.score_pairs(pairs, language)
            start = 0
            for row in rows:
                end = start + len(examples[row].references)
                scores[row] = _combine_references(pair_scores[start:end], self.references)
                start = end
            scores[rows] = self._rescale(scores[rows], language)
        return scores

    def score_pairs(self, pairs: Sequence[tuple[str, str]], language: str = "en") -> FloatArray:
        """Precision, recall and F for each (summary, reference), before rescaling; NaN where a reference is empty."""
        scores = np.full((len(pairs), 3), np.nan)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens_of = dict(zip(texts, self.weigh_tokens(texts, language), strict=True))
        for row, (summary, reference) in enumerate(pairs):
            summary_tokens, reference_tokens = tokens_of[summary], tokens_of[reference]
            if reference_tokens.empty:
                continue
            if summary_tokens.empty:
                scores[row] = 0.0
                continue
            summary_best, reference_best = find_best_cosines(summary_tokens.states, reference_tokens.states)
            precision = weighted_mean(summary_best, summary_tokens.weights)
            recall = weighted_mean(reference_best, reference_tokens.weights)
            total = precision + recall
            scores[row] = precision, recall, 2 * precision * recall / total if total > 0 else 0.0
        return scores

    def weigh_tokens(self, texts: Sequence[str], language: str) -> list[WeightedTokens]:
        """What is compared of each text: the states of its tokens, scaled to length 1, and their weights."""
        weigh = self._choose_weights(language)
        layer = self.choose_layer(language)
        return [
            WeightedTokens(
                states=scale_to_unit_length(encoded.states[layer]),
                weights=weigh(encoded),
                starts=encoded.starts,
                ends=encoded.ends,
                empty=bool(encoded.special.all()),
            )
            for encoded in self._load_encoder(language).encode(texts, [layer])
        ]

    def facts(self) -> Mapping[str, str]:
        """The layer read, digests of the model and of the weights of tokens, and of the baselines there are."""
        facts = dict(TokenMetric.facts(self))
        if self.baseline == "rescale":
            baselines = read_stored_baselines(self.model, idf=self._baseline_idf)
            if self.model == EMBEDDED and find_spec(MULTILINGUAL_MODULE) is not None:
                baselines = {**read_stored_baselines(MULTILINGUAL_NAME, idf=self._baseline_idf), **baselines}
            digests = [f"{code}-{baseline.digest}" for code, baseline in sorted(baselines.items())]
            facts["baseline"] = "+".join(digests) or "rescale-none"
        elif self.baseline != "none":
            facts["baseline"] = read_baseline(Path(self.baseline).expanduser()).digest
        return facts

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, which decides the background weights and the baseline."""
        traits = dict(TokenMetric.traits(self, example))
        if self.baseline == "rescale":
            traits["baseline"] = f"{traits['language']}-{self._find_baseline(traits['language']).digest}"
        return traits

    def prepare_explanations(self, examples: Sequence[Example]) -> None:
        """Score the references one by one, all together."""
        score_each_reference(self, examples)

    def explain(self, example: Example) -> Evidence:
        """Which word matched which, and the weakest and strongest matches."""
        return self.explain_score(example, "f1")

    def explain_score(self, example: Example, column: TokenScore) -> Evidence:
        """Which word matched which, against the reference with the highest score in `column`.

        For precision the links go from each word of the summary to the closest of the reference, else the other way,
        as `align` has them.
        """
        code = language_code(example.language)
        chosen = self._choose_reference(example, column)
        if chosen is None:
            return Evidence(self.spelling, "there is no reference with words", (Pane("summary", example.summary),))
        alone = split_references(example)
        number = f" {chosen + 1} of {len(alone)}, the best match" if len(alone) > 1 else ""
        titles = ("summary", f"reference{number}")
        texts = (normalize(example.summary), normalize(example.references[chosen]))
        (closest,) = self._find_closest([texts], code)
        if closest is None:
            panes = tuple(Pane(title, text) for title, text in zip(titles, texts, strict=True))
            return Evidence(self.spelling, "the summary has no words", panes)
        scores = score_once(self, alone)[chosen]
        values = ", ".join(f"{c.name} {value:.3f}" for c, value in zip(self.columns, scores, strict=True))
        side, other_side = ("summary", "reference") if column == "precision" else ("reference", "summary")
        matches = match_words(closest, code, by=column)
        return Evidence(
            metric=self.spelling,
            headline=(
                f"{values}{' with this reference' if number else ''}: every word of the {side} with the one of the "
                f"{other_side} that is closest to it at layer {self.choose_layer(code)}"
            ),
            blocks=(*map(Pane, titles, texts, matches.marks), matches.table),
        )

    def align(self, examples: Sequence[Example]) -> list[tuple[Alignment, ...]]:
        """Every token of the reference with the summary's closest, by weight and cosine: what recall adds up.

        Of several references the one with the highest recall.
        """
        best: dict[int, Alignment] = {}
        for language, rows in group_by_language(examples).items():
            pairs = [(row, reference) for row in rows for reference in examples[row].references]
            for first in range(0, len(pairs), _BATCH_SUMMARIES):
                batch = pairs[first : first + _BATCH_SUMMARIES]
                texts = [(normalize(examples[row].summary), normalize(reference)) for row, reference in batch]
                for (row, _), closest in zip(batch, self._find_closest(texts, language), strict=True):
                    if closest is not None and (
                        row not in best or closest.recall.share_of_other > best[row].share_of_other
                    ):
                        best[row] = closest.recall
        return [(best[row],) if row in best else () for row in range(len(examples))]

    def _choose_reference(self, example: Example, column: TokenScore) -> int | None:
        """The reference with the highest score in a column, None where none has words."""
        position = [each.name for each in self.columns].index(column)
        scores = score_once(self, split_references(example))[:, position]
        return None if np.isnan(scores).all() else int(np.nanargmax(scores))

    def _find_closest(self, pairs: Sequence[tuple[str, str]], language: str) -> list[ClosestTokens | None]:
        """The closest tokens of each summary and reference, None where one of them has no tokens."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        tokens_of = dict(zip(texts, self.weigh_tokens(texts, language), strict=True))
        return [
            None
            if tokens_of[summary].empty or tokens_of[reference].empty
            else align_closest((summary, reference), (tokens_of[summary], tokens_of[reference]))
            for summary, reference in pairs
        ]

    @property
    def _baseline_idf(self) -> BaselineIdf:
        """The weights of tokens that the baseline was made with: those of a run are not known then."""
        return "background" if self.choose_idf("en") == "background" else "none"

    def _find_baseline(self, language: str) -> Baseline:
        model = self._choose_model(language)
        return find_baseline(self.baseline, model, language=language, idf=self._baseline_idf)

    def _rescale(self, scores: FloatArray, language: str) -> FloatArray:
        if self.baseline == "none":
            return scores
        zero = self._find_baseline(language).at(self.choose_layer(language))
        return np.asarray((scores - zero) / (1 - zero))


def _combine_references(pair_scores: FloatArray, several: Several) -> FloatArray:
    """One row of scores from the scores against each reference."""
    usable = pair_scores[~np.isnan(pair_scores[:, 2])]
    if not len(usable):
        return np.full(3, np.nan)
    if several == "highest":
        return np.asarray(usable.max(axis=0))
    return choose_reference(usable, several)
