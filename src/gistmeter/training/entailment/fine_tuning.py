"""The second stage: fine-tuning an entailment model on labels of which units a summary carries, whole or by folds."""

from __future__ import annotations

import functools
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.models.entailment.model import l2c, l3c, p2c, p3c
from gistmeter.training.entailment.learners import load_learner
from gistmeter.training.entailment.loss import entailment_loss
from gistmeter.training.entailment.presence_figures import measure_presence
from gistmeter.training.entailment.presence_labels import pair_labels, read_presence_labels
from gistmeter.training.loop.pair_run import PairTraining, predict_logits, select_short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.models.runtime.tokenizer import JoinedTokens
    from gistmeter.training.entailment.learners import EntailmentLearner
    from gistmeter.training.entailment.presence_figures import PresenceAgreement
    from gistmeter.training.entailment.presence_labels import LabelledUnit, PresencePairs
    from gistmeter.training.entailment.recipe import EntailmentRecipe
    from gistmeter.training.loop.check import Check, TrainingRun

_PROBABILITIES_FILE = "probabilities.npy"


def fine_tune(
    labels: PresencePairs,
    folder: Path,
    *,
    recipe: EntailmentRecipe,
    model: str = "embedded",
    start: Path | None = None,
    report: Callable[[Check], None] | None = None,
) -> TrainingRun:
    """Learn from all labels, or go on where an interrupted training in this folder stopped."""
    learner = load_learner(model, recipe, start=start)
    tokens = learner.tokenizer.pairs(labels.pairs)
    targets = select_short(labels.targets(np.arange(len(labels.rows))), tokens, recipe.longest)
    return _presence_training(learner, tokens, targets, folder, recipe).run(report)


def cross_validate_presence(
    labels: PresencePairs,
    folds: Sequence[IntArray],
    folder: Path,
    *,
    recipe: EntailmentRecipe,
    model: str = "embedded",
    start: Path | None = None,
    max_pairs: int | None = None,
    report: Callable[[Check], None] | None = None,
) -> FloatArray:
    """The probability of presence for every row, by a model that never saw its fold; finished folds are not redone.

    `max_pairs` is the number of pairs to learn from in each fold, drawn with the recipe's seed.
    """
    probabilities = np.full(len(labels.rows), np.nan)
    states: dict[int, torch.Tensor] = {}
    for number, fold in enumerate(folds):
        fold_folder = folder / f"fold{number}"
        finished = fold_folder / _PROBABILITIES_FILE
        if finished.is_file():
            probabilities[fold] = _read_probabilities(finished, len(fold))
            continue
        learner = load_learner(model, recipe, start=start, states=states)
        tokens = learner.tokenizer.pairs(labels.pairs)
        others = np.setdiff1d(np.arange(len(labels.rows)), fold)
        targets = select_short(labels.targets(others), tokens, recipe.longest)
        if max_pairs is not None and len(targets) > max_pairs:
            chosen = np.random.default_rng((recipe.seed, number)).permutation(list(targets))[:max_pairs]
            targets = {int(pair): targets[int(pair)] for pair in np.sort(chosen)}
        _presence_training(learner, tokens, targets, fold_folder, recipe).run(report)
        pairs = np.unique(labels.pair_of[fold])
        logits = predict_logits(learner, [tokens[pair] for pair in pairs], numbers=pairs.tolist())
        by_pair = dict(zip(pairs.tolist(), p2c(logits.astype(np.float64)).tolist(), strict=True))
        probabilities[fold] = [by_pair[int(labels.pair_of[row])] for row in fold]
        np.save(finished, probabilities[fold])
    return probabilities


def measure_zero_shot(learner: EntailmentLearner, run: str, units: str | None = None) -> dict[str, PresenceAgreement]:
    """How far each reading of the logits agrees with people on labelled summaries that were not learned from."""
    labels = pair_labels(read_presence_labels(run, *([units] if units else [])))
    logits = predict_logits(learner, learner.tokenizer.pairs(labels.pairs)).astype(np.float64)[labels.pair_of]
    name = PurePath(run).name.partition(".")[0]
    return {
        f"{name}, {reading.__name__}": measure_presence(labels.rows, reading(logits))
        for reading in (p3c, l3c, p2c, l2c)
    }


def write_probabilities(file: Path, rows: Sequence[LabelledUnit], probabilities: FloatArray) -> None:
    """Write the probability of every row, with what says which row it is (doc_id, system, unit, p)."""
    np.savez_compressed(
        file,
        doc_id=np.array([row.doc_id for row in rows]),
        system=np.array([row.system for row in rows]),
        unit=np.array([row.unit for row in rows]),
        p=probabilities,
    )


def _presence_training(
    learner: EntailmentLearner,
    tokens: Sequence[JoinedTokens],
    targets: Mapping[int, float],
    folder: Path,
    recipe: EntailmentRecipe,
) -> PairTraining:
    loss = functools.partial(entailment_loss, two_way=recipe.two_way)
    return PairTraining(learner, tokens, targets, folder, recipe=recipe, task="presence", loss=loss)


def _read_probabilities(file: Path, count: int) -> FloatArray:
    probabilities: FloatArray = np.load(file, allow_pickle=False)
    if len(probabilities) != count:
        raise DataError(f"{file} is of another training: name another folder")
    return probabilities
