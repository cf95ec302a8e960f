"""The networks of the presence judge: how they learn from the features of units and summaries, and by folds.

One step learns from one document: all its units in all its summaries. The loss is the cross-entropy of the labels,
and a little of how badly the mean probabilities of the summaries correlate with what people found in them, since
that correlation is what a judge is for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.atomic import write_bytes
from gistmeter.models.presence.features import CONTEXT_FEATURES, PAIR_FEATURES, TOKEN_FEATURES
from gistmeter.models.presence.networks import Networks, attention_prior, read_networks
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.loop.small_networks import OneCycle
from gistmeter.training.presence.groups import FOLDS
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import output_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.io.folds import FoldUnit
    from gistmeter.training.presence.groups import LabelledGroup, PresenceFolds
    from gistmeter.training.presence.recipe import PresenceRecipe
    from gistmeter.training.progress import Progress

_HEADS = 2
MIN_SPREAD = 1e-3
"""Added to the spread of a feature, so that one that never changes does not become infinite."""


def fit_networks(groups: Sequence[LabelledGroup], recipe: PresenceRecipe, progress: Progress = SILENCE) -> Networks:
    """Networks that learned from these documents."""
    norms = _norms(groups)
    batches = [_batch(group, norms) for group in groups]
    fitted = []
    for number in range(recipe.networks):
        fitted.append(_fit_network(batches, recipe, recipe.seed + number))
        progress.advance("training", number + 1, recipe.networks)
    stacked = {name: np.stack([weights[name] for weights in fitted]) for name in fitted[0]}
    return Networks({**norms, **stacked}, "new")


def judge_group(networks: Networks, group: LabelledGroup, *, context: bool = True) -> FloatArray:
    """The probabilities of a document's pairs, summaries x units; with or without its reference in sight."""
    contexts = group.context if context else [None] * len(group.systems)
    return np.stack(
        [
            networks.probabilities(features, context_features)
            for features, context_features in zip(group.compared, contexts, strict=True)
        ]
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HeldOutJudgments:
    """The judgments of documents, or of systems, by networks that did not learn from them."""

    groups: tuple[LabelledGroup, ...]
    with_reference: tuple[FloatArray, ...]
    alone: tuple[FloatArray, ...]
    folds: tuple[int, ...]


class CrossValidation(NamedTuple):
    """Held-out judgments and the networks that gave them, one for each fold that holds something out."""

    judgments: HeldOutJudgments
    networks: tuple[Networks, ...]


def cross_validate(
    groups: Sequence[LabelledGroup],
    folds: PresenceFolds,
    by: FoldUnit,
    recipe: PresenceRecipe,
    progress: Progress = SILENCE,
) -> CrossValidation:
    """Each fold that has something judged by networks trained on the others; and those networks."""
    tested: list[LabelledGroup] = []
    numbers: list[int] = []
    networks: list[Networks] = []
    judgments: dict[bool, list[FloatArray]] = {True: [], False: []}
    for fold in range(FOLDS):
        held_out, remaining = folds.select_held_out(by, fold, groups), folds.select_remaining(by, fold, groups)
        if not held_out:
            continue
        if not remaining:
            raise DataError(
                f"all {by} are in fold {fold + 1}, so none are left to learn from: give folds that part them"
            )
        networks.append(fit_networks(remaining, recipe))
        for context, of_context in judgments.items():
            of_context += [judge_group(networks[-1], group, context=context) for group in held_out]
        tested += held_out
        numbers += [fold] * len(held_out)
        progress.advance(f"folds by {by}", fold + 1, FOLDS)
    return CrossValidation(
        HeldOutJudgments(
            groups=tuple(tested),
            with_reference=tuple(judgments[True]),
            alone=tuple(judgments[False]),
            folds=tuple(numbers),
        ),
        tuple(networks),
    )


def write_networks(networks: Networks, out: str | Path) -> Networks:
    """Write networks in half precision to a .safetensors file, and give them as they are read back from it."""
    file = output_file(out, (".safetensors",), role="a presence judge")
    store = require("safetensors.numpy", "writing a presence judge")
    halves = {name: np.ascontiguousarray(array.astype(np.float16)) for name, array in networks.arrays.items()}
    write_bytes(file, store.save(halves, metadata={"made": "gistmeter train presence"}))
    return read_networks(file)


def _norms(groups: Sequence[LabelledGroup]) -> dict[str, SingleArray]:
    every = {
        "token": np.concatenate([features.tokens for group in groups for features in group.compared]),
        "pair": np.concatenate([features.pairs for group in groups for features in group.compared]),
        "context": np.concatenate([group.context for group in groups]),
    }
    norms: dict[str, SingleArray] = {}
    for name, rows in every.items():
        norms[f"{name}.mean"] = rows.mean(axis=0, dtype=np.float64).astype(np.float32)
        norms[f"{name}.scale"] = (rows.std(axis=0, dtype=np.float64) + MIN_SPREAD).astype(np.float32)
    return norms


def _batch(group: LabelledGroup, norms: Mapping[str, SingleArray]) -> dict[str, Any]:
    """A document as tensors: tokens pad_sequences to the longest unit."""
    torch = import_torch()
    first = group.compared[0]
    lengths = np.diff(np.append(first.starts, len(first.rarity)))
    token = np.minimum(first.starts[:, None] + np.arange(lengths.max()), len(first.rarity) - 1)
    inside = np.arange(lengths.max()) < lengths[:, None]
    tokens = (np.stack([features.tokens for features in group.compared]) - norms["token.mean"]) / norms["token.scale"]
    pairs = (np.stack([features.pairs for features in group.compared]) - norms["pair.mean"]) / norms["pair.scale"]
    context = (group.context - norms["context.mean"]) / norms["context.scale"]
    return {
        "tokens": torch.from_numpy(tokens[:, token]),
        "inside": torch.from_numpy(inside),
        "prior": torch.from_numpy(attention_prior(first.rarity)[token]),
        "pairs": torch.from_numpy(pairs),
        "context": torch.from_numpy(context)[:, None].expand(-1, len(group.units), -1),
        "labels": torch.from_numpy(group.labels),
        "recall": torch.from_numpy(group.recall.astype(np.float32)),
    }


def _fit_network(batches: Sequence[Mapping[str, Any]], recipe: PresenceRecipe, seed: int) -> dict[str, SingleArray]:
    torch = import_torch()
    torch.manual_seed(seed)
    order = np.random.default_rng(seed)
    weights = _initial_weights(recipe.hidden)
    steps = recipe.epochs * len(batches)
    optimizer = OneCycle(weights.values(), rate=recipe.rate, decay=recipe.decay, steps=steps + 1)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    for _ in range(recipe.epochs):
        for number in order.permutation(len(batches)).tolist():
            batch = batches[number]
            logits = _forward(weights, batch, recipe.dropout, alone=bool(order.random() < recipe.alone))
            loss = loss_of(logits, batch["labels"])
            loss = loss + recipe.correlation * _disagreement(torch.sigmoid(logits).mean(1), batch["recall"])
            optimizer.step(loss, clip=1.0)
    return {name: weight.detach().numpy() for name, weight in weights.items()}


def _initial_weights(hidden: int) -> dict[str, Any]:
    torch = import_torch()
    direct = len(PAIR_FEATURES) + len(CONTEXT_FEATURES)
    shapes = {
        "first": (len(TOKEN_FEATURES), hidden),
        "second": (hidden, hidden),
        "attention": (hidden, _HEADS),
        "joint": ((_HEADS + 1) * hidden + direct, hidden),
        "out": (hidden + direct, 1),
    }
    weights = {}
    for name, (rows, columns) in shapes.items():
        weights[f"{name}.weight"] = (torch.rand(rows, columns) * 2 - 1) / rows**0.5
        weights[f"{name}.bias"] = torch.zeros(columns)
    weights["out.weight"], weights["out.bias"] = weights["out.weight"][:, 0], weights["out.bias"][0]
    return {name: torch.nn.Parameter(tensor.clone()) for name, tensor in weights.items()}


def _forward(weights: Mapping[str, Any], batch: Mapping[str, Any], dropout: float, *, alone: bool) -> Any:
    """`Networks` as torch runs it, for all summaries x units of a document."""
    torch = import_torch()
    drop, relu = torch.nn.functional.dropout, torch.relu
    outside = ~batch["inside"][None, :, :, None]
    states = relu(drop(batch["tokens"], dropout) @ weights["first.weight"] + weights["first.bias"])
    states = states + relu(drop(states, dropout) @ weights["second.weight"] + weights["second.bias"])
    attention = states @ weights["attention.weight"] + weights["attention.bias"] + batch["prior"][None, :, :, None]
    attention = torch.softmax(attention.masked_fill(outside, -1e4), dim=2)
    views = [(states * attention[..., [head]]).sum(2) for head in range(_HEADS)]
    views.append(states.masked_fill(outside, 0.0).amax(2))  # states are never below 0
    context = torch.zeros_like(batch["context"]) if alone else batch["context"]
    direct = torch.cat([batch["pairs"], context], -1)
    joined = drop(torch.cat([*views, direct], -1), dropout)
    hidden = relu(joined @ weights["joint.weight"] + weights["joint.bias"])
    return torch.cat([hidden, direct], -1) @ weights["out.weight"] + weights["out.bias"]


def _disagreement(scores: Any, recall: Any) -> Any:
    """One minus the correlation; 0 where people found as much in every summary."""
    scores, recall = scores - scores.mean(), recall - recall.mean()
    spread = (scores.square().sum() * recall.square().sum()).sqrt()
    return 1 - (scores * recall).sum() / spread if float(spread.detach()) > 1e-6 else scores.sum() * 0
