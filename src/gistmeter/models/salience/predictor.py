"""The predictor: how likely a reference states each noun phrase of a document, from the document alone.

A logistic regression over features of the phrase and, projected to a few numbers, the encoder's states of its first
and last token. `gistmeter train salience` learns it from documents with silver spans.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from scipy.special import expit

from gistmeter.errors import MetricError
from gistmeter.models.runtime.stored_json import read_weights_json
from gistmeter.models.salience.features import FEATURES, describe_candidates, encode_candidates
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray
    from gistmeter.models.salience.candidates import CandidateDocument

WEIGHTS = Path(__file__).parent / "weights.json"
_CONTENT = "a predictor of salience (`gistmeter train salience` writes one)"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SaliencePredictor:
    """Weights of the features, which are first brought to mean 0 and spread 1."""

    encoder: str
    """Whose states are read; empty for none."""

    projection: FloatArray
    """Directions of the states, each a column; no columns where no encoder is asked."""

    centre: FloatArray
    """The mean of the states, which is taken away before they are projected."""

    mean: FloatArray
    spread: FloatArray
    weights: FloatArray
    bias: float
    digest: str = ""

    def describe(self, document: CandidateDocument) -> FloatArray:
        """The rows that the weights are of: features, then projected states."""
        features = describe_candidates(document)
        if not self.encoder:
            return features
        return np.hstack([features, (encode_candidates(document, self.encoder) - self.centre) @ self.projection])

    def predict(self, document: CandidateDocument) -> FloatArray:
        """For each candidate of a document the probability that a reference states it."""
        if not document.candidates:
            return np.zeros(0)
        return self.probabilities(self.describe(document))

    def probabilities(self, rows: FloatArray) -> FloatArray:
        """The probability of each row."""
        return np.asarray(expit((rows - self.mean) / self.spread @ self.weights + self.bias))

    def to_dict(self) -> dict[str, object]:
        """The weights as a file of JSON has them."""
        return {
            "kind": "gistmeter salience",
            "features": list(FEATURES),
            "encoder": self.encoder,
            "projection": np.round(self.projection, 6).tolist(),
            "centre": np.round(self.centre, 6).tolist(),
            "mean": self.mean.tolist(),
            "spread": self.spread.tolist(),
            "weights": self.weights.tolist(),
            "bias": self.bias,
        }


class _StoredFeatures(msgspec.Struct):
    """Of a predictor, what it weighs."""

    features: list[str]


class _StoredPredictor(msgspec.Struct):
    """The numbers of a predictor."""

    encoder: str
    projection: list[list[float]]
    centre: list[float]
    mean: list[float]
    spread: list[float]
    weights: list[float]
    bias: float


def load_predictor(name: str = EMBEDDED) -> SaliencePredictor:
    """The predictor that comes with gistmeter, or one that `gistmeter train salience` wrote to a file."""
    path = WEIGHTS if name == EMBEDDED else Path(name).expanduser()
    if not path.is_file():
        raise MetricError(f"there is no predictor of salience {name} (`gistmeter train salience` writes one)")
    return _read(path, path.stat().st_mtime_ns, path.stat().st_size)


@functools.lru_cache(maxsize=4)
def _read(file: Path, changed: int, size: int) -> SaliencePredictor:  # noqa: ARG001  (what tells that a file is as it was)
    if read_weights_json(file, _CONTENT, _StoredFeatures).features != list(FEATURES):
        raise MetricError(f"{file.name} is a predictor of another version: train it again")
    stored = read_weights_json(file, _CONTENT, _StoredPredictor)
    width = len(stored.projection[0]) if stored.projection else 0
    total = len(FEATURES) + width
    fits = len(stored.mean) == len(stored.spread) == len(stored.weights) == total and len(stored.centre) == len(
        stored.projection
    )
    if not fits or any(len(row) != width for row in stored.projection):
        raise MetricError(f"{file.name} is not a predictor of salience: it lacks numbers for its {total} features")
    return SaliencePredictor(
        encoder=stored.encoder,
        projection=np.array(stored.projection).reshape(len(stored.projection), width),
        centre=np.array(stored.centre),
        mean=np.array(stored.mean),
        spread=np.array(stored.spread),
        weights=np.array(stored.weights),
        bias=stored.bias,
        digest=hashlib.sha256(file.read_bytes()).hexdigest()[:12],
    )
