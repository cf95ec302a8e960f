"""Training the regressor of easiness: how well triplet units stand for people's units, before people wrote any."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.atomic import write_bytes
from gistmeter.io.runs import open_run
from gistmeter.linguistics.trees.parser import parse_trees
from gistmeter.models.easiness.regressor import parse_regressor
from gistmeter.models.easiness.ridge import fit_ridge
from gistmeter.training.easiness.card import easiness_card
from gistmeter.training.easiness.recipe import EasinessRecipe
from gistmeter.training.easiness.result import EasinessFigures, TrainedEasiness
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file
from gistmeter.units.easiness import describe_tree, describe_units, group_units, measure_easiness
from gistmeter.units.mix import assign_sentences
from gistmeter.units.references import extract_reference_units, split_references
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example, Unit
    from gistmeter.training.easiness.recipe import EasinessData
    from gistmeter.training.progress import Progress


@dataclass(frozen=True, slots=True)
class SentenceLesson:
    """A sentence of a reference: the set and document it is from, its features, and how easy it is."""

    group: str
    document: str
    features: tuple[float, ...]
    easiness: float


def train_easiness(
    out: str | Path,
    data: EasinessData,
    *,
    recipe: EasinessRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedEasiness:
    """Train on references with people's units, measure by cross-validation, write the regressor and its card."""
    recipe = recipe or EasinessRecipe()
    file = output_file(out, (".json", ".json.gz"), role="the regressor", data=data)
    lessons: list[SentenceLesson] = []
    documents: dict[str, int] = {}
    for number, (group, examples) in enumerate(_read_runs(data).items(), start=1):
        of_group = collect_lessons(group, examples, parser=data.trees, features=recipe.features)
        lessons += of_group
        documents[group] = len({lesson.document for lesson in of_group})
        progress.advance("reading", number, len(data.data))
    if (count := sum(documents.values())) < recipe.folds:
        raise DataError(
            f"training needs references with units for at least {recipe.folds} documents; there are {count}"
        )
    text = json.dumps(fit_regressor(lessons, recipe), separators=(",", ":")).encode()
    write_bytes(file, gzip.compress(text, mtime=0) if file.suffix == ".gz" else text)
    trained = TrainedEasiness(
        file=file,
        card=card_beside(file),
        documents=documents,
        figures=tuple(cross_validate_regressor(lessons, recipe)),
    )
    easiness_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def collect_lessons(
    group: str,
    examples: Iterable[Example],
    *,
    machine: Mapping[str, Sequence[Unit]] | None = None,
    parser: str = EMBEDDED,
    features: Literal["units", "trees"] = "units",
) -> list[SentenceLesson]:
    """The sentences that people wrote units for, each document once. `machine` are units by document, else our own.

    The features are those of the units that a machine cut, or of the phrase tree that `parser` makes.
    """
    documents = {example.doc_id: example for example in examples if example.references and example.units}
    sentences = {key: split_references(example.references, example.language) for key, example in documents.items()}
    parsed = (
        iter(parse_trees([sentence for every in sentences.values() for sentence in every], parser))
        if features == "trees"
        else iter(())
    )
    lessons = []
    for key, example in documents.items():
        machine_units = (
            extract_reference_units(example.references)
            if machine is None
            else assign_sentences(machine[key], sentences[key], document=key)
        )
        people_units = assign_sentences(example.units, sentences[key], document=key)
        easiness = measure_easiness(people_units, machine_units, len(sentences[key]))
        if features == "trees":
            rows = [describe_tree(next(parsed)) for _ in sentences[key]]
        else:
            units = group_units(machine_units, len(sentences[key]))
            rows = [describe_units(text, texts) for text, texts in zip(sentences[key], units, strict=True)]
        lessons += [
            SentenceLesson(group=group, document=key, features=tuple(row), easiness=value)
            for row, value in zip(rows, easiness, strict=True)
            if value is not None
        ]
    return lessons


def fit_regressor(lessons: Sequence[SentenceLesson], recipe: EasinessRecipe) -> dict[str, Any]:
    """The regressor as data for JSON: a ridge regression, or boosted trees as XGBoost writes them."""
    rows = np.array([lesson.features for lesson in lessons])
    target = np.array([lesson.easiness for lesson in lessons])
    if recipe.features == "units":
        return fit_ridge(rows, target, recipe.penalty).as_data()
    xgboost = require("xgboost", "training a regressor", extra="train")
    settings = {
        "max_depth": recipe.depth,
        "eta": recipe.rate,
        "objective": "reg:squarederror",
        "base_score": 0.5,
        "tree_method": "exact",
        "min_child_weight": recipe.least,
        "seed": recipe.seed,
        "nthread": 1,
    }
    table = xgboost.DMatrix(rows, label=target)
    model: dict[str, Any] = json.loads(xgboost.train(settings, table, recipe.rounds).save_raw("json"))
    return model


class HeldOutPredictions(NamedTuple):
    """For each lesson what a regressor that did not learn from its fold predicts, and the mean that it learned from."""

    predicted: FloatArray
    means: FloatArray


def predict_held_out(
    lessons: Sequence[SentenceLesson], recipe: EasinessRecipe, *, parts: Sequence[Collection[str]] | None = None
) -> HeldOutPredictions:
    """Predictions by folds of documents, learned from all sets together.

    The folds are drawn with the recipe's seed, or are the `parts`, which hold ids of documents.
    """
    if parts is None:
        keys = sorted({(lesson.group, lesson.document) for lesson in lessons})
        order = np.random.default_rng(recipe.seed).permutation(len(keys))
        fold_of = {keys[index]: number % recipe.folds for number, index in enumerate(order)}
        folds = np.array([fold_of[lesson.group, lesson.document] for lesson in lessons])
    else:
        number_of = {document: number for number, part in enumerate(parts) for document in part}
        folds = np.array([number_of[lesson.document] for lesson in lessons])
    predicted, means = np.empty(len(lessons)), np.empty(len(lessons))
    for fold in np.unique(folds):
        others = [lesson for lesson, of_lesson in zip(lessons, folds, strict=True) if of_lesson != fold]
        held_out = np.flatnonzero(folds == fold)
        model = parse_regressor(fit_regressor(others, recipe))
        predicted[held_out] = model.predict([lessons[int(i)].features for i in held_out])
        means[held_out] = np.mean([lesson.easiness for lesson in others])
    return HeldOutPredictions(predicted, means)


def cross_validate_regressor(
    lessons: Sequence[SentenceLesson], recipe: EasinessRecipe, *, parts: Sequence[Collection[str]] | None = None
) -> list[EasinessFigures]:
    """Held-out figures of each set, by the folds of `predict_held_out`."""
    predicted, means = predict_held_out(lessons, recipe, parts=parts)
    truth = np.array([lesson.easiness for lesson in lessons])
    groups = np.array([lesson.group for lesson in lessons])
    return [
        EasinessFigures(
            group=str(group),
            sentences=int(rows.sum()),
            error=float(np.abs(predicted - truth)[rows].mean()),
            error_of_mean=float(np.abs(means - truth)[rows].mean()),
            correlation=float(np.corrcoef(predicted[rows], truth[rows])[0, 1]),
        )
        for group in dict.fromkeys(groups)
        for rows in [groups == group]
    ]


def _read_runs(data: EasinessData) -> dict[str, Iterable[Example]]:
    """The examples of each run by its name, with the units of its file."""
    if data.units and len(data.units) != len(data.data):
        raise DataError(f"there are {len(data.data)} runs but {len(data.units)} files of units")
    units = [[file] for file in data.units] if data.units else [[]] * len(data.data)
    return {
        PurePath(run).name.partition(".")[0]: open_run([run], units=files).examples()
        for run, files in zip(data.data, units, strict=True)
    }
