"""Training the predictor of salience: which noun phrases of documents their references state (SpanSum, 6.3.1)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.atomic import write_bytes
from gistmeter.io.runs import open_run
from gistmeter.models.salience.candidates import find_candidates
from gistmeter.models.salience.features import FEATURES, describe_candidates, encode_candidates
from gistmeter.models.salience.fitting import find_directions, fit_balanced
from gistmeter.models.salience.predictor import SaliencePredictor
from gistmeter.summarize.documents import collect_sources
from gistmeter.summarize.span_files import read_all_spans
from gistmeter.summarize.spans import check_spans
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file
from gistmeter.training.salience.card import salience_card
from gistmeter.training.salience.curves import measure_ranking
from gistmeter.training.salience.recipe import SalienceRecipe
from gistmeter.training.salience.result import TrainedSalience
from gistmeter.training.sources.evaluated import collect_runs, shares_run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from gistmeter.arrays import BoolArray, FloatArray, IntArray
    from gistmeter.summarize.documents import Source
    from gistmeter.summarize.spans import DocumentSpans
    from gistmeter.training.progress import Progress
    from gistmeter.training.salience.recipe import SalienceData

NO_ENCODER = "none"
DEFAULT_DIRECTIONS = (0, 16, 64)
"""Numbers of directions that are tried where none are named."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SpanLessons:
    """Features of noun phrases, the encoder's states of them, whether each is salient, and whose document it is of."""

    features: FloatArray
    states: FloatArray
    labels: BoolArray
    document: IntArray
    refused: int = 0
    unlabelled: int = 0
    """Documents of the run without silver spans."""

    unmatched: int = 0
    """Silver spans that are no noun phrase, which nothing is learned from."""

    @property
    def with_salient(self) -> int:
        """How many documents have a salient phrase."""
        return len(np.unique(self.document[self.labels]))

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return len(np.unique(self.document))

    def split(self, values: FloatArray | BoolArray) -> list[np.ndarray]:
        """Values of spans by document."""
        return [values[self.document == number] for number in np.unique(self.document)]


def train_salience(
    out: str | Path,
    data: SalienceData,
    *,
    recipe: SalienceRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedSalience:
    """Read documents and their silver spans, choose by precision@1 on folds, learn from all, write it with a card."""
    recipe = recipe or SalienceRecipe()
    file = output_file(out, (".json",), role="a predictor of salience", data=data)
    sources = collect_sources(open_run(list(data.data), documents=list(data.documents)))
    spans = read_all_spans(data.spans)
    lessons = collect_lessons(
        sources,
        spans,
        encoder=recipe.encoder,
        refused=collect_runs(data.without),
        progress=progress,
    )
    if lessons.with_salient < recipe.folds:
        raise DataError(
            f"with {recipe.folds} folds a predictor of salience needs at least as many documents with salient phrases; "
            f"there are {lessons.with_salient}: label more, or set `folds`"
        )
    choices = recipe.directions or DEFAULT_DIRECTIONS
    if recipe.encoder == NO_ENCODER:
        choices = (0,)
    held_out = {count: predict_held_out(lessons, recipe, count) for count in choices}
    labels = lessons.split(lessons.labels)
    curves = {count: measure_ranking(labels, lessons.split(scores)) for count, scores in held_out.items()}
    best = max(choices, key=lambda count: (curves[count].precision[0], curves[count].auc))
    model = fit_predictor(lessons, recipe, best)
    write_bytes(file, json.dumps(model.to_dict()).encode())
    in_order = [-np.arange(len(truth), dtype=float) for truth in labels]
    trained = TrainedSalience(
        file=file,
        card=card_beside(file),
        documents=lessons.documents,
        refused=lessons.refused,
        unlabelled=lessons.unlabelled,
        unmatched=lessons.unmatched,
        spans=len(lessons.labels),
        salient=float(lessons.labels.mean()),
        methods=tuple(sorted({document.method for document in spans if document.method})),
        directions=best,
        tried={count: curves[count].precision[0] for count in choices},
        curves=curves[best],
        position=measure_ranking(labels, in_order),
        weights=dict(zip(FEATURES, model.weights.tolist(), strict=False)),
    )
    salience_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def collect_lessons(
    sources: Iterable[Source],
    spans: Sequence[DocumentSpans],
    *,
    encoder: str,
    refused: frozenset[int] = frozenset(),
    progress: Progress = SILENCE,
) -> SpanLessons:
    """The noun phrases of each document that has silver spans; documents with a refused run of words are left out."""
    silver = {document.doc_id: document for document in spans}
    read = list(sources)
    labelled = [source for source in read if source.doc_id in silver]
    if not labelled:
        raise DataError("no document of the run has silver spans: label it with `gistmeter spans label`")
    learned_from = [source for source in labelled if not shares_run(source.document, refused)]
    features, states, labels, owners = [], [], [], []
    unmatched = 0
    for number, source in enumerate(learned_from):
        check_spans(silver[source.doc_id].spans, source.document, f"document {source.doc_id!r}")
        salient = {(span.start, span.end) for span in silver[source.doc_id].spans}
        phrases = find_candidates(source.document)
        features.append(describe_candidates(phrases))
        if encoder != NO_ENCODER:
            states.append(encode_candidates(phrases, encoder))
        here = [(candidate.start, candidate.end) in salient for candidate in phrases.candidates]
        unmatched += len(salient) - sum(here)
        labels += here
        owners += [number] * len(phrases.candidates)
        progress.advance("reading", number + 1, len(learned_from))
    if not labels:
        raise DataError(
            f"there is nothing to learn from: {len(labelled) - len(learned_from)} of {len(labelled)} documents are "
            "evaluation data, and the others have no noun phrases"
        )
    if len(set(labels)) == 1:
        which = "every noun phrase is" if labels[0] else "no noun phrase is"
        raise DataError(f"there is nothing to learn from: {which} a silver span; it takes salient phrases and others")
    return SpanLessons(
        features=np.concatenate(features),
        states=np.concatenate(states) if states else np.zeros((len(labels), 0)),
        labels=np.array(labels, dtype=bool),
        document=np.array(owners, dtype=np.int64),
        refused=len(labelled) - len(learned_from),
        unlabelled=len(read) - len(labelled),
        unmatched=unmatched,
    )


def fit_predictor(
    lessons: SpanLessons, recipe: SalienceRecipe, directions: int, rows: BoolArray | None = None
) -> SaliencePredictor:
    """A predictor of so many directions of the states, learned from these rows (all by default)."""
    chosen = np.ones(len(lessons.labels), dtype=bool) if rows is None else rows
    centre, projection = np.zeros(0), np.zeros((0, 0))
    table = lessons.features
    if directions:
        centre, projection = find_directions(lessons.states[chosen], min(directions, lessons.states.shape[1]))
        table = np.hstack([table, (lessons.states - centre) @ projection])
    fitted = fit_balanced(table[chosen], lessons.labels[chosen], ridge=recipe.ridge)
    return SaliencePredictor(
        encoder=recipe.encoder if directions else "",
        projection=projection,
        centre=centre,
        mean=fitted.mean,
        spread=fitted.spread,
        weights=fitted.weights,
        bias=fitted.bias,
    )


def predict_held_out(lessons: SpanLessons, recipe: SalienceRecipe, directions: int) -> FloatArray:
    """For each span the probability by a predictor that did not see its document."""
    probabilities = np.empty(len(lessons.labels))
    folds = _deal_folds(lessons, recipe)[lessons.document]
    for fold in np.unique(folds):
        held_out = folds == fold
        if lessons.labels[~held_out].all():
            raise DataError(
                f"without one of {recipe.folds} folds of documents every noun phrase is a silver span, and there are "
                "no others to learn from: label more documents"
            )
        model = fit_predictor(lessons, recipe, directions, ~held_out)
        table = lessons.features[held_out]
        if directions:
            table = np.hstack([table, (lessons.states[held_out] - model.centre) @ model.projection])
        probabilities[held_out] = model.probabilities(table)
    return probabilities


def _deal_folds(lessons: SpanLessons, recipe: SalienceRecipe) -> IntArray:
    """The fold of each document; those with salient phrases are dealt evenly, so that every fold leaves some."""
    shuffled = np.random.default_rng(recipe.seed).permutation(lessons.document.max() + 1)
    salient = np.isin(shuffled, lessons.document[lessons.labels])
    folds = np.empty(len(shuffled), dtype=np.int64)
    folds[np.concatenate([shuffled[salient], shuffled[~salient]])] = np.arange(len(shuffled)) % recipe.folds
    return folds
