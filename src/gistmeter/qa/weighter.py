"""The weighter: how likely a question about a document is one that a reference answers, from the document alone.

A logistic regression over a few numbers of the question and its phrase: where the phrase stands, how often its words
are said, what it looks like. `gistmeter train question-weights` learns it from documents with references.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from scipy.special import expit

from gistmeter.errors import MetricError
from gistmeter.models.runtime.stored_json import read_weights_json
from gistmeter.text.sentences import find_sentences
from gistmeter.text.stems import get_stemmer, resolve_stem
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray


FEATURES = (
    "place", "first sentence", "first three sentences", "phrase words", "question words", "capital", "digit",
    "phrase said most", "phrase said mean", "question said mean", "phrase at the start",
)  # fmt: skip
"""Names of the features, which files of weighters list; how often words are said is counted in the document."""

MAX_NEWTON_STEPS = 100
NEWTON_TOLERANCE = 1e-10


@dataclass(frozen=True, slots=True)
class AskedPhrase:
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

    def weigh(self, document: str, phrases: Sequence[AskedPhrase]) -> FloatArray:
        """For each question of a document the probability that a reference answers it."""
        return self.probabilities(describe_phrases(document, phrases))

    def probabilities(self, rows: FloatArray) -> FloatArray:
        """The probability that a reference answers each question, from its row of features."""
        logits = (rows - self.mean) / self.spread @ self.weights + self.bias
        return np.asarray(expit(logits))

    def to_dict(self) -> dict[str, object]:
        """The weights as a file of JSON has them."""
        parts = {"mean": self.mean.tolist(), "spread": self.spread.tolist(), "weights": self.weights.tolist()}
        return {"kind": "gistmeter weighter", "features": list(FEATURES), **parts, "bias": self.bias}


def describe_phrases(document: str, phrases: Sequence[AskedPhrase]) -> FloatArray:
    """A row of features for each question.

    >>> rows = describe_phrases("Ann won. It rained. Ann left.", [AskedPhrase("Who won?", 0, 3)])
    >>> dict(zip(FEATURES, rows[0].tolist(), strict=True))["first sentence"]
    1.0
    """
    stem_counts = Counter(_stem_words(document))
    spans = find_sentences(document)
    rows = []
    for phrase in phrases:
        text = document[phrase.start : phrase.end]
        sentence = next(
            (number for number, (start, end) in enumerate(spans) if start <= phrase.start < end), len(spans)
        )
        phrase_counts = [math.log1p(stem_counts[stem]) for stem in _stem_words(text)] or [0.0]
        question_counts = [math.log1p(stem_counts[stem]) for stem in _stem_words(phrase.question)] or [0.0]
        rows.append((
            phrase.start / max(len(document), 1),
            float(sentence == 0),
            float(sentence < 3),
            math.log1p(len(text.split())),
            math.log1p(len(phrase.question.split())),
            float(any(letter.isupper() for letter in text[1:]) or text[:1].isupper()),
            float(any(letter.isdigit() for letter in text)),
            max(phrase_counts),
            sum(phrase_counts) / len(phrase_counts),
            sum(question_counts) / len(question_counts),
            float(any(start == phrase.start for start, _ in spans)),
        ))  # fmt: skip
    return np.array(rows).reshape(len(rows), len(FEATURES))


def fit_weighter(rows: FloatArray, labels: NDArray[np.bool_], *, ridge: float = 1.0) -> Weighter:
    """The weights that make the labels likeliest, held small by `ridge` (Newton's method)."""
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    inputs = np.column_stack([(rows - mean) / spread, np.ones(len(rows))])
    penalty = ridge * np.eye(inputs.shape[1])
    penalty[-1, -1] = 1e-9  # the bias is free
    coefficients = np.zeros(inputs.shape[1])
    for _ in range(MAX_NEWTON_STEPS):
        probabilities = expit(inputs @ coefficients)
        gradient = inputs.T @ (probabilities - labels) + penalty @ coefficients
        hessian = inputs.T @ (inputs * (probabilities * (1 - probabilities))[:, None]) + penalty
        step = np.linalg.solve(hessian, gradient)
        coefficients = coefficients - step
        if np.abs(step).max() < NEWTON_TOLERANCE:
            break
    return Weighter(mean=mean, spread=spread, weights=coefficients[:-1], bias=float(coefficients[-1]))


def read_weighter(file: str) -> Weighter:
    """The weighter in a file that `gistmeter train question-weights` wrote; read once while it does not change."""
    path = Path(file).expanduser()
    if not path.is_file():
        raise MetricError(f"there is no weighter {file} (`gistmeter train question-weights` writes one)")
    return _read(path, path.stat().st_mtime_ns, path.stat().st_size)


class _WeighterFeatures(msgspec.Struct):
    """Of a weighter, what it weighs."""

    features: list[str]


class _StoredWeighter(msgspec.Struct):
    """The numbers of a weighter: three for each feature, and the bias."""

    mean: list[float]
    spread: list[float]
    weights: list[float]
    bias: float


@functools.lru_cache(maxsize=4)
def _read(file: Path, changed: int, size: int) -> Weighter:  # noqa: ARG001  (what tells that a file is as it was)
    content = "a weighter (`gistmeter train question-weights` writes one)"
    if read_weights_json(file, content, _WeighterFeatures).features != list(FEATURES):
        raise MetricError(f"{file.name} is a weighter of another version: train it again")
    stored = read_weights_json(file, content, _StoredWeighter)
    mean, spread, weights = (np.array(values) for values in (stored.mean, stored.spread, stored.weights))
    if not len(mean) == len(spread) == len(weights) == len(FEATURES):
        raise MetricError(f"{file.name} is not a weighter: it lacks numbers for its {len(FEATURES)} features")
    digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12]
    return Weighter(mean=mean, spread=spread, weights=weights, bias=stored.bias, digest=digest)


def _stem_words(text: str) -> list[str]:
    """The stems of the words of a text that are no stop words."""
    stem, dropped = get_stemmer(resolve_stem("auto", "en")), load_stopwords("language", "en")
    return [stem(word) for word in split_words(text) if word not in dropped]
