"""The first stage: an entailment model that learns three classes from pairs of many sets."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.training.entailment.learners import load_learner
from gistmeter.training.entailment.loss import NOT_ENTAILMENT, entailment_loss
from gistmeter.training.entailment.nli_pairs import add_neighbours
from gistmeter.training.entailment.result import SetAccuracy
from gistmeter.training.loop.pair_run import PairTraining, predict_logits, select_short

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.models.runtime.states import StateArray
    from gistmeter.training.entailment.learners import EntailmentLearner
    from gistmeter.training.entailment.nli_pairs import NliPair, NliPairs
    from gistmeter.training.entailment.recipe import EntailmentRecipe
    from gistmeter.training.loop.check import Check, TrainingRun

CHECKED_PAIRS = 300
"""Held-out pairs to look at while training; all of them are tested at its end."""

TESTED_PAIRS = 2000
"""Pairs to test at the end of each set that is only tested on, drawn with the seed."""

_CHECKED_SETS = ("all", "mnli", "mnli_ni")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pretraining:
    """A finished first stage and the network that learned."""

    run: TrainingRun
    learner: EntailmentLearner
    too_long: int
    """Pairs left out for their length."""

    accuracies: Mapping[str, SetAccuracy]
    """By set."""


def pretrain(
    pairs: NliPairs,
    folder: Path,
    *,
    recipe: EntailmentRecipe,
    model: str = "embedded",
    start: Path | None = None,
    report: Callable[[Check], None] | None = None,
) -> Pretraining:
    """Learn three classes from pairs, or go on where an interrupted training in this folder stopped."""
    learner = load_learner(model, recipe, start=start)
    learned = add_neighbours(pairs.train, recipe.joined, seed=recipe.seed)
    tokens = learner.tokenizer.pairs([(pair.premise, pair.hypothesis) for pair in learned])
    labels = select_short({number: pair.label for number, pair in enumerate(learned)}, tokens, recipe.longest)
    drawn = np.random.default_rng(recipe.seed).permutation(len(pairs.held_out))[:CHECKED_PAIRS]
    checked = [pairs.held_out[number] for number in drawn]

    def check() -> Mapping[str, float]:
        accuracies = measure_accuracies(checked, _predict(learner, checked))
        return {source: accuracies[source].share for source in _CHECKED_SETS if source in accuracies}

    run = PairTraining(
        learner,
        tokens,
        labels,
        folder,
        recipe=recipe,
        task="entailment",
        loss=functools.partial(entailment_loss, two_way=recipe.two_way),
        check=check if checked else None,
    ).run(report)
    held_out = measure_accuracies(pairs.held_out, _predict(learner, pairs.held_out))
    tested = _limit_sets(pairs.tests, TESTED_PAIRS, recipe.seed)
    tests = measure_accuracies(tested, _predict(learner, tested))
    tests.pop("all", None)
    return Pretraining(run=run, learner=learner, too_long=len(learned) - len(labels), accuracies=held_out | tests)


def measure_accuracies(pairs: Sequence[NliPair], logits: StateArray) -> dict[str, SetAccuracy]:
    """How many pairs there are of each set and how often the best class is right; with two classes, not entailment.

    >>> from gistmeter.training.entailment.nli_pairs import NliPair
    >>> pairs = [NliPair("a", "b", 0, "mnli"), NliPair("a", "c", 3, "rte")]
    >>> measure_accuracies(pairs, np.array([[1, 0, 0], [0, 0, 1]]))["rte"]
    SetAccuracy(pairs=1, share=1.0)
    """
    if not pairs:
        return {}
    labels = np.array([pair.label for pair in pairs])
    best = np.asarray(logits).argmax(1)
    right = np.where(labels == NOT_ENTAILMENT, best != 0, best == labels)
    sources = np.array([pair.source for pair in pairs])
    accuracies = {"all": SetAccuracy(len(pairs), float(right.mean()))}
    for source in sorted(set(sources)):
        of_source = sources == source
        accuracies[str(source)] = SetAccuracy(int(of_source.sum()), float(right[of_source].mean()))
    return accuracies


def _limit_sets(pairs: Sequence[NliPair], limit: int, seed: int) -> list[NliPair]:
    """At most so many pairs of each set."""
    counts: Counter[str] = Counter()
    chosen = []
    for number in np.random.default_rng((seed, 7)).permutation(len(pairs)).tolist():
        counts[pairs[number].source] += 1
        if counts[pairs[number].source] <= limit:
            chosen.append(pairs[number])
    return chosen


def _predict(learner: EntailmentLearner, pairs: Sequence[NliPair]) -> StateArray:
    return predict_logits(learner, learner.tokenizer.pairs([(pair.premise, pair.hypothesis) for pair in pairs]))
