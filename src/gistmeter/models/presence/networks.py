"""The small networks of the presence judge, run with numpy: from the features of pairs to probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.presence.features import CONTEXT_FEATURES, PAIR_FEATURES, TOKEN_FEATURES, UnitFeatures
from gistmeter.weights import digest_files, read_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.arrays import FloatArray, SingleArray


@dataclass(frozen=True, slots=True, eq=False)
class Networks:
    """The arrays of several networks of one shape; the first axis of a weight is the network."""

    arrays: Mapping[str, SingleArray]
    digest: str

    def probabilities(self, compared: UnitFeatures, context: SingleArray | None) -> FloatArray:
        """For each unit the probability, averaged over the networks; without context, as for an average one."""
        weights = self.arrays
        tokens = (compared.tokens - weights["token.mean"]) / weights["token.scale"]
        pairs = (compared.pairs - weights["pair.mean"]) / weights["pair.scale"]
        context_features = np.zeros(len(CONTEXT_FEATURES), np.float32)
        if context is not None:
            context_features = (context - weights["context.mean"]) / weights["context.scale"]
        same_context = np.broadcast_to(context_features, (len(pairs), len(context_features)))
        pair_features = np.concatenate([pairs, same_context], axis=1)
        logits = [self._logits(net, tokens, pair_features, compared) for net in range(len(weights["out.bias"]))]
        return np.asarray(np.mean([1 / (1 + np.exp(-net_logits.astype(np.float64))) for net_logits in logits], axis=0))

    def _logits(self, net: int, tokens: SingleArray, pair_features: SingleArray, compared: UnitFeatures) -> SingleArray:
        starts, weights = compared.starts, {name: array[net] for name, array in self.arrays.items() if array.ndim > 1}
        out_bias = self.arrays["out.bias"][net]
        lengths = np.diff(np.append(starts, len(tokens)))
        states = np.maximum(tokens @ weights["first.weight"] + weights["first.bias"], 0)
        states = states + np.maximum(states @ weights["second.weight"] + weights["second.bias"], 0)
        attention = states @ weights["attention.weight"] + weights["attention.bias"]
        attention = np.exp(attention + attention_prior(compared.rarity)[:, None])
        attention = attention / np.repeat(np.add.reduceat(attention, starts), lengths, axis=0)
        views = [np.add.reduceat(states * attention[:, [head]], starts) for head in range(attention.shape[1])]
        views.append(np.maximum.reduceat(states, starts))
        joined = np.concatenate([*views, pair_features], axis=1)
        hidden = np.maximum(joined @ weights["joint.weight"] + weights["joint.bias"], 0)
        return np.concatenate([hidden, pair_features], axis=1) @ weights["out.weight"] + out_bias  # type: ignore[no-any-return]


def attention_prior(rarity: FloatArray) -> SingleArray:
    """The logarithm of the attention that a token gets for its rarity, before the network adds its own."""
    return np.log(rarity / 10 + 0.02).astype(np.float32)


_ONE_TOKEN = UnitFeatures(
    tokens=np.zeros((1, len(TOKEN_FEATURES)), np.float32),
    pairs=np.zeros((1, len(PAIR_FEATURES)), np.float32),
    starts=np.zeros(1, np.int64),
    rarity=np.ones(1),
)
"""What a file of networks is tried on when it is read: a unit of one token."""


def read_networks(path: str | Path) -> Networks:
    """Networks from their file."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise MetricError(f"there is no presence judge {path}: `gistmeter train presence` writes one")
    stored = read_tensors(file, "a presence judge")
    arrays = {name: array.astype(np.float32) for name, array in stored.arrays.items()}
    networks = Networks(arrays, digest_files([file]))
    shapes = {"token.mean": TOKEN_FEATURES, "pair.mean": PAIR_FEATURES, "context.mean": CONTEXT_FEATURES}
    try:
        fits = all(arrays[name].shape == (len(features),) for name, features in shapes.items())
        fits = fits and networks.probabilities(_ONE_TOKEN, np.zeros(len(CONTEXT_FEATURES), np.float32)).shape == (1,)
    except (KeyError, ValueError, IndexError):
        fits = False
    if not fits:
        raise MetricError(f"{path} is not a presence judge that this version of gistmeter wrote")
    return networks
