"""Train an entailment model: first on pairs of many sets, then on labels of which content units summaries carry.

The first stage learns three classes (`pretrained`), the second one, p2c, from people's labels (`finetuned`). Both
write the weights that `gistmeter.models.entailment.model` loads.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.training.entailment.learners import learner_for
from gistmeter.training.entailment.nli_pairs import with_neighbours
from gistmeter.training.loop.recipe import NOT_ENTAILMENT
from gistmeter.training.loop.resumable import Training, predicted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.models.runtime.states import StateArray
    from gistmeter.training.entailment.learners import AnyLearner
    from gistmeter.training.entailment.nli_pairs import NliPair, NliPairs
    from gistmeter.training.loop.recipe import Fitted, Progress, Recipe

_CHECKED = 300
"""Held-out pairs to look at while training; all of them are asked at its end."""


_TESTED = 2000
"""Pairs to ask at the end of each set that is only tested on, drawn with the seed."""


@dataclass(frozen=True, slots=True)
class Pretrained:
    """A finished first stage: what it learned from, and how often it is right on pairs that it never saw."""

    fitted: Fitted
    learner: AnyLearner
    data: NliPairs
    too_long: int
    accuracies: Mapping[str, tuple[int, float]]
    """By set: the number of pairs, and the share that is right."""


def pretrained(
    data: NliPairs,
    folder: Path,
    *,
    recipe: Recipe,
    model: str = "embedded",
    start: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Pretrained:
    """Learn three classes from pairs, or go on where an interrupted training in this folder stopped."""
    learner = learner_for(model, recipe, start=start)
    pairs = with_neighbours(data.train, recipe.joined, seed=recipe.seed)
    tokens = learner.tokenizer.pairs([(pair.premise, pair.hypothesis) for pair in pairs])
    fit = [i for i, one in enumerate(tokens) if len(one.ids) <= recipe.longest]
    some = np.random.default_rng(recipe.seed).permutation(len(data.held_out))[:_CHECKED]
    watched = [data.held_out[i] for i in some]

    def check() -> Mapping[str, float]:
        found = accuracies(watched, _logits(learner, watched))
        return {source: share for source, (_, share) in found.items() if source in ("all", "mnli", "mnli_ni")}

    training = Training(
        learner,
        tokens,
        {i: pairs[i].label for i in fit},
        folder,
        recipe=recipe,
        learned="entailment",
        check=check if watched else None,
    )
    fitted = training.go(progress)
    named = accuracies(data.held_out, _logits(learner, data.held_out))
    asked = _some_of_each(data.tests, _TESTED, recipe.seed)
    tests = accuracies(asked, _logits(learner, asked))
    tests.pop("all", None)
    return Pretrained(fitted, learner, data, len(pairs) - len(fit), named | tests)


def accuracies(pairs: Sequence[NliPair], logits: StateArray) -> dict[str, tuple[int, float]]:
    """How many pairs there are of each set and how often the best class is right; with two classes, not entailment.

    >>> from gistmeter.training.entailment.nli_pairs import NliPair
    >>> pairs = [NliPair("a", "b", 0, "mnli"), NliPair("a", "c", 3, "rte")]
    >>> accuracies(pairs, np.array([[1, 0, 0], [0, 0, 1]]))
    {'all': (2, 1.0), 'mnli': (1, 1.0), 'rte': (1, 1.0)}
    """
    if not pairs:
        return {}
    labels = np.array([pair.label for pair in pairs])
    best = np.asarray(logits).argmax(1)
    right = np.where(labels == NOT_ENTAILMENT, best != 0, best == labels)
    sources = np.array([pair.source for pair in pairs])
    shares = {"all": (len(pairs), float(right.mean()))}
    for source in sorted(set(sources)):
        mine = sources == source
        shares[str(source)] = (int(mine.sum()), float(right[mine].mean()))
    return shares


def _some_of_each(pairs: Sequence[NliPair], most: int, seed: int) -> list[NliPair]:
    """At most so many pairs of each set."""
    order = np.random.default_rng((seed, 7)).permutation(len(pairs))
    taken: Counter[str] = Counter()
    found = []
    for i in order.tolist():
        taken[pairs[i].source] += 1
        if taken[pairs[i].source] <= most:
            found.append(pairs[i])
    return found


def _logits(learner: AnyLearner, pairs: Sequence[NliPair]) -> StateArray:
    return predicted(learner, learner.tokenizer.pairs([(pair.premise, pair.hypothesis) for pair in pairs]))
