"""The small networks of the presence judge, run with numpy: from the features of pairs to probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.models.presence.features import CONTEXT_FEATURES, PAIR_FEATURES, TOKEN_FEATURES, Compared
from gistmeter.weights import files_digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.arrays import FloatArray, SingleArray


@dataclass(frozen=True, slots=True, eq=False)
class Networks:
    """The arrays of some networks of one shape; the first axis of a weight is the network."""

    arrays: Mapping[str, SingleArray]
    digest: str

    def probabilities(self, compared: Compared, context: SingleArray | None) -> FloatArray:
        """For each unit the probability, averaged over the networks; without context, as for a middling one."""
        weights = self.arrays
        tokens = (compared.tokens - weights["token.mean"]) / weights["token.scale"]
        pairs = (compared.pairs - weights["pair.mean"]) / weights["pair.scale"]
        around = np.zeros(len(CONTEXT_FEATURES), np.float32)
        if context is not None:
            around = (context - weights["context.mean"]) / weights["context.scale"]
        known = np.concatenate([pairs, np.broadcast_to(around, (len(pairs), len(around)))], axis=1)
        logits = [self._logits(net, tokens, known, compared) for net in range(len(weights["out.bias"]))]
        return np.asarray(np.mean([1 / (1 + np.exp(-one.astype(np.float64))) for one in logits], axis=0))

    def _logits(self, net: int, tokens: SingleArray, known: SingleArray, compared: Compared) -> SingleArray:
        starts, weights = compared.starts, {name: array[net] for name, array in self.arrays.items() if array.ndim > 1}
        out_bias = self.arrays["out.bias"][net]
        lengths = np.diff(np.append(starts, len(tokens)))
        states = np.maximum(tokens @ weights["first.weight"] + weights["first.bias"], 0)
        states = states + np.maximum(states @ weights["second.weight"] + weights["second.bias"], 0)
        heard = states @ weights["attention.weight"] + weights["attention.bias"]
        heard = np.exp(heard + attention_prior(compared.rarity)[:, None])
        heard = heard / np.repeat(np.add.reduceat(heard, starts), lengths, axis=0)
        views = [np.add.reduceat(states * heard[:, [head]], starts) for head in range(heard.shape[1])]
        views.append(np.maximum.reduceat(states, starts))
        joined = np.concatenate([*views, known], axis=1)
        hidden = np.maximum(joined @ weights["joint.weight"] + weights["joint.bias"], 0)
        return np.concatenate([hidden, known], axis=1) @ weights["out.weight"] + out_bias  # type: ignore[no-any-return]


def attention_prior(rarity: FloatArray) -> SingleArray:
    """What a token is heard for its rarity, before the network says more; a logarithm."""
    return np.log(rarity / 10 + 0.02).astype(np.float32)


def read_networks(path: str | Path) -> Networks:
    """Networks from their file."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise MetricError(f"there is no presence judge {path}: `gistmeter train presence` writes one")
    safetensors = require("safetensors", "a presence judge")
    try:
        with safetensors.safe_open(file, framework="np") as stored:
            arrays = {name: stored.get_tensor(name).astype(np.float32) for name in stored.keys()}  # noqa: SIM118
    except safetensors.SafetensorError:
        raise MetricError(f"{path} is not a safetensors file") from None
    shapes = {"token.mean": TOKEN_FEATURES, "pair.mean": PAIR_FEATURES, "context.mean": CONTEXT_FEATURES}
    if any(name not in arrays or arrays[name].shape != (len(known),) for name, known in shapes.items()):
        raise MetricError(f"{path} is not a presence judge that this version of gistmeter wrote")
    return Networks(arrays, files_digest([file]))
