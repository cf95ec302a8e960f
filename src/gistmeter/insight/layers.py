"""Layers: how well each layer of a model agrees with people, in one pass over the texts.

As in FFCI (Koto, Baldwin and Lau, 2022, section 4 and Fig. 2 and 4): BERTScore's precision for focus, its recall for
coverage, and the mean F1 with the three nearest source sentences for faithfulness, each correlated with people's
judgments within groups (such as dataset and system). A layer is chosen by its mean rank over the groups. Tokens weigh
alike unless `idf` says otherwise: as in the paper, and as `focus`, `coverage` and `faithfulness` take them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError
from gistmeter.models.encoder.encoder import Dtype, Encoder, LongTexts, check_language, encoder
from gistmeter.models.encoder.greedy import best_cosines, weighted_mean
from gistmeter.models.encoder.idf import EvenWeights, background_weights
from gistmeter.models.runtime.states import unit
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import resolve_rule, sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.insight.judged import Judged
    from gistmeter.models.encoder.idf import WeightArray, Weights
    from gistmeter.models.runtime.states import Encoded, StateArray
    from gistmeter.stats.correlation import Coefficient

    Sides = Mapping[str, "_Side"]

LayerAspect = Literal["focus", "coverage", "faithfulness"]
LayerIdf = Literal["background", "none"]
_NEAREST = 3
_AT_ONCE = 16_000
"""Characters encoded together: enough for full batches, little enough for the states of all layers at once."""


@dataclass(frozen=True, slots=True, eq=False)
class LayerSearch:
    """The correlation of each layer (rows) with people in each group (columns), and the layer chosen by mean rank."""

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

    @property
    def best(self) -> int:
        """The layer of the best mean rank; of equal ones that of the higher mean correlation."""
        order = np.lexsort((-np.nanmean(self.values, axis=1), self.ranks))
        return self.layers[int(order[0])]


def search_layers(
    judged: Sequence[Judged],
    *,
    aspect: LayerAspect,
    human: str = "",
    model: str = "embedded",
    layers: Sequence[int] | None = None,
    idf: LayerIdf = "none",
    coefficient: Coefficient = "pearson",
    long: LongTexts = "windows",
    dtype: Dtype = "fp32",
    progress: Callable[[int, int], None] | None = None,
) -> LayerSearch:
    """Correlate every layer of a model with people's judgments, and choose one."""
    loaded = encoder(model, dtype=dtype, long=long)
    wanted = tuple(sorted(set(layers))) if layers else tuple(range(loaded.depth + 1))
    loaded.check_layers(wanted)
    for code in {language_code(one.example.language) for one in judged}:
        check_language(model, code, "layers")
    scores = layer_scores(
        loaded, [one.example for one in judged], aspect=aspect, layers=wanted, idf=idf, progress=progress
    )
    people = np.array([one.human for one in judged])
    groups = tuple(dict.fromkeys(one.group for one in judged))
    within = [np.array([one.group == group for one in judged]) for group in groups]
    values = np.array(
        [[_correlation(scores[inside, place], people[inside], coefficient) for inside in within]
         for place in range(len(wanted))]
    )  # fmt: skip
    if np.isnan(values).all():
        raise DataError("no correlation is defined: scores or judgments are all the same, or there is one of a group")
    counts = tuple(int(inside.sum()) for inside in within)
    return LayerSearch(
        loaded.name,
        loaded.digest,
        aspect,
        human or aspect,
        coefficient,
        wanted,
        groups,
        counts,
        values,
        mean_ranks(values),
    )


def layer_scores(
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
    score = _support if aspect == "faithfulness" else _overlap
    done = 0
    for rows in _together(examples, aspect):
        code = language_code(examples[rows[0]].language)
        weights: Weights = EvenWeights() if idf == "none" else background_weights(str(loaded.checkpoint.folder), code)
        compared = {row: _compared(examples[row], aspect, code) for row in rows}
        texts = list(dict.fromkeys(text for sides in compared.values() for side in sides for text in side))
        encoded = dict(zip(texts, loaded.encode(texts, layers), strict=True))
        for column, layer in enumerate(layers):
            sides = {text: _side(one, layer, weights) for text, one in encoded.items()}
            for row in rows:
                scores[row, column] = score(*compared[row], sides, aspect)
        done += len(rows)
        if progress is not None:
            progress(done, len(examples))
    return scores


def mean_ranks(values: FloatArray) -> FloatArray:
    """The mean rank of each row over the columns, 1 for the highest; ties share ranks, what is undefined comes last.

    >>> mean_ranks(np.array([[0.1, 0.5], [0.3, 0.2], [0.2, 0.2]]))
    array([2.  , 1.75, 2.25])
    """
    from scipy.stats import rankdata

    known = np.where(np.isnan(values), -np.inf, values)
    ranks: FloatArray = rankdata(-known, axis=0).mean(axis=1)
    return ranks


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    states: StateArray
    weights: WeightArray
    empty: bool


def _side(one: Encoded, layer: int, weights: Weights) -> _Side:
    return _Side(unit(one.states[layer]), weights(one), bool(one.special.all()))


def _compared(example: Example, aspect: LayerAspect, code: str) -> tuple[list[str], list[str]]:
    """The texts of the summary and of what it is compared with: sentences for faithfulness, else wholes."""
    if aspect != "faithfulness":
        return [example.summary], list(example.references)
    mine = sentences(example.summary, resolve_rule("auto", example.summary), code)
    theirs = sentences(example.document or "", "split", code)
    return [one for one in mine if has_words(one)], [one for one in theirs if has_words(one)]


def _overlap(mine: list[str], theirs: list[str], sides: Sides, aspect: LayerAspect) -> float:
    """The highest precision or recall over the references, as `bertscore` has it."""
    summary = sides[mine[0]]
    found = []
    for reference in (sides[text] for text in theirs):
        if reference.empty:
            continue
        if summary.empty:
            found.append(0.0)
            continue
        for_mine, for_theirs = best_cosines(summary.states, reference.states)
        if aspect == "focus":
            found.append(weighted_mean(for_mine, summary.weights))
        else:
            found.append(weighted_mean(for_theirs, reference.weights))
    return max(found, default=float("nan"))


def _support(mine: list[str], theirs: list[str], sides: Sides, aspect: LayerAspect) -> float:  # noqa: ARG001
    """The mean F1 of each summary sentence with its nearest source sentences, as `faithfulness` has it."""
    others = [side for text in theirs if not (side := sides[text]).empty]
    if not others:
        return float("nan")
    if not mine:
        return 0.0
    states = np.concatenate([side.states for side in others])
    weights = np.concatenate([_counting(side.weights) for side in others])
    starts = np.cumsum([0, *(len(side.states) for side in others[:-1])])
    sums = np.add.reduceat(weights, starts)
    best = []
    for side in (sides[text] for text in mine):
        cosines = side.states @ states.T
        own = _counting(side.weights)
        precision = own @ np.maximum.reduceat(cosines, starts, axis=1) / own.sum()
        recall = np.add.reduceat(cosines.max(axis=0) * weights, starts) / sums
        above = precision + recall
        f1 = np.where(above > 0, 2 * precision * recall / np.where(above > 0, above, 1), 0.0)
        best.append(float(np.sort(f1)[-_NEAREST:].mean()))
    return float(np.mean(best))


def _counting(weights: WeightArray) -> WeightArray:
    """Weights, all alike where nothing weighs anything."""
    return weights if weights.sum() > 0 else np.ones_like(weights)


def _together(examples: Sequence[Example], aspect: LayerAspect) -> Iterator[list[int]]:
    """Rows to encode together: those of one language, with the summaries of one document side by side."""

    def place(row: int) -> tuple[str, str]:
        example = examples[row]
        return language_code(example.language), example.doc_id

    rows: list[int] = []
    size = 0
    last = ("", "")
    for row in sorted(range(len(examples)), key=place):
        example = examples[row]
        here = place(row)
        if rows and (here[0] != last[0] or (size > _AT_ONCE and here != last)):
            yield rows
            rows, size = [], 0
        against = (example.document or "",) if aspect == "faithfulness" else example.references
        size += len(example.summary) + (sum(map(len, against)) if here != last else 0)
        last = here
        rows.append(row)
    if rows:
        yield rows


def _correlation(scores: FloatArray, people: FloatArray, coefficient: Coefficient) -> float:
    try:
        return stats.correlate(scores[None], people[None], level="pooled", coefficient=coefficient).value
    except DataError:  # too few, or all the same
        return float("nan")
