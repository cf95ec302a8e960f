"""The weighter: how likely a question about a document is one that a reference answers, from the document alone.

A logistic regression over a few numbers of the question and its phrase: where the phrase stands, how often its words
are said, what it looks like. `gistmeter train weighter` learns it from documents with references.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from gistmeter.errors import MetricError
from gistmeter.text.sentences import sentence_spans
from gistmeter.text.stems import resolve_stem, stemmer
from gistmeter.text.stopwords import stopwords
from gistmeter.text.words import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray


FEATURES = (
    "place", "first sentence", "first three sentences", "phrase words", "question words", "capital", "digit",
    "phrase said most", "phrase said mean", "question said mean", "phrase at the start",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """A question about a document, and where the phrase it asks for stands."""

    question: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, eq=False)
class Weighter:
    """Weights of the features, which are first brought to mean 0 and spread 1."""

    mean: FloatArray
    spread: FloatArray
    weights: FloatArray
    bias: float
    digest: str = ""

    def __call__(self, document: str, places: Sequence[Place]) -> FloatArray:
        """For each question of a document the probability that a reference answers it."""
        return self.probabilities(features(document, places))

    def probabilities(self, rows: FloatArray) -> FloatArray:
        """The same from features."""
        logits = (rows - self.mean) / self.spread @ self.weights + self.bias
        return np.asarray(expit(logits))

    def as_data(self) -> dict[str, object]:
        """For a file."""
        parts = {"mean": self.mean.tolist(), "spread": self.spread.tolist(), "weights": self.weights.tolist()}
        return {"kind": "gistmeter weighter", "features": list(FEATURES), **parts, "bias": self.bias}


def features(document: str, places: Sequence[Place]) -> FloatArray:
    """A row of numbers for each question.

    >>> rows = features("Ann won. It rained. Ann left.", [Place("Who won?", 0, 3)])
    >>> dict(zip(FEATURES, rows[0].tolist(), strict=True))["first sentence"]
    1.0
    """
    said = Counter(_stems(document))
    spans = sentence_spans(document)
    rows = []
    for one in places:
        phrase = document[one.start : one.end]
        sentence = next((n for n, (low, high) in enumerate(spans) if low <= one.start < high), len(spans))
        counts = [math.log1p(said[stem]) for stem in _stems(phrase)] or [0.0]
        asked = [math.log1p(said[stem]) for stem in _stems(one.question)] or [0.0]
        rows.append((
            one.start / max(len(document), 1),
            float(sentence == 0),
            float(sentence < 3),
            math.log1p(len(phrase.split())),
            math.log1p(len(one.question.split())),
            float(any(letter.isupper() for letter in phrase[1:]) or phrase[:1].isupper()),
            float(any(letter.isdigit() for letter in phrase)),
            max(counts),
            sum(counts) / len(counts),
            sum(asked) / len(asked),
            float(any(low == one.start for low, _ in spans)),
        ))  # fmt: skip
    return np.array(rows).reshape(len(rows), len(FEATURES))


def fitted(rows: FloatArray, labels: NDArray[np.bool_], *, ridge: float = 1.0) -> Weighter:
    """The weights that make the labels likeliest, kept small by `ridge` (Newton's method)."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    table = np.column_stack([(rows - mean) / spread, np.ones(len(rows))])
    penalty = ridge * np.eye(table.shape[1])
    penalty[-1, -1] = 1e-9  # the bias is free
    found = np.zeros(table.shape[1])
    for _ in range(100):
        chance = expit(table @ found)
        slope = table.T @ (chance - labels) + penalty @ found
        step = np.linalg.solve(table.T @ (table * (chance * (1 - chance))[:, None]) + penalty, slope)
        found = found - step
        if np.abs(step).max() < 1e-10:
            break
    return Weighter(mean, spread, found[:-1], float(found[-1]))


def read_weighter(file: str) -> Weighter:
    """The weighter in a file that `gistmeter train weighter` wrote; read once while it does not change."""
    place = Path(file).expanduser()
    if not place.is_file():
        raise MetricError(f"there is no weighter {file} (`gistmeter train weighter` writes one)")
    return _read(place, place.stat().st_mtime_ns, place.stat().st_size)


@functools.lru_cache(maxsize=4)
def _read(file: Path, changed: int, size: int) -> Weighter:  # noqa: ARG001  (what tells that a file is as it was)
    text = file.read_bytes()
    try:
        said = json.loads(text)
        if said["features"] != list(FEATURES):
            raise MetricError(f"{file.name} is a weighter of another version: train it again")
        mean, spread, weights = (np.array(said[key], dtype=np.float64) for key in ("mean", "spread", "weights"))
        bias = float(said["bias"])
    except (ValueError, KeyError, TypeError):
        raise MetricError(f"{file.name} is not a weighter (`gistmeter train weighter` writes one)") from None
    return Weighter(mean, spread, weights, bias, hashlib.sha256(text).hexdigest()[:12])


def _stems(text: str) -> list[str]:
    stem, stop = stemmer(resolve_stem("auto", "en")), stopwords("language", "en")
    return [stem(word) for word in words(text) if word not in stop]
