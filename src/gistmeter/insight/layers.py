"""Layers: how well each layer of a model agrees with people, in one pass over the texts.

As in FFCI (Koto, Baldwin and Lau, 2022, section 4 and Fig. 2 and 4): BERTScore's precision for focus, its recall for
coverage, and the mean F1 with the three nearest source sentences for faithfulness, each correlated with people's
judgments within groups (such as dataset and system). A layer is chosen by its mean rank over the groups, or by its mean
correlation (`layer_choice.py`). Tokens weigh alike unless `idf` says otherwise: as in the paper, and as `focus`,
`coverage` and `faithfulness` take them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError
from gistmeter.insight.layer_choice import LayerChoice, correlate_groups, measure_lead, order_rows
from gistmeter.models.encoder.encoder import Encoder, LongTexts, check_language, load_encoder
from gistmeter.models.encoder.idf import EvenWeights, load_background_weights
from gistmeter.models.encoder.matching import find_best_cosines, weighted_mean
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import resolve_sentence_rule, split_sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.insight.judged_summaries import JudgedSummary
    from gistmeter.insight.layer_choice import LayerLead
    from gistmeter.models.encoder.idf import TokenWeights, WeightArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import Encoded, StateArray
    from gistmeter.stats.correlation import Coefficient

    TokensByText = Mapping[str, "_WeightedStates"]

LayerAspect = Literal["focus", "coverage", "faithfulness"]
LayerIdf = Literal["background", "none"]
_NEAREST_SENTENCES = 3
BATCH_CHARACTERS = 16_000
"""Characters encoded together: enough for full batches, little enough for the states of all layers at once."""


@dataclass(frozen=True, slots=True, eq=False)
class LayerSearch:
    """The correlation of each layer (rows) with people in each group (columns), and the layer chosen from them."""

    model: str
    weights: str
    aspect: LayerAspect
    human: str
    coefficient: str
    layers: tuple[int, ...]
    groups: tuple[str, ...]
    counts: tuple[int, ...]
    values: FloatArray
    ranks: FloatArray
    """Mean rank over the groups, 1 being the best."""
    better: Literal["higher", "lower"] = "higher"
    """Which way is good in people's judgments; where it is lower, their sign was turned."""

    choose: LayerChoice = "rank"
    idf: LayerIdf = "none"
    lead: LayerLead | None = None
    """By how much the layer chosen leads; None when there is one layer, or no lead was asked for."""

    @property
    def best(self) -> int:
        """The layer chosen: that of the best mean rank, or of the highest mean correlation."""
        return self.layers[order_rows(self.values, self.choose)[0]]


def search_layers(
    judged: Sequence[JudgedSummary],
    *,
    aspect: LayerAspect,
    human: str = "",
    model: str = "embedded",
    layers: Sequence[int] | None = None,
    idf: LayerIdf = "none",
    coefficient: Coefficient = "pearson",
    better: Literal["higher", "lower"] = "higher",
    choose: LayerChoice = "rank",
    resamples: int = 1000,
    seed: int = 0,
    long: LongTexts = "windows",
    dtype: Dtype = "fp32",
    progress: Callable[[int, int], None] | None = None,
) -> LayerSearch:
    """Correlate every layer of a model with people's judgments, and choose one.

    `better="lower"` is for judgments of which less is better, such as numbers of errors: their sign is turned.
    `choose` takes the best mean rank over the groups, as FFCI does, or the highest mean correlation, as paper 003 does.
    The lead of the layer chosen over the next comes with an interval from `resamples` of the documents (0: without).
    """
    loaded = load_encoder(model, dtype=dtype, long=long)
    wanted = tuple(sorted(set(layers))) if layers else tuple(range(loaded.depth + 1))
    loaded.check_layers(wanted)
    for code in {language_code(summary.example.language) for summary in judged}:
        check_language(model, code, "layers")
    examples = [summary.example for summary in judged]
    scores = score_layers(loaded, examples, aspect=aspect, layers=wanted, idf=idf, progress=progress)
    people = np.array([summary.human for summary in judged]) * (-1 if better == "lower" else 1)
    groups = tuple(dict.fromkeys(summary.group for summary in judged))
    in_groups = [np.flatnonzero([summary.group == group for summary in judged]) for group in groups]
    values = correlate_groups(scores, people, in_groups, coefficient)
    if np.isnan(values).all():
        raise DataError("no correlation is defined: scores or judgments are all the same, or there is one of a group")
    lead = None
    if resamples and len(wanted) > 1:
        pair = order_rows(values, choose)[:2]
        lead = measure_lead(
            judged,
            scores[:, pair],
            people,
            [wanted[row] for row in pair],
            coefficient=coefficient,
            resamples=resamples,
            seed=seed,
        )
    return LayerSearch(
        model=loaded.name,
        weights=loaded.digest,
        aspect=aspect,
        human=human or aspect,
        coefficient=coefficient,
        layers=wanted,
        groups=groups,
        counts=tuple(len(in_group) for in_group in in_groups),
        values=values,
        ranks=stats.average_ranks(values),
        better=better,
        choose=choose,
        idf=idf,
        lead=lead,
    )


def score_layers(
    loaded: Encoder,
    examples: Sequence[Example],
    *,
    aspect: LayerAspect,
    layers: Sequence[int],
    idf: LayerIdf = "none",
    progress: Callable[[int, int], None] | None = None,
) -> FloatArray:
    """The score of each example (rows) by each layer (columns), NaN where there is nothing to compare with."""
    scores = np.full((len(examples), len(layers)), np.nan)
    score = _score_support if aspect == "faithfulness" else _score_overlap
    done = 0
    for rows in _batch_rows(examples, aspect):
        code = language_code(examples[rows[0]].language)
        folder = str(loaded.checkpoint.folder)
        weights: TokenWeights = EvenWeights() if idf == "none" else load_background_weights(folder, code)
        compared = {row: _split_example(examples[row], aspect, code) for row in rows}
        texts = list(dict.fromkeys(text for pair in compared.values() for side in pair for text in side))
        encoded_texts = dict(zip(texts, loaded.encode(texts, layers), strict=True))
        for column, layer in enumerate(layers):
            tokens_of = {text: _weigh_tokens(encoded, layer, weights) for text, encoded in encoded_texts.items()}
            for row in rows:
                scores[row, column] = score(*compared[row], tokens_of, aspect)
        done += len(rows)
        if progress is not None:
            progress(done, len(examples))
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class _WeightedStates:
    """The states of a text's tokens, scaled to length 1, and their weights; `empty` if all tokens are special."""

    states: StateArray
    weights: WeightArray
    empty: bool


def _weigh_tokens(encoded: Encoded, layer: int, weigh: TokenWeights) -> _WeightedStates:
    return _WeightedStates(scale_to_unit_length(encoded.states[layer]), weigh(encoded), bool(encoded.special.all()))


def _split_example(example: Example, aspect: LayerAspect, code: str) -> tuple[list[str], list[str]]:
    """The texts of the summary, and those it is compared with: sentences for faithfulness, else whole texts."""
    if aspect != "faithfulness":
        return [example.summary], list(example.references)
    summary_sentences = split_sentences(example.summary, resolve_sentence_rule("auto", example.summary), code)
    document_sentences = split_sentences(example.document or "", "split", code)
    return list(filter(has_words, summary_sentences)), list(filter(has_words, document_sentences))


def _score_overlap(summaries: list[str], references: list[str], tokens_of: TokensByText, aspect: LayerAspect) -> float:
    """The highest precision or recall over the references, as `bertscore` has it."""
    summary = tokens_of[summaries[0]]
    by_reference = []
    for reference in (tokens_of[text] for text in references):
        if reference.empty:
            continue
        if summary.empty:
            by_reference.append(0.0)
            continue
        summary_best, reference_best = find_best_cosines(summary.states, reference.states)
        if aspect == "focus":
            by_reference.append(weighted_mean(summary_best, summary.weights))
        else:
            by_reference.append(weighted_mean(reference_best, reference.weights))
    return max(by_reference, default=float("nan"))


def _score_support(
    summary_sentences: list[str],
    document_sentences: list[str],
    tokens_of: TokensByText,
    aspect: LayerAspect,  # noqa: ARG001
) -> float:
    """The mean F1 of each summary sentence with its nearest document sentences, as `faithfulness` has it."""
    sources = [tokens for text in document_sentences if not (tokens := tokens_of[text]).empty]
    if not sources:
        return float("nan")
    if not summary_sentences:
        return 0.0
    states = np.concatenate([tokens.states for tokens in sources])
    weights = np.concatenate([_replace_zero_weights(tokens.weights) for tokens in sources])
    starts = np.cumsum([0, *(len(tokens.states) for tokens in sources[:-1])])
    sums = np.add.reduceat(weights, starts)
    support = []
    for tokens in (tokens_of[text] for text in summary_sentences):
        cosines = tokens.states @ states.T
        summary_weights = _replace_zero_weights(tokens.weights)
        precision = summary_weights @ np.maximum.reduceat(cosines, starts, axis=1) / summary_weights.sum()
        recall = np.add.reduceat(cosines.max(axis=0) * weights, starts) / sums
        total = precision + recall
        f1 = np.where(total > 0, 2 * precision * recall / np.where(total > 0, total, 1), 0.0)
        support.append(float(np.sort(f1)[-_NEAREST_SENTENCES:].mean()))
    return float(np.mean(support))


def _replace_zero_weights(weights: WeightArray) -> WeightArray:
    """The weights, or ones where nothing weighs anything."""
    return weights if weights.sum() > 0 else np.ones_like(weights)


def _batch_rows(examples: Sequence[Example], aspect: LayerAspect) -> Iterator[list[int]]:
    """Rows to encode together: those of one language, with the summaries of one document side by side."""

    def sort_key(row: int) -> tuple[str, str]:
        example = examples[row]
        return language_code(example.language), example.doc_id

    batch: list[int] = []
    characters = 0
    last = ("", "")
    for row in sorted(range(len(examples)), key=sort_key):
        example = examples[row]
        language_and_document = sort_key(row)
        new_document = language_and_document != last
        if batch and (language_and_document[0] != last[0] or (characters > BATCH_CHARACTERS and new_document)):
            yield batch
            batch, characters = [], 0
        compared = (example.document or "",) if aspect == "faithfulness" else example.references
        characters += len(example.summary) + (sum(map(len, compared)) if new_document else 0)
        last = language_and_document
        batch.append(row)
    if batch:
        yield batch
