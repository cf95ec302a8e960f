"""Trees, easiness and the choice of sentences, beside what Zhang and Bansal (2021) released and print."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.page import Table
from bench.figures.runs import DATA, records
from gistmeter.example import Example, Unit
from gistmeter.io.folds import draw_folds, read_folds
from gistmeter.io.runs import open_run
from gistmeter.linguistics.trees.network import load_tree_network
from gistmeter.models.easiness.regressor import parse_regressor
from gistmeter.training.easiness.recipe import EasinessRecipe
from gistmeter.training.easiness.training import (
    collect_lessons,
    cross_validate_regressor,
    fit_regressor,
    predict_held_out,
)
from gistmeter.training.trees.bank import read_trees
from gistmeter.training.trees.training import measure_trees
from gistmeter.units.easiness import predict_easiness
from gistmeter.units.mix import assign_sentences, choose_easiest
from gistmeter.units.references import split_references

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TREES = """Phrase trees from the dependency parse against those of GUM (`test2` is GENTLE, other genres): labelled
brackets as evalb counts them, words given, tags and dependencies spaCy's. `reachable` is the share of annotated
brackets that the dependencies allow."""
_ERRORS = """Predicted easiness of sentences against the truth, 5 folds by documents (REALSumm's as released, PyrXSum's
drawn), learned from both sets together; RoSE's references, of the same kind as REALSumm's, are learned from by none.
`8 of units` are the numbers of the machine's own units in a ridge regression (`embedded`, the default), `69 of trees`
the paper's in boosted trees (with 10 sentences a leaf at least: `embedded-69`). `mean` is the error of always saying
the mean. The paper prints .135 for REALSumm and .090 for XSum, with AllenNLP's trees, and no correlations."""
_FITS = """How well the units of all sentences stand for people's (mean easiness, 1 for a sentence that people write
for) when a machine cuts the easiest share of sentences, chosen by either regressor (held out as above), at random (mean
of {draws:,} draws) or by the truth, which is the best there is. "Gain" is of `8 of units` over chance, with the middle
95% of the draws: where it takes in 0, choosing is no better than chance."""
_DRAWS = 2000
_CHOICES = """Sentences on which we choose as the released mix of half STUs and half SCUs does, over all sentences that
people wrote units for. The released choice is read from the mix: a sentence took STUs if most of its SCUs are gone. By
chance about half agree. `folds` are the released REALSumm regressors, each on its held-out fold; the trees are ours.
`embedded` reads the units and not the tree, so it need not choose alike."""


def tables() -> Iterator[Table]:
    """The three tables."""
    figures = [
        (name, measure_trees(read_trees(DATA / "linguistic" / f"const_{name}.txt.gz"), load_tree_network()))
        for name in _SPLITS
    ]
    rows = [
        (name, str(one.trees), one.brackets.precision, one.brackets.recall, one.brackets.f1, one.reachable)
        for name, one in figures
    ]
    yield Table("Phrase trees", _TREES, ["trees of", "trees", "precision", "recall", "F1", "reachable"], rows)
    sets = {name: examples(name) for name in ("realsumm", "pyrxsum")}
    header = ["units", "features", "set", "error", "mean", "r"]
    yield Table("Easiness", _ERRORS, header, [*_errors(sets), *_unseen(sets)])
    chosen_by = ["share by machine", *("8 of units", "69 of trees", "at random", "best"), "gain", "sentences"]
    for name, rows in _fits(sets).items():
        yield Table(f"Which sentences people write for, {name}", _FITS.format(draws=_DRAWS), chosen_by, rows)
    yield Table(
        "Which sentences a machine cuts", _CHOICES, ["set", "regressor", "sentences", "the same"], list(_choices(sets))
    )


_SPLITS = ("dev", "test", "test2")


def examples(name: str) -> list[Example]:
    """The references of a set with people's units, each document once."""
    run = open_run([DATA / name / f"{name}.jsonl.gz"], units=[DATA / name / "documents.jsonl.gz"])
    return list({one.doc_id: one for one in run.examples()}.values())


_RECIPES = {
    "8 of units": EasinessRecipe(),
    "69 of trees": EasinessRecipe(features="trees"),
    "69 of trees, 10 a leaf": EasinessRecipe(features="trees", least=10),
}


def _errors(sets: dict[str, list[Example]]) -> Iterator[list[str | float]]:
    documents = [example.doc_id for example in sets["pyrxsum"]]
    drawn, released_parts = draw_folds(documents, 5), read_folds(DATA / "realsumm" / "folds.json")
    parts = [{*some, *others} for some, others in zip(released_parts, drawn, strict=True)]
    for label in ("ours", "released"):
        for features, recipe in _RECIPES.items():
            lessons = [
                lesson
                for name, examples_of_set in sets.items()
                for lesson in collect_lessons(
                    name,
                    examples_of_set,
                    machine=_units(name, "stus") if label == "released" else None,
                    features=recipe.features,
                )
            ]
            for figures in cross_validate_regressor(lessons, recipe, parts=parts):
                yield [label, features, figures.group, figures.error, figures.error_of_mean, figures.correlation]


def _fits(sets: dict[str, list[Example]]) -> dict[str, list[list[str | float]]]:
    """For each set the mean easiness when sentences are chosen in several ways, at several shares."""
    documents = [example.doc_id for example in sets["pyrxsum"]]
    drawn, released_parts = draw_folds(documents, 5), read_folds(DATA / "realsumm" / "folds.json")
    parts = [{*some, *others} for some, others in zip(released_parts, drawn, strict=True)]
    predictions, lessons_of = {}, {}
    for features in ("8 of units", "69 of trees, 10 a leaf"):
        recipe = _RECIPES[features]
        lessons = [
            lesson for name, some in sets.items() for lesson in collect_lessons(name, some, features=recipe.features)
        ]
        predictions[features] = predict_held_out(lessons, recipe, parts=parts).predicted
        rose = collect_lessons("rose", _rose(), features=recipe.features)
        model = parse_regressor(fit_regressor(lessons, recipe))
        predictions[features] = np.concatenate([predictions[features], model.predict([one.features for one in rose])])
        lessons_of[features] = [*lessons, *rose]
    lessons = lessons_of["8 of units"]
    truth = np.array([lesson.easiness for lesson in lessons])
    groups = np.array([lesson.group for lesson in lessons])
    titles = {"realsumm": "REALSumm", "pyrxsum": "PyrXSum", "rose": "RoSE"}
    return {
        title: list(_fit_rows(truth[rows], [values[rows] for values in predictions.values()]))
        for group, title in titles.items()
        for rows in [groups == group]
    }


def _fit_rows(truth: np.ndarray, predictions: Sequence[np.ndarray]) -> Iterator[list[str | float]]:
    rng = np.random.default_rng(0)
    for share in (0.25, 0.5, 0.75):
        count = round(share * len(truth))

        def fit(order: np.ndarray, count: int = count) -> float:
            return float((truth[order[:count]].sum() + len(truth) - count) / len(truth))

        chosen = [fit(np.argsort(-values, kind="stable")) for values in (*predictions, truth)]
        at_random = [fit(rng.permutation(len(truth))) for _ in range(_DRAWS)]
        gains = [chosen[0] - value for value in at_random]
        low, high = np.quantile(gains, [0.025, 0.975])
        gain = f"{np.mean(gains):+.3f} ({low:+.3f} to {high:+.3f})"
        yield [f"{share:.0%}", *chosen[:2], float(np.mean(at_random)), chosen[2], gain, str(len(truth))]


def _rose() -> list[Example]:
    """RoSE's references with people's units, but those that other sets have."""
    return [
        Example(
            doc_id=f"rose-{number}", system="reference", summary="", references=(row["reference"],), units=row["scus"]
        )
        for number, row in enumerate(records("rose/reference_units.jsonl.gz"))
        if row["scus"] and not row["overlaps"]
    ]


def _unseen(sets: dict[str, list[Example]]) -> Iterator[list[str | float]]:
    """The shipped kinds of regressors, learned from both sets, on RoSE's references."""
    rose = _rose()
    for features, recipe in _RECIPES.items():
        lessons = [
            lesson for name, some in sets.items() for lesson in collect_lessons(name, some, features=recipe.features)
        ]
        asked = collect_lessons("rose", rose, features=recipe.features)
        predicted = parse_regressor(fit_regressor(lessons, recipe)).predict([lesson.features for lesson in asked])
        truth = np.array([lesson.easiness for lesson in asked])
        mean = np.mean([lesson.easiness for lesson in lessons])
        errors = (float(np.abs(predicted - truth).mean()), float(np.abs(mean - truth).mean()))
        yield ["ours", features, "rose", *errors, float(np.corrcoef(predicted, truth)[0, 1])]


def _choices(sets: dict[str, list[Example]]) -> Iterator[list[str | float]]:
    folder = DATA / "lite23pyramid" / "regressors"
    folds = json.loads((DATA / "realsumm" / "folds.json").read_text("utf-8"))["by_examples"]
    fold = {key: number for number, keys in enumerate(folds) for key in keys}
    for name, some in sets.items():
        texts = {one.doc_id: split_references(one.references) for one in some}
        people = {one.doc_id: assign_sentences(one.units, texts[one.doc_id], document=one.doc_id) for one in some}
        released = _released(name, people)
        regressors = {
            "TAC08": lambda _: folder / "TAC08" / "all_xgb.json.gz",
            "embedded": lambda _: "embedded",
            "embedded-69": lambda _: "embedded-69",
        }
        if name == "realsumm":
            regressors["folds"] = lambda key: folder / "REALSumm" / f"fold{fold[key]}_xgb.json.gz"
        for label, regressor in regressors.items():
            easy = {key: predict_easiness(sentences, regressor=str(regressor(key))) for key, sentences in texts.items()}
            chosen = choose_easiest(easy, 0.5)
            same = [(place in chosen) == by_machine for place, by_machine in released.items()]
            yield [name, label, str(len(same)), f"{100 * np.mean(same):.0f}%"]


def _released(name: str, people: dict[str, Sequence[Unit]]) -> dict[tuple[str, int], bool]:
    """For each sentence with people's units: whether the released mix has units by machine for it."""
    mixes = {key: {unit.text for unit in units} for key, units in _units(name, "stus_scus_percentage50").items()}
    found = {}
    for key, units in people.items():
        for place in {unit.sentence for unit in units}:
            kept = [unit.text in mixes[key] for unit in units if unit.sentence == place]
            found[key, place] = sum(kept) * 2 < len(kept)
    return found


def _units(name: str, field: str) -> dict[str, tuple[Unit, ...]]:
    return {row["doc_id"]: tuple(map(Unit, row[field])) for row in records(f"{name}/documents.jsonl.gz")}
