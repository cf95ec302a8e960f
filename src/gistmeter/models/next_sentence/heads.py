"""Heads on pairs of sentences: vectors of the two sentences in, the probability that they belong together out.

A head is a few small networks trained from different seeds, whose probabilities are averaged. It is read and run
with numpy alone; what gives the vectors is named in its file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.io.atomic import write_bytes
from gistmeter.models.next_sentence.cues import OrderCues
from gistmeter.models.next_sentence.reader import ReaderParts
from gistmeter.text.languages import language_code
from gistmeter.weights import digest_files, read_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.models.runtime.load import Dtype


READS_SENTENCE_VECTORS = "sentences"
ORDER_WEIGHTS, ORDER_CUES = "order.weights", "order.cues"
"""The weights of the cues of order, and their language and names: the bytes of a text with a line for each."""

_READER, READER_BASE, SHARES = "reader.", "reader:base", "reader:shares"
"""How the parts of a reader begin; which encoder they are for; how much each part of the head counts."""

_BATCH_PAIRS = 4096
_BATCH_SENTENCES = 1024

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


def normalize_spelling(sentence: str) -> str:
    """A sentence in one spelling, whether it was tokenised, lower-cased, ended by a full stop, or not.

    >>> normalize_spelling("It 's over ( at last ) ."), normalize_spelling("It’s over (at last)")
    ("it's over (at last)", "it's over (at last)")
    """
    text = sentence.lower()
    for pattern, by in _SPELLINGS:
        text = pattern.sub(by, text)
    return text.strip().rstrip(_END)


@dataclass(frozen=True, slots=True)
class PairVectors:
    """The vectors of sentences as the first of a pair, and as the second."""

    first: SingleArray
    second: SingleArray


class VectorSource(Protocol):
    """What gives the vectors of sentences that a head reads."""

    digest: str

    def of(self, texts: Sequence[str]) -> PairVectors:
        """One row for each sentence, on either side."""
        ...


class StateVectors:
    """Pooled states of the embedded encoder.

    Parts are written `mean@6` (the mean over the tokens at layer 6) or `edge4@4` (over four tokens at layer 4: the
    last four of a first sentence, the first four of a second, where the two meet).
    """

    def __init__(self, parts: Sequence[str], dtype: Dtype = "fp32") -> None:
        from gistmeter.models.encoder.encoder import load_encoder

        self._encoder = load_encoder("embedded", dtype=dtype)
        self._parts = tuple(_parse_part(part) for part in parts)
        self.digest = self._encoder.digest

    def of(self, texts: Sequence[str]) -> PairVectors:
        """The parts side by side, each of one length."""
        layers = sorted({layer for _, layer in self._parts})
        shape = (len(texts), len(self._parts), self._encoder.width)
        first, second = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        for start in range(0, len(texts), _BATCH_SENTENCES):
            batch = [normalize_spelling(text) for text in texts[start : start + _BATCH_SENTENCES]]
            for row, encoded in enumerate(self._encoder.encode(batch, layers), start=start):
                inner = ~encoded.special
                if not inner.any():
                    continue
                for column, (tokens, layer) in enumerate(self._parts):
                    states = encoded.states[layer][inner]
                    first[row, column] = states[-tokens:].mean(axis=0)
                    second[row, column] = states[: tokens or None].mean(axis=0)
        return PairVectors(*(_scale_to_width(side).reshape(len(texts), -1) for side in (first, second)))


class SentenceVectors:
    """Vectors of the multilingual sentence encoder, the same on either side."""

    def __init__(self, language: str) -> None:
        from gistmeter.models.runtime.locate import MULTILINGUAL_NAME as NAME
        from gistmeter.models.sentence_vectors.vectors import load_sentence_encoder

        # English is not read by this encoder unless it is named; other languages are checked by the role.
        embedded = language_code(language) != "en"
        self._encoder = load_sentence_encoder("embedded" if embedded else NAME, language=language)
        self.digest = self._encoder.digest

    def of(self, texts: Sequence[str]) -> PairVectors:
        """The sentence vectors, of one length."""
        vectors = _scale_to_width(
            np.asarray(self._encoder.vectors([normalize_spelling(text) for text in texts]), np.float32)
        )
        return PairVectors(vectors, vectors)


def load_vector_source(reads: str, *, language: str = "en", dtype: Dtype = "fp32") -> VectorSource:
    """What gives the vectors that a head says it reads: states of the encoder, or `sentences`."""
    return SentenceVectors(language) if reads == READS_SENTENCE_VECTORS else StateVectors(reads.split(), dtype)


class Shares(NamedTuple):
    """What the log odds of each part of a head are multiplied by before they are added up, and what is added."""

    networks: float
    cues: float
    reader_order: float
    """Of the reader, on the order of the two sentences."""

    reader_together: float
    """Of the reader, on whether they belong together."""

    bias: float


@dataclass(frozen=True, slots=True)
class PairHead:
    """Some small networks on two vectors, and what gives the vectors. The first axis of each array is the network.

    The networks tell what belongs together; `order`, where a head has it, tells which sentence comes first, and a
    `reader` tells both. Without a reader the log odds of networks and order are added as they are.
    """

    arrays: Mapping[str, SingleArray]
    reads: str
    digest: str
    order: OrderCues | None = None
    reader: ReaderParts | None = None
    shares: Shares | None = None

    def probabilities(self, first: SingleArray, second: SingleArray) -> FloatArray:
        """For each row: the probability that the second sentence follows the first, averaged over the networks."""
        probabilities = np.zeros(len(first))
        for start in range(0, len(first), _BATCH_PAIRS):
            rows = slice(start, start + _BATCH_PAIRS)
            probabilities[rows] = self._average_networks(first[rows], second[rows])
        return probabilities

    def _average_networks(self, first: SingleArray, second: SingleArray) -> FloatArray:
        both = np.concatenate([first, second, np.abs(first - second), first * second], axis=1)
        weights = self.arrays
        if both.shape[1] != weights["hidden.weight"].shape[2]:
            width = weights["hidden.weight"].shape[2] // 4
            raise MetricError(f"the head reads vectors of width {width}, but `{self.reads}` have {first.shape[1]}")
        total = np.zeros(len(first))
        for net in range(len(weights["out.bias"])):
            hidden = np.maximum(both @ weights["hidden.weight"][net].T + weights["hidden.bias"][net], 0)
            logits = (hidden @ weights["out.weight"][net]).astype(np.float64) + weights["out.bias"][net]
            total += 1 / (1 + np.exp(-logits))
        return total / len(weights["out.bias"])


def read_head(path: str | Path) -> PairHead:
    """A head from its file."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise MetricError(f"there is no head {path}: `gistmeter train next-sentence` writes one")
    tensors, about = read_tensors(file, "a next-sentence head")
    try:
        order = _read_order(tensors)
        shares = Shares(*tensors.pop(SHARES).tolist()) if SHARES in tensors else None
        reader = None if shares is None else _read_reader(tensors)
        networks, hidden, _ = tensors["hidden.weight"].shape
        shapes = {"hidden.bias": (networks, hidden), "out.weight": (networks, hidden), "out.bias": (networks,)}
        fits = bool(about["reads"]) and all(tensors[name].shape == shape for name, shape in shapes.items())
    except (KeyError, ValueError, TypeError):
        fits = False
    if not fits:
        raise MetricError(f"{path} is not a next-sentence head that `gistmeter train next-sentence` wrote")
    arrays = {name: tensor.astype(np.float32) for name, tensor in tensors.items()}
    digest = digest_files([file])
    return PairHead(arrays=arrays, reads=about["reads"], digest=digest, order=order, reader=reader, shares=shares)


def _read_order(tensors: dict[str, NDArray[Any]]) -> OrderCues | None:
    """The cues of order of a head, taken out of its tensors; None where it has none."""
    if ORDER_WEIGHTS not in tensors:
        return None
    language, *cues = tensors.pop(ORDER_CUES).tobytes().decode().split("\n")
    weights = tensors.pop(ORDER_WEIGHTS).astype(np.float32).tolist()
    return OrderCues(dict(zip(cues, weights, strict=True)), language)


def _read_reader(tensors: dict[str, NDArray[Any]]) -> ReaderParts:
    """The reader of both sentences of a head, taken out of its tensors."""
    base = tensors.pop(READER_BASE).tobytes().decode()
    names = [name for name in tensors if name.startswith(_READER)]
    return ReaderParts({name.removeprefix(_READER): tensors.pop(name).astype(np.float32) for name in names}, base)


def write_head(file: Path, head: PairHead) -> None:
    """Write a head in half precision; `read_head` gives it back."""
    safetensors = require("safetensors.numpy", "writing a head")
    stored = {name: np.ascontiguousarray(array, np.float16) for name, array in head.arrays.items()}
    if head.order is not None:
        names = "\n".join([head.order.language, *head.order.weights])
        stored[ORDER_WEIGHTS] = np.array(list(head.order.weights.values()), np.float16)
        stored[ORDER_CUES] = np.frombuffer(names.encode(), np.uint8)
    if head.reader is not None and head.shares is not None:
        stored |= {
            f"{_READER}{name}": np.ascontiguousarray(array, np.float16) for name, array in head.reader.arrays.items()
        }
        stored[READER_BASE] = np.frombuffer(head.reader.base_weights.encode(), np.uint8)
        stored[SHARES] = np.array(head.shares, np.float32)
    # Several facts in the metadata would be written in any order: equal heads must be equal files.
    write_bytes(file, safetensors.save(stored, metadata={"reads": head.reads}))


def head_file(*, multilingual: bool) -> Path:
    """Where the head that comes with gistmeter lies: English, or for all other languages."""
    name = "multilingual" if multilingual else "weights"
    return Path(__file__).parent / f"{name}.safetensors"


def _parse_part(text: str) -> tuple[int, int]:
    """How many tokens a part reads (0 is all), and of which layer."""
    match = re.fullmatch(r"mean@(\d+)|edge(\d+)@(\d+)", text)
    if match is None:
        raise MetricError(f"a head cannot read {text!r}: parts are written mean@6 or edge4@3")
    whole, tokens, layer = match.groups()
    return (int(tokens), int(layer)) if tokens else (0, int(whole))


def _scale_to_width(vectors: SingleArray) -> SingleArray:
    """Vectors (last axis) brought to the length that makes their numbers about 1; empty texts stay at 0."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: SingleArray = vectors * (np.sqrt(np.float32(vectors.shape[-1])) / np.maximum(lengths, np.float32(1e-6)))
    return scaled
