"""Heads on pairs of sentences: vectors of the two sentences in, the probability that they belong together out.

A head is a few small networks trained from different seeds, whose probabilities are averaged. It is read and run
with numpy alone; what gives the vectors is named in its file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.text.languages import language_code
from gistmeter.weights import files_digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.models.encoder.encoder import Dtype


SENTENCES = "sentences"
_ROWS = 4096
_ENCODED_AT_ONCE = 1024

# Summaries come tokenised, lower-cased and without full stops or not; a joint must not depend on that.
_SPELLINGS = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"``|''|[“”„«»]", '"'),
        (r"[`‘’]", "'"),
        (r"-lrb-", "("),
        (r"-rrb-", ")"),
        (r"\s+([,.;:!?%)\]])", r"\1"),
        (r"([(\[$£])\s+", r"\1"),
        (r"\s+('(?:s|re|ve|ll|d|m)\b|n't\b)", r"\1"),
        (r"\s+", " "),
    )
)
_END = " .。…\"'"


def plainly(sentence: str) -> str:
    """A sentence in one spelling, whether it was tokenised, lower-cased, ended by a full stop, or not.

    >>> plainly("It 's over ( at last ) ."), plainly("It’s over (at last)")
    ("it's over (at last)", "it's over (at last)")
    """
    text = sentence.lower()
    for pattern, by in _SPELLINGS:
        text = pattern.sub(by, text)
    return text.strip().rstrip(_END)


@dataclass(frozen=True, slots=True)
class Sides:
    """The vectors of sentences as the first of a pair, and as the second."""

    first: SingleArray
    second: SingleArray


class Vectors(Protocol):
    """What gives the vectors of sentences that a head reads."""

    digest: str

    def of(self, texts: Sequence[str]) -> Sides:
        """One row for each sentence, on either side."""
        ...


class StateVectors:
    """Pooled states of the embedded encoder.

    Parts are written `mean@6` (the mean over the tokens at layer 6) or `edge4@4` (over four tokens at layer 4: the
    last four of a first sentence, the first four of a second, where the two meet).
    """

    def __init__(self, parts: Sequence[str], dtype: Dtype = "fp32") -> None:
        from gistmeter.models.encoder.encoder import encoder

        self._encoder = encoder("embedded", dtype=dtype)
        self._parts = tuple(_part(part) for part in parts)
        self.digest = self._encoder.digest

    def of(self, texts: Sequence[str]) -> Sides:
        """The parts side by side, each of one length."""
        layers = sorted({layer for _, layer in self._parts})
        shape = (len(texts), len(self._parts), self._encoder.width)
        first, second = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        for start in range(0, len(texts), _ENCODED_AT_ONCE):
            some = [plainly(text) for text in texts[start : start + _ENCODED_AT_ONCE]]
            for row, encoded in enumerate(self._encoder.encode(some, layers), start=start):
                inner = ~encoded.special
                if not inner.any():
                    continue
                for place, (tokens, layer) in enumerate(self._parts):
                    states = encoded.states[layer][inner]
                    first[row, place] = states[-tokens:].mean(axis=0)
                    second[row, place] = states[: tokens or None].mean(axis=0)
        return Sides(*(_of_one_length(side).reshape(len(texts), -1) for side in (first, second)))


class SentenceVectors:
    """Vectors of the multilingual sentence encoder, the same on either side."""

    def __init__(self, language: str) -> None:
        from gistmeter.models.sentence_vectors.vectors import MULTILINGUAL as NAME
        from gistmeter.models.sentence_vectors.vectors import sentence_encoder

        # English is not read by this encoder unless it is named; other languages are checked by the role.
        embedded = language_code(language) != "en"
        self._encoder = sentence_encoder("embedded" if embedded else NAME, language=language)
        self.digest = self._encoder.digest

    def of(self, texts: Sequence[str]) -> Sides:
        """The sentence vectors, of one length."""
        vectors = _of_one_length(np.asarray(self._encoder.vectors([plainly(text) for text in texts]), np.float32))
        return Sides(vectors, vectors)


def vectors_for(reads: str, *, language: str = "en", dtype: Dtype = "fp32") -> Vectors:
    """What gives the vectors that a head says it reads: states of the encoder, or `sentences`."""
    return SentenceVectors(language) if reads == SENTENCES else StateVectors(reads.split(), dtype)


@dataclass(frozen=True, slots=True)
class Head:
    """Some small networks on two vectors, and what gives the vectors. The first axis of each array is the network."""

    arrays: Mapping[str, SingleArray]
    reads: str
    digest: str

    def probabilities(self, first: SingleArray, second: SingleArray) -> FloatArray:
        """For each row: the probability that the second sentence follows the first, averaged over the networks."""
        found = np.zeros(len(first))
        for start in range(0, len(first), _ROWS):
            rows = slice(start, start + _ROWS)
            found[rows] = self._some(first[rows], second[rows])
        return found

    def _some(self, first: SingleArray, second: SingleArray) -> FloatArray:
        both = np.concatenate([first, second, np.abs(first - second), first * second], axis=1)
        weights = self.arrays
        total = np.zeros(len(first))
        for net in range(len(weights["out.bias"])):
            hidden = np.maximum(both @ weights["hidden.weight"][net].T + weights["hidden.bias"][net], 0)
            logits = (hidden @ weights["out.weight"][net]).astype(np.float64) + weights["out.bias"][net]
            total += 1 / (1 + np.exp(-logits))
        return total / len(weights["out.bias"])


def read_head(path: str | Path) -> Head:
    """A head from its file."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise MetricError(f"there is no head {path}: `gistmeter train coherence` writes one")
    safetensors = require("safetensors", "a next-sentence head")
    try:
        with safetensors.safe_open(file, framework="np") as stored:
            reads = (stored.metadata() or {}).get("reads")
            arrays = {name: stored.get_tensor(name).astype(np.float32) for name in stored.keys()}  # noqa: SIM118
    except safetensors.SafetensorError:
        raise MetricError(f"{path} is not a safetensors file") from None
    if reads is None or "out.bias" not in arrays:
        raise MetricError(f"{path} is not a next-sentence head that `gistmeter train coherence` wrote")
    return Head(arrays, reads, files_digest([file]))


def shipped_head_file(*, multilingual: bool) -> Path:
    """Where the head that comes with gistmeter lies: English, or for all other languages."""
    name = "multilingual" if multilingual else "weights"
    return Path(__file__).parent / f"{name}.safetensors"


def _part(text: str) -> tuple[int, int]:
    """How many tokens a part reads (0 is all), and of which layer."""
    found = re.fullmatch(r"mean@(\d+)|edge(\d+)@(\d+)", text)
    if found is None:
        raise MetricError(f"a head cannot read {text!r}: parts are written mean@6 or edge4@3")
    whole, tokens, layer = found.groups()
    return (int(tokens), int(layer)) if tokens else (0, int(whole))


def _of_one_length(vectors: SingleArray) -> SingleArray:
    """Vectors (last axis) brought to the length that makes their numbers about 1; empty texts stay at 0."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: SingleArray = vectors * (np.sqrt(np.float32(vectors.shape[-1])) / np.maximum(lengths, np.float32(1e-6)))
    return scaled
