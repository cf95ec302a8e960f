"""The networks of the presence judge: how they learn from the features of units and summaries, and by folds.

One step learns from one document: all its units in all its summaries. The loss is the cross-entropy of the labels,
and a little of how badly the mean probabilities of the summaries correlate with what people found in them, since
that correlation is what a judge is for.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.models.presence.features import CONTEXT_FEATURES, PAIR_FEATURES, TOKEN_FEATURES
from gistmeter.models.presence.networks import Networks, attention_prior, read_networks
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.presence.groups import FOLDS, Folds, Group

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.io.folds import By

    Progress = Callable[[str, int, int], None]

_HEADS = 2
_OF_NOTHING = 1e-3
"""Added to the spread of a feature, so that one that never changes does not become infinite."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the networks are trained. The defaults made the shipped ones."""

    networks: int = 3
    hidden: int = 32
    epochs: int = 5
    rate: float = 3e-3
    decay: float = 0.05
    dropout: float = 0.2
    correlation: float = 1.0
    """How much of the loss is the correlation with people's scores."""

    alone: float = 0.3
    """The share of steps without the reference's features, so that the judge can do without a reference."""

    seed: int = 0


def fit(groups: Sequence[Group], recipe: Recipe, progress: Progress | None = None) -> Networks:
    """Networks that learned from these documents."""
    norms = _norms(groups)
    batches = [_batch(group, norms) for group in groups]
    nets = []
    for number in range(recipe.networks):
        nets.append(_network(batches, recipe, recipe.seed + number))
        if progress is not None:
            progress("training", number + 1, recipe.networks)
    stacked = {name: np.stack([net[name] for net in nets]) for name in nets[0]}
    return Networks({**norms, **stacked}, "new")


def judged(networks: Networks, group: Group, *, context: bool = True) -> FloatArray:
    """The probabilities of a document's pairs, summaries x units; with or without its reference in sight."""
    around = group.context if context else [None] * len(group.systems)
    return np.stack([networks.probabilities(one, seen) for one, seen in zip(group.compared, around, strict=True)])


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """The judgments of documents, or of systems, by networks that did not learn from them."""

    groups: tuple[Group, ...]
    with_reference: tuple[FloatArray, ...]
    alone: tuple[FloatArray, ...]
    fold: tuple[int, ...]


def crossed(
    groups: Sequence[Group], folds: Folds, by: By, recipe: Recipe, progress: Progress | None = None
) -> tuple[Held, tuple[Networks, ...]]:
    """Each fold that has something judged by networks trained on the others; and those networks."""
    tested: list[Group] = []
    numbers: list[int] = []
    nets: list[Networks] = []
    said: dict[bool, list[FloatArray]] = {True: [], False: []}
    for fold in range(FOLDS):
        held, learned = folds.held_out(by, fold, groups), folds.learned(by, fold, groups)
        if not held:
            continue
        if not learned:
            what = "documents" if by == "examples" else "systems"
            raise DataError(
                f"all {what} are in fold {fold + 1}, so none are left to learn from: give folds that part them"
            )
        nets.append(fit(learned, recipe))
        for context, into in said.items():
            into += [judged(nets[-1], group, context=context) for group in held]
        tested += held
        numbers += [fold] * len(held)
        if progress is not None:
            progress(f"folds by {by}", fold + 1, FOLDS)
    return Held(tuple(tested), tuple(said[True]), tuple(said[False]), tuple(numbers)), tuple(nets)


def written(networks: Networks, out: str | Path) -> Networks:
    """Networks written in half precision to a .safetensors file, as they are read back from it."""
    file = target(out)
    store = require("safetensors.numpy", "writing a presence judge")
    halves = {name: np.ascontiguousarray(array.astype(np.float16)) for name, array in networks.arrays.items()}
    store.save_file(halves, file, metadata={"made": "gistmeter train presence"})
    return read_networks(file)


def target(out: str | Path) -> Path:
    """The file to write, checked before hours of training."""
    file = Path(out).expanduser()
    if file.suffix != ".safetensors":
        raise DataError(f"a presence judge is written to a .safetensors file, not to {file.name}")
    if not file.parent.is_dir():
        raise DataError(f"cannot write {out}: there is no folder {file.parent}")
    return file


def _norms(groups: Sequence[Group]) -> dict[str, SingleArray]:
    every = {
        "token": np.concatenate([one.tokens for group in groups for one in group.compared]),
        "pair": np.concatenate([one.pairs for group in groups for one in group.compared]),
        "context": np.concatenate([group.context for group in groups]),
    }
    found: dict[str, SingleArray] = {}
    for name, rows in every.items():
        found[f"{name}.mean"] = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
        found[f"{name}.scale"] = (rows.std(axis=0, dtype=np.float64) + _OF_NOTHING).astype(np.float32)
    return found


def _batch(group: Group, norms: Mapping[str, SingleArray]) -> dict[str, Any]:
    """A document as tensors: tokens padded to the longest unit."""
    torch = import_torch()
    first = group.compared[0]
    lengths = np.diff(np.append(first.starts, len(first.rarity)))
    place = np.minimum(first.starts[:, None] + np.arange(lengths.max()), len(first.rarity) - 1)
    there = np.arange(lengths.max()) < lengths[:, None]
    tokens = (np.stack([one.tokens for one in group.compared]) - norms["token.mean"]) / norms["token.scale"]
    pairs = (np.stack([one.pairs for one in group.compared]) - norms["pair.mean"]) / norms["pair.scale"]
    context = (group.context - norms["context.mean"]) / norms["context.scale"]
    return {
        "tokens": torch.from_numpy(tokens[:, place]),
        "there": torch.from_numpy(there),
        "prior": torch.from_numpy(attention_prior(first.rarity)[place]),
        "pairs": torch.from_numpy(pairs),
        "context": torch.from_numpy(context)[:, None].expand(-1, len(group.units), -1),
        "labels": torch.from_numpy(group.labels),
        "recall": torch.from_numpy(group.recall.astype(np.float32)),
    }


def _network(batches: Sequence[Mapping[str, Any]], recipe: Recipe, seed: int) -> dict[str, SingleArray]:
    torch = import_torch()
    torch.manual_seed(seed)
    order = np.random.default_rng(seed)
    weights = _start(recipe.hidden)
    optimizer = torch.optim.AdamW(weights.values(), lr=recipe.rate, weight_decay=recipe.decay)
    steps = recipe.epochs * len(batches)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.rate, total_steps=steps + 1, pct_start=0.1)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    for _ in range(recipe.epochs):
        for number in order.permutation(len(batches)).tolist():
            batch = batches[number]
            logits = _forward(weights, batch, recipe.dropout, alone=bool(order.random() < recipe.alone))
            loss = loss_of(logits, batch["labels"])
            loss = loss + recipe.correlation * _disagreement(torch.sigmoid(logits).mean(1), batch["recall"])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(list(weights.values()), 1.0)
            optimizer.step()
            schedule.step()
    return {name: weight.detach().numpy() for name, weight in weights.items()}


def _start(hidden: int) -> dict[str, Any]:
    torch = import_torch()
    known = len(PAIR_FEATURES) + len(CONTEXT_FEATURES)
    shapes = {
        "first": (len(TOKEN_FEATURES), hidden),
        "second": (hidden, hidden),
        "attention": (hidden, _HEADS),
        "joint": ((_HEADS + 1) * hidden + known, hidden),
        "out": (hidden + known, 1),
    }
    made = {}
    for name, (rows, columns) in shapes.items():
        made[f"{name}.weight"] = (torch.rand(rows, columns) * 2 - 1) / rows**0.5
        made[f"{name}.bias"] = torch.zeros(columns)
    made["out.weight"], made["out.bias"] = made["out.weight"][:, 0], made["out.bias"][0]
    return {name: torch.nn.Parameter(tensor.clone()) for name, tensor in made.items()}


def _forward(weights: Mapping[str, Any], batch: Mapping[str, Any], dropout: float, *, alone: bool) -> Any:
    """`Networks` as torch runs it, for all summaries x units of a document."""
    torch = import_torch()
    drop, relu = torch.nn.functional.dropout, torch.relu
    outside = ~batch["there"][None, :, :, None]
    states = relu(drop(batch["tokens"], dropout) @ weights["first.weight"] + weights["first.bias"])
    states = states + relu(drop(states, dropout) @ weights["second.weight"] + weights["second.bias"])
    heard = states @ weights["attention.weight"] + weights["attention.bias"] + batch["prior"][None, :, :, None]
    heard = torch.softmax(heard.masked_fill(outside, -1e4), dim=2)
    views = [(states * heard[..., [head]]).sum(2) for head in range(_HEADS)]
    views.append(states.masked_fill(outside, 0.0).amax(2))  # states are never below 0
    context = torch.zeros_like(batch["context"]) if alone else batch["context"]
    known = torch.cat([batch["pairs"], context], -1)
    joined = drop(torch.cat([*views, known], -1), dropout)
    hidden = relu(joined @ weights["joint.weight"] + weights["joint.bias"])
    return torch.cat([hidden, known], -1) @ weights["out.weight"] + weights["out.bias"]


def _disagreement(said: Any, recall: Any) -> Any:
    """One minus the correlation; 0 where people found as much in every summary."""
    said, recall = said - said.mean(), recall - recall.mean()
    spread = (said.square().sum() * recall.square().sum()).sqrt()
    return 1 - (said * recall).sum() / spread if float(spread.detach()) > 1e-6 else said.sum() * 0
