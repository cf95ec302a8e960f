"""Training a regression of S3: how measures of overlap are to be weighed to say what people say."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.atomic import write_bytes
from gistmeter.io.runs import open_run
from gistmeter.judgments import Judgments, choose_aspect
from gistmeter.metrics.learned.features import FEATURES, describe_summaries
from gistmeter.models.easiness.ridge import fit_ridge
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file
from gistmeter.training.s3.card import s3_card
from gistmeter.training.s3.recipe import S3Recipe
from gistmeter.training.s3.result import S3Figures, TrainedS3

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.models.easiness.ridge import Ridge
    from gistmeter.training.progress import Progress
    from gistmeter.training.s3.recipe import S3Data


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JudgedSummaries:
    """Features of the judged summaries of one set, what people said (from 0 to 1), and whose they are."""

    group: str
    aspect: str
    rows: FloatArray
    judged: FloatArray
    documents: NDArray[np.str_]
    systems: NDArray[np.str_]


def train_s3(
    out: str | Path, data: S3Data, *, recipe: S3Recipe | None = None, command: str = "", progress: Progress = SILENCE
) -> TrainedS3:
    """Fit the regression to all sets, measure it by folds of documents and across sets, write it with its card."""
    recipe = recipe or S3Recipe()
    file = output_file(out, (".json",), role="a regression", data=data)
    sets = []
    for number in range(len(data.data)):
        sets.append(read_judged(data, number, recipe.references))
        progress.advance("reading", number + 1, len(data.data))
    fewest = min(len(set(judged.documents)) for judged in sets)
    if fewest < recipe.folds:
        raise DataError(f"s3 learns from sets of at least {recipe.folds} judged documents (folds); one has {fewest}")
    regression = fit_regression(sets, recipe)
    write_bytes(file, json.dumps({"features": FEATURES, **regression.as_data()}, indent=1).encode())
    trained = TrainedS3(
        file=file,
        card=card_beside(file),
        coefficients=dict(zip(FEATURES, regression.coefficients, strict=True)),
        figures=tuple(measure_set(sets, number, recipe) for number in range(len(sets))),
    )
    aspects = [judged.aspect for judged in sets]
    s3_card(trained, recipe, aspects, command=command, notes=data.notes).write(trained.card)
    return trained


def read_judged(data: S3Data, number: int, references: int) -> JudgedSummaries:
    """The judged summaries of a run, with as many references of each as there are to be."""
    if data.judgments and len(data.judgments) != len(data.data):
        raise DataError(f"there are {len(data.data)} runs but {len(data.judgments)} files of judgments")
    if len(data.aspect) not in (0, 1, len(data.data)):
        raise DataError(f"there are {len(data.data)} runs but {len(data.aspect)} aspects")
    run = data.data[number]
    judgments = Judgments.read(data.judgments[number] if data.judgments else run)
    asked = None if not data.aspect else data.aspect[number if len(data.aspect) > 1 else 0]
    aspect = choose_aspect(judgments.aspects, asked)
    values = {(row["doc_id"], row["system"]): row["value"] for row in judgments.means(aspect).iter_rows(named=True)}
    examples = [
        replace(example, references=example.references[:references])
        for example in open_run([run]).examples()
        if example.references and (example.doc_id, example.system) in values
    ]
    rows = describe_summaries(examples)
    judged = np.array([values[example.doc_id, example.system] for example in examples], dtype=float)
    usable = ~(np.isnan(rows).any(axis=1) | np.isnan(judged))
    if usable.sum() < len(FEATURES) or np.ptp(judged[usable]) == 0:
        raise DataError(f"{run} has {usable.sum()} judged summaries with references that differ in {aspect}: too few")
    low, high = judged[usable].min(), judged[usable].max()
    return JudgedSummaries(
        group=PurePath(run).name.partition(".")[0],
        aspect=aspect,
        rows=rows[usable],
        judged=(judged[usable] - low) / (high - low),
        documents=np.array([example.doc_id for example in examples])[usable],
        systems=np.array([example.system for example in examples])[usable],
    )


def fit_regression(sets: Sequence[JudgedSummaries], recipe: S3Recipe) -> Ridge:
    """The regression of judgments on features, over all sets; the mean summary is that of all, too."""
    rows, judged = np.concatenate([part.rows for part in sets]), np.concatenate([part.judged for part in sets])
    if recipe.learn == "all":
        return fit_ridge(rows, judged, recipe.penalty)
    centred = [np.column_stack([part.rows, part.judged]) for part in sets]
    for table, part in zip(centred, sets, strict=True):
        for document in np.unique(part.documents):
            table[part.documents == document] -= table[part.documents == document].mean(axis=0)
    joined = np.concatenate(centred)
    differences = fit_ridge(joined[:, :-1], joined[:, -1], recipe.penalty)
    return replace(differences, means=tuple(map(float, rows.mean(axis=0))), intercept=float(judged.mean()))


def predict_held_out(sets: Sequence[JudgedSummaries], number: int, recipe: S3Recipe) -> FloatArray:
    """Predictions for one set by regressions that learned from its other folds of documents, and from other sets."""
    own = sets[number]
    others = [judged for rank, judged in enumerate(sets) if rank != number]
    documents = np.unique(own.documents)
    order = np.random.default_rng(recipe.seed).permutation(len(documents))
    fold_of = {str(documents[index]): rank % recipe.folds for rank, index in enumerate(order)}
    folds = np.array([fold_of[document] for document in own.documents])
    predicted = np.empty(len(own.rows))
    for fold in range(recipe.folds):
        learned = folds != fold
        part = replace(own, rows=own.rows[learned], judged=own.judged[learned], documents=own.documents[learned])
        predicted[~learned] = fit_regression([part, *others], recipe).predict(own.rows[~learned])
    return predicted


def measure_set(sets: Sequence[JudgedSummaries], number: int, recipe: S3Recipe) -> S3Figures:
    """How predictions agree with people on one set: by folds, and by a regression that learned from other sets."""
    own = sets[number]
    predicted = predict_held_out(sets, number, recipe)
    others = [judged for rank, judged in enumerate(sets) if rank != number]
    across = fit_regression(others, recipe).predict(own.rows) if others else None
    return S3Figures(
        group=own.group,
        summaries=len(own.rows),
        system=_correlate_systems(predicted, own),
        summary=_correlate_documents(predicted, own),
        across=float("nan") if across is None else _correlate_documents(across, own),
        rouge=_correlate_documents(own.rows[:, 0], own),
    )


def _correlate_systems(values: FloatArray, judged: JudgedSummaries) -> float:
    """Pearson's r over the means of systems."""
    names = np.unique(judged.systems)
    means = [[part[judged.systems == name].mean() for name in names] for part in (values, judged.judged)]
    return float(np.corrcoef(means)[0, 1]) if len(names) > 1 else float("nan")


def _correlate_documents(values: FloatArray, judged: JudgedSummaries) -> float:
    """The mean over documents of Pearson's r; documents in which either side is constant are left out."""
    correlations = []
    for name in np.unique(judged.documents):
        rows = judged.documents == name
        if np.ptp(values[rows]) > 0 and np.ptp(judged.judged[rows]) > 0:
            correlations.append(np.corrcoef(values[rows], judged.judged[rows])[0, 1])
    return float(np.mean(correlations)) if correlations else float("nan")
