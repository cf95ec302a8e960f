"""Training the regressor of easiness: how well triplet units stand for people's units, from the tree of a sentence."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.linguistics.trees.parser import parse_trees
from gistmeter.models.easiness.boosting import parse_boosted_trees
from gistmeter.units.easiness import describe_tree, measure_easiness
from gistmeter.units.mix import assign_sentences
from gistmeter.units.references import extract_reference_units, split_references
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example, Unit


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the regressor is trained; the defaults are the paper's (and XGBoost's)."""

    depth: int = 3
    rate: float = 0.1
    rounds: int = 40
    least: int = 1
    """How many sentences a leaf has at least. The shipped regressor has 10: it ranks unseen sentences better."""

    folds: int = 5
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """A sentence of a reference: the set and document it is from, its features, and how easy it is."""

    group: str
    document: str
    features: tuple[float, ...]
    easiness: float


@dataclass(frozen=True, slots=True)
class HeldOut:
    """How far predictions for documents that were not learned from are from the truth, on one set of sentences."""

    group: str
    sentences: int
    error: float
    """The mean absolute error."""

    error_of_mean: float
    """That of always saying the mean of the sentences learned from."""

    correlation: float
    """Pearson's, of prediction and truth."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run made and measured."""

    file: Path
    card: Path
    held_out: tuple[HeldOut, ...]
    documents: Mapping[str, int]


def train_easiness(
    out: str | Path,
    sets: Mapping[str, Iterable[Example]],
    *,
    recipe: Recipe | None = None,
    parser: str = EMBEDDED,
    command: str = "",
    notes: Sequence[str] = (),
) -> Trained:
    """Train on references with people's units, measure by cross-validation, write the regressor and its card."""
    from gistmeter.training.easiness.card import written_card

    recipe = recipe or Recipe()
    file = Path(out).expanduser()
    if not file.name.endswith((".json", ".json.gz")):
        raise DataError(f"the regressor is written to a .json or .json.gz file, not to {file.name}")
    found = [lesson for name, examples in sets.items() for lesson in lessons(name, examples, parser=parser)]
    documents = {name: len({one.document for one in found if one.group == name}) for name in sets}
    if (count := sum(documents.values())) < recipe.folds:
        raise DataError(
            f"training needs references with units for at least {recipe.folds} documents; there are {count}"
        )
    model = fit(found, recipe)
    text = json.dumps(model, separators=(",", ":")).encode()
    file.write_bytes(gzip.compress(text, mtime=0) if file.suffix == ".gz" else text)
    stem = file.name.removesuffix(".gz").removesuffix(".json")
    trained = Trained(file, file.with_name(f"{stem}.md"), tuple(cross_validated(found, recipe)), documents)
    trained.card.write_text(written_card(trained, recipe, command, notes), "utf-8")
    return trained


def lessons(
    group: str,
    examples: Iterable[Example],
    *,
    machine: Mapping[str, Sequence[Unit]] | None = None,
    parser: str = EMBEDDED,
) -> list[Lesson]:
    """The sentences that people wrote units for, each document once. `machine` are units by document, else our own."""
    documents = {one.doc_id: one for one in examples if one.references and one.units}
    found = {key: split_references(one.references, one.language) for key, one in documents.items()}
    flat = [sentence for sentences in found.values() for sentence in sentences]
    read = iter(parse_trees(flat, parser))
    made = []
    for key, one in documents.items():
        theirs = (
            extract_reference_units(one.references)
            if machine is None
            else assign_sentences(machine[key], found[key], document=key)
        )
        gold = measure_easiness(assign_sentences(one.units, found[key], document=key), theirs, len(found[key]))
        for tree, value in zip([next(read) for _ in found[key]], gold, strict=True):
            if value is not None:
                made.append(Lesson(group, key, tuple(describe_tree(tree)), value))
    return made


def fit(found: Sequence[Lesson], recipe: Recipe) -> dict[str, Any]:
    """The regressor as XGBoost writes it in JSON."""
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
    table = xgboost.DMatrix(np.array([one.features for one in found]), label=np.array([one.easiness for one in found]))
    model: dict[str, Any] = json.loads(xgboost.train(settings, table, recipe.rounds).save_raw("json"))
    return model


def cross_validated(found: Sequence[Lesson], recipe: Recipe) -> list[HeldOut]:
    """Held-out figures of each set: folds by documents, learned from all sets together."""
    keys = sorted({(one.group, one.document) for one in found})
    order = np.random.default_rng(recipe.seed).permutation(len(keys))
    fold = {keys[place]: number % recipe.folds for number, place in enumerate(order)}
    of = np.array([fold[one.group, one.document] for one in found])
    truth = np.array([one.easiness for one in found])
    predicted, means = np.empty(len(found)), np.empty(len(found))
    for number in range(recipe.folds):
        model = parse_boosted_trees(fit([one for one, at in zip(found, of, strict=True) if at != number], recipe))
        held = np.flatnonzero(of == number)
        predicted[held] = model.predict([found[int(place)].features for place in held])
        means[held] = truth[of != number].mean()
    groups = np.array([one.group for one in found])
    return [_figures(name, groups == name, truth, predicted, means) for name in dict.fromkeys(groups)]


def _figures(
    name: str, some: NDArray[np.bool_], truth: FloatArray, predicted: FloatArray, means: FloatArray
) -> HeldOut:
    return HeldOut(
        group=str(name),
        sentences=int(some.sum()),
        error=float(np.abs(predicted - truth)[some].mean()),
        error_of_mean=float(np.abs(means - truth)[some].mean()),
        correlation=float(np.corrcoef(predicted[some], truth[some])[0, 1]),
    )
