"""Fitting the coreference network: each mention chooses among earlier ones and none (a softmax over the choices)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.linguistics.coreference.resolver import Linker, make_linker
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.loop.small_networks import OneCycle, count_steps, to_half_precision
from gistmeter.training.progress import SILENCE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.coreference.recipe import CoreferenceRecipe
    from gistmeter.training.progress import Progress


@dataclass(frozen=True, slots=True)
class MentionLesson:
    """The features of the choices of a mention, and which of them are right."""

    features: Sequence[Sequence[str]]
    right: Sequence[bool]


def fit_linker(lessons: Sequence[MentionLesson], recipe: CoreferenceRecipe, progress: Progress = SILENCE) -> Linker:
    """The network with the weights that make the right choices likely. Which of several right ones does not matter."""
    counts = Counter(name for lesson in lessons for features in lesson.features for name in features)
    names = sorted(name for name, count in counts.items() if count >= recipe.rarest)
    rows = {name: row for row, name in enumerate(names)}
    torch = import_torch()
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    choices = [
        [[rows[name] for name in features if name in rows] for features in lesson.features] for lesson in lessons
    ]
    table = torch.nn.Parameter(torch.randn(len(names), recipe.hidden + 1) * 0.02)
    bias = torch.nn.Parameter(torch.zeros(recipe.hidden))
    out = torch.nn.Parameter(torch.randn(recipe.hidden) / recipe.hidden**0.5)
    weights = {"table": table, "bias": bias, "out": out}
    steps = count_steps(len(choices), epochs=recipe.epochs, batch=recipe.batch)
    optimizer = OneCycle(weights.values(), rate=recipe.rate, decay=recipe.decay, steps=steps)
    done = 0
    for _ in range(recipe.epochs):
        order = rng.permutation(len(choices))
        for start in range(0, len(order), recipe.batch):
            batch = order[start : start + recipe.batch]
            lists = [features for number in batch for features in choices[number]]
            offsets = np.concatenate([[0], np.cumsum([len(features) for features in lists])[:-1]])
            flat = torch.from_numpy(np.concatenate([np.array(features, np.int64) for features in lists]))
            keep = (torch.rand(len(flat)) >= recipe.forget).float() / (1 - recipe.forget)
            sums = torch.nn.functional.embedding_bag(
                flat, table, torch.from_numpy(offsets), mode="sum", per_sample_weights=keep
            )
            scores = torch.relu(sums[:, :-1] + bias) @ out + sums[:, -1]
            owner = torch.from_numpy(np.repeat(np.arange(len(batch)), [len(choices[number]) for number in batch]))
            right = torch.tensor([answer for number in batch for answer in lessons[number].right])
            every = _log_sum_exp(torch, scores, owner, len(batch))
            optimizer.step((every - _log_sum_exp(torch, scores[right], owner[right], len(batch))).mean())
            done += 1
            progress.advance("training", done, steps)
    return make_linker(names, to_half_precision(weights), "new")


def _log_sum_exp(torch: Any, scores: Any, owner: Any, count: int) -> Any:
    """The logarithm of the sum of the exponents of each owner's scores."""
    top = scores.detach().max()
    sums = torch.zeros(count).index_add(0, owner, torch.exp(scores - top))
    return torch.log(sums + 1e-12) + top
