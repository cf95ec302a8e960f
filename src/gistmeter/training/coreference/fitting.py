"""Fitting the coreference network: each mention chooses among earlier ones and none (a softmax over the choices)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.linguistics.coreference.resolver import Linker, make_linker
from gistmeter.models.runtime.load import import_torch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the network is trained. The defaults made the shipped one."""

    hidden: int = 32
    epochs: int = 6
    rate: float = 4e-3
    decay: float = 1e-2
    forget: float = 0.2
    """The share of features that is left out at random in every step."""

    rarest: int = 4
    """A feature that fewer choices have is not used."""

    batch: int = 128
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """The features of the choices of a mention, and which of them are right."""

    features: Sequence[Sequence[str]]
    right: Sequence[bool]


def fit(questions: Sequence[Question], recipe: Recipe, progress: Progress | None = None) -> Linker:
    """The network with the weights that make the right choices likely. Which of several right ones does not matter."""
    counts = Counter(name for one in questions for found in one.features for name in found)
    names = sorted(name for name, count in counts.items() if count >= recipe.rarest)
    rows = {name: row for row, name in enumerate(names)}
    torch = import_torch()
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    known = [[[rows[name] for name in found if name in rows] for found in one.features] for one in questions]
    table = torch.nn.Parameter(torch.randn(len(names), recipe.hidden + 1) * 0.02)
    bias = torch.nn.Parameter(torch.zeros(recipe.hidden))
    out = torch.nn.Parameter(torch.randn(recipe.hidden) / recipe.hidden**0.5)
    weights = [table, bias, out]
    steps = recipe.epochs * -(-len(known) // recipe.batch)
    optimizer = torch.optim.AdamW(weights, lr=recipe.rate, weight_decay=recipe.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.rate, total_steps=steps, pct_start=0.1)
    done = 0
    for _ in range(recipe.epochs):
        order = rng.permutation(len(known))
        for start in range(0, len(order), recipe.batch):
            some = order[start : start + recipe.batch]
            lists = [found for number in some for found in known[number]]
            offsets = np.concatenate([[0], np.cumsum([len(found) for found in lists])[:-1]])
            flat = torch.from_numpy(np.concatenate([np.array(found, np.int64) for found in lists]))
            kept = (torch.rand(len(flat)) >= recipe.forget).float() / (1 - recipe.forget)
            sums = torch.nn.functional.embedding_bag(
                flat, table, torch.from_numpy(offsets), mode="sum", per_sample_weights=kept
            )
            scores = torch.relu(sums[:, :-1] + bias) @ out + sums[:, -1]
            group = torch.from_numpy(np.repeat(np.arange(len(some)), [len(known[number]) for number in some]))
            right = torch.tensor([answer for number in some for answer in questions[number].right])
            loss = (
                _total(torch, scores, group, len(some)) - _total(torch, scores[right], group[right], len(some))
            ).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            done += 1
            if progress is not None:
                progress(done, steps)
    arrays = {"table": table, "bias": bias, "out": out}
    halves = {name: weight.detach().numpy().astype(np.float16) for name, weight in arrays.items()}
    return make_linker(names, {name: half.astype(np.float32) for name, half in halves.items()}, "new")


def _total(torch: Any, scores: Any, group: Any, count: int) -> Any:
    """The logarithm of the sum of the exponents in each group."""
    top = scores.detach().max()
    sums = torch.zeros(count).index_add(0, group, torch.exp(scores - top))
    return torch.log(sums + 1e-12) + top
