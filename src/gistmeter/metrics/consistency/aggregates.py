"""Published ways from pairs of sentences to the support of a sentence: SummaC's (Laban et al., 2022) and AlignScore's.

SummaC-ZS reads each sentence of the summary with each of the document and takes the highest entailment (`max`); `mean`
is the mean. SummaC-Conv counts them in bins and weighs the bins (`histogram`), then the sentences (`conv`). AlignScore
(Zha et al., 2023) reads each sentence of the summary with chunks of the document and takes the highest (`chunks`).
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.consistency.passages import split_document
from gistmeter.models.consistency.reader import load_support_reader
from gistmeter.weights import digest_files, read_tensors

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.load import Dtype

Aggregate = Literal["passages", "max", "mean", "histogram", "conv", "chunks"]
WEIGHED: tuple[Aggregate, ...] = ("histogram", "conv")
"""Ways that need weights."""

ONE_PART_DECIDES: tuple[Aggregate, ...] = ("passages", "max", "chunks")
"""Ways in which the support of a sentence is that of one part of the document."""

EVEN_BINS = tuple(np.linspace(0.0, 1.0, 51).tolist())
"""SummaC's bins by default: fifty as wide as each other."""

RELEASED_BINS = (
    *(0.0, 0.01, 0.02, 0.03, 0.04, 0.07, 0.13, 0.37, 0.90, 0.91, 0.92, 0.93, 0.94, 0.95, 0.955, 0.96, 0.965, 0.97),
    *(0.975, 0.98, 0.985, 0.99, 0.995, 1.0),
)
"""The bins of the weights that SummaC's authors released: by how often entailments occur (`percentile`)."""

EDGES = {len(edges) - 1: edges for edges in (EVEN_BINS, RELEASED_BINS)}
"""The edges of the bins by how many bins are weighed."""

CHUNK_WORDS = 350
"""AlignScore's chunks of a document end with the sentence that reaches so many words."""


@dataclass(frozen=True, slots=True, eq=False)
class SentenceSupport:
    """For each sentence of a summary its support, and the number of the document's part that supports it most."""

    support: FloatArray
    best: tuple[int, ...]
    parts: tuple[str, ...]
    """The parts of the document: its sentences, or chunks of them."""


@dataclass(frozen=True, slots=True, eq=False)
class ConvWeights:
    """Weights of bins, and of the mean support of the sentences (None for `histogram`), as SummaC-Conv names them."""

    bins: FloatArray
    constant: float
    final: FloatArray | None
    final_constant: FloatArray | None
    digest: str

    def weigh_sentences(self, entailments: FloatArray) -> FloatArray:
        """For each sentence of the summary (rows) the weighted count of its entailments by the document's (columns)."""
        edges = np.array(EDGES[self.bins.size])
        counts = np.array([np.histogram(row, bins=edges)[0] for row in entailments], dtype=np.float64)
        return np.asarray(counts.reshape(len(entailments), self.bins.size) @ self.bins + self.constant)

    def weigh_summary(self, sentences: FloatArray) -> float:
        """The probability of consistency from the mean over sentences, which SummaC-Conv lays before its last layer."""
        if self.final is None or self.final_constant is None:
            raise MetricError("aggregate=conv needs weights of the last layer (layer_final); use aggregate=histogram")
        logits = self.final @ np.full(3, sentences.mean()) + self.final_constant
        return float(1 / (1 + np.exp(logits[0] - logits[1])))


@functools.lru_cache(maxsize=4)
def read_conv_weights(path: str) -> ConvWeights:
    """Weights of SummaC-Conv from a .safetensors file: mlp.weight, mlp.bias, layer_final.weight and .bias.

    mlp.weight has 50 bins of one width, or the 23 of the weights that were released. The last two are for `conv` alone.
    Pickled weights (.bin) are refused: convert them.
    """
    file = Path(path).expanduser()
    if file.suffix != ".safetensors" or not file.is_file():
        raise MetricError(
            f"weights={path} is no .safetensors file with SummaC-Conv's mlp.weight and mlp.bias; pickled weights can "
            "run code when they are opened: convert them"
        )
    arrays: Mapping[str, FloatArray] = {
        name: array.astype(np.float64) for name, array in read_tensors(file, "weights of SummaC-Conv").arrays.items()
    }
    bins, constant = arrays.get("mlp.weight"), arrays.get("mlp.bias")
    if bins is None or constant is None or bins.size not in EDGES or constant.size != 1:
        counts = " or ".join(map(str, EDGES))
        raise MetricError(f"{path} has no mlp.weight of {counts} bins with its mlp.bias, as SummaC-Conv has")
    final, final_constant = arrays.get("layer_final.weight"), arrays.get("layer_final.bias")
    if final is not None and (final.shape != (2, 3) or final_constant is None or final_constant.shape != (2,)):
        raise MetricError(f"{path} has a layer_final that is not of two classes and three features, as SummaC-Conv's")
    return ConvWeights(
        bins=bins.reshape(-1),
        constant=float(constant.reshape(-1)[0]),
        final=final,
        final_constant=final_constant,
        digest=digest_files([file]),
    )


@dataclass(frozen=True, slots=True)
class PairAggregate:
    """A published way: which parts of a document are read with each sentence, and what of their support counts."""

    aggregate: Aggregate
    model: str
    labels: tuple[str, ...] | None
    dtype: Dtype
    weights: str

    def judge(self, summaries: Sequence[tuple[str, Sequence[str]]], language: str) -> list[SentenceSupport]:
        """For each (document, sentences of a summary) the support of the sentences; equal pairs are read once."""
        parts_of = [self._divide(document, language) for document, _ in summaries]
        pairs = list(
            dict.fromkeys(
                (part, sentence)
                for parts, (_, sentences) in zip(parts_of, summaries, strict=True)
                for sentence in sentences
                for part in parts
            )
        )
        if not pairs:
            return [SentenceSupport(np.zeros(0), (), parts) for parts in parts_of]
        reader = load_support_reader(self.model, self.labels, dtype=self.dtype)
        support_of = dict(zip(pairs, reader.probabilities(pairs).tolist(), strict=True))
        grids = [
            np.array([[support_of[part, sentence] for part in parts] for sentence in sentences]).reshape(
                len(sentences), len(parts)
            )
            for parts, (_, sentences) in zip(parts_of, summaries, strict=True)
        ]
        return [
            SentenceSupport(self._aggregate(grid), tuple(map(int, grid.argmax(axis=1))) if grid.size else (), parts)
            for grid, parts in zip(grids, parts_of, strict=True)
        ]

    def _divide(self, document: str, language: str) -> tuple[str, ...]:
        sentences = split_document(document, language).sentences
        return sentences if self.aggregate != "chunks" else tuple(join_chunks(sentences, CHUNK_WORDS))

    def _aggregate(self, grid: FloatArray) -> FloatArray:
        if not grid.size:
            return np.full(len(grid), np.nan)
        if self.aggregate == "mean":
            return np.asarray(grid.mean(axis=1))
        if self.aggregate in WEIGHED:
            weighed = read_conv_weights(self.weights).weigh_sentences(grid)
            return np.asarray(1 / (1 + np.exp(-weighed))) if self.aggregate == "histogram" else weighed
        return np.asarray(grid.max(axis=1))


def join_chunks(sentences: Sequence[str], words: int) -> list[str]:
    """Sentences joined to chunks, each of which ends with the sentence that reaches so many words.

    >>> join_chunks(["a b c.", "d e.", "f g h i."], 5)
    ['a b c. d e.', 'f g h i.']
    """
    chunks: list[str] = []
    current: list[str] = []
    for sentence in sentences:
        current.append(sentence)
        if sum(len(part.split()) for part in current) >= words:
            chunks.append(" ".join(current))
            current = []
    return [*chunks, " ".join(current)] if current else chunks
