"""How the network and the plain features are combined: a weighted sum of its logit and of what the document lacks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.consistency.features import MISSING_CONTENT, PLAIN_FEATURES, UNMATCHED_TOKENS
from gistmeter.models.runtime.stored_json import read_weights_json
from gistmeter.weights import digest_files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from gistmeter.arrays import FloatArray

MAX_LOGIT = 6.0
"""A logit of the network counts at most so much, so that it alone does not decide."""

FAR_FEATURES = frozenset([MISSING_CONTENT, UNMATCHED_TOKENS])
"""What counts of claims in words of their own; all else counts of claims in the words of the document."""

_CLOSE_SHARES = 2
"""A claim one in so many of whose content words the document lacks is not in its words at all."""


@dataclass(frozen=True, slots=True)
class Combination:
    """The weights of the network's logit, of each plain feature by its name, and a constant."""

    network: float = 1.0
    constant: float = 0.0
    features: Mapping[str, float] = field(default_factory=dict)

    def __call__(self, margins: FloatArray, plain: FloatArray) -> FloatArray:
        """The probabilities of claims from the network's logits and their plain features (claims x features).

        >>> Combination(constant=1.0)(np.array([-1.0, 9.0]), np.zeros((2, len(PLAIN_FEATURES)))).round(3).tolist()
        [0.5, 0.999]
        """
        weights = np.array([self.network, *(self.features.get(name, 0.0) for name in PLAIN_FEATURES)])
        return np.asarray(1 / (1 + np.exp(-(count_inputs(margins, plain) @ weights + self.constant))))


def count_inputs(margins: FloatArray, plain: FloatArray) -> FloatArray:
    """The network's logits (bounded) and the plain features of claims as they count: claims x (1 + features).

    Of a claim in the words of the document the network and the conflicts speak. Of a claim in words of its own they say
    little (on XSum the network follows people less than a count of these words): there the words themselves speak, how
    many are missing and how far they are from any of the document. Between the two both count in part.

    >>> plain = np.zeros((3, len(PLAIN_FEATURES)))
    >>> plain[:, PLAIN_FEATURES.index(MISSING_CONTENT)] = 0.0, 0.25, 0.75
    >>> inputs = count_inputs(np.array([9.0, 2.0, 2.0]), plain)
    >>> inputs[:, 0].tolist(), inputs[:, 1 + PLAIN_FEATURES.index(MISSING_CONTENT)].tolist()
    ([6.0, 1.0, 0.0], [0.0, 0.125, 0.75])
    """
    close = measure_closeness(plain)[:, None]
    is_far = np.array([False, *(name in FAR_FEATURES for name in PLAIN_FEATURES)])
    inputs = np.column_stack([np.clip(margins, -MAX_LOGIT, MAX_LOGIT), plain])
    return np.asarray(inputs * np.where(is_far, 1 - close, close))


def measure_closeness(plain: FloatArray) -> FloatArray:
    """How close each claim is to the words of its document, from 0 (the network does not count) to 1 (tokens do not).

    >>> measure_closeness(np.zeros((1, len(PLAIN_FEATURES)))).tolist()
    [1.0]
    """
    return np.asarray(np.clip(1 - _CLOSE_SHARES * plain[:, PLAIN_FEATURES.index(MISSING_CONTENT)], 0, 1))


@dataclass(frozen=True, slots=True)
class StoredCombination:
    """A combination and the digest of its file."""

    weights: Combination
    digest: str


class _StoredCombination(msgspec.Struct, forbid_unknown_fields=True):
    """The numbers of a combination as its file has them."""

    network: float
    constant: float
    features: dict[str, float]


def read_combination(file: Path) -> StoredCombination:
    """A combination from the JSON file that `gistmeter train consistency` wrote beside the weights."""
    if not file.is_file():
        raise MetricError(f"there is no combination {file.name} beside the weights of the judge of consistency")
    content = "a combination of a judge of consistency, which must be JSON with network, constant and features"
    stored = read_weights_json(file, content, _StoredCombination)
    if unknown := sorted(set(stored.features) - set(PLAIN_FEATURES)):
        raise MetricError(f"{file} weighs a feature that there is not: {unknown[0]}")
    return StoredCombination(Combination(stored.network, stored.constant, stored.features), digest_files([file]))


def write_combination(weights: Combination) -> bytes:
    """A combination as its file has it."""
    stored = _StoredCombination(
        network=round(weights.network, 4),
        constant=round(weights.constant, 4),
        features={name: round(value, 4) for name, value in weights.features.items()},
    )
    return msgspec.json.format(msgspec.json.encode(stored), indent=2) + b"\n"
