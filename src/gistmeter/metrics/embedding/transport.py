"""Transport: n-grams of a text as points with mass, and the cheapest way to move one text's mass onto another's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.extras import require

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.models.encoder.matching import StateArray

_MAX_ITERATIONS = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """The n-grams of a text: vectors of length 1, and masses that sum to 1.

    `spans` are the starts and ends of their tokens in the text (n-gram x token x start and end), `shares` how much of
    an n-gram's mass each token brings.
    """

    vectors: FloatArray
    masses: FloatArray
    spans: NDArray[np.int64]
    shares: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Transport:
    """How much mass goes from each n-gram of the summary to each of the reference, and how far they are apart."""

    flows: FloatArray
    distances: FloatArray

    @property
    def cost(self) -> float:
        """The mass moved, times the distance it is moved over."""
        return float((self.flows * self.distances).sum())


def build_grams(states: StateArray, weights: FloatArray, n: int, spans: NDArray[np.int64] | None = None) -> Grams:
    """The n-grams of tokens; a text shorter than n is one n-gram."""
    spans = np.zeros((len(states), 2), dtype=np.int64) if spans is None else spans
    if not len(states):
        return Grams(vectors=np.zeros(states.shape), masses=np.zeros(0), spans=spans[:, None], shares=np.zeros((0, 1)))
    if weights.sum() <= 0:
        weights = np.ones(len(weights))
    size = min(n, len(states))
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(len(states)), size)
    masses = weights[windows].sum(axis=1)
    shares = np.divide(weights[windows], masses[:, None], out=np.zeros(windows.shape), where=masses[:, None] > 0)
    vectors = np.einsum("gk,gkd->gd", shares, states[windows])
    # in double precision: the distance of near vectors is the root of a small difference
    lengths = np.sqrt(np.einsum("gd,gd->g", vectors, vectors))[:, None]
    return Grams(
        vectors=vectors / np.where(lengths > 0, lengths, 1),
        masses=masses / masses.sum(),
        spans=spans[windows],
        shares=shares,
    )


def find_transport(source: Grams, target: Grams) -> Transport:
    """The cheapest way to move the mass of one text onto another."""
    distances = _measure_distances(source, target)
    flows = _load_solver().emd(source.masses, target.masses, distances, numItermax=_MAX_ITERATIONS)
    return Transport(np.asarray(flows), distances)


def compute_cost(source: Grams, target: Grams) -> float:
    """What the cheapest way to move the mass of one text onto another costs."""
    distances = _measure_distances(source, target)
    return float(_load_solver().emd2(source.masses, target.masses, distances, numItermax=_MAX_ITERATIONS))


def _measure_distances(source: Grams, target: Grams) -> FloatArray:
    """The Euclidean distance of each n-gram of a text from each of another."""
    return np.asarray(np.sqrt(np.maximum(2 - 2 * (source.vectors @ target.vectors.T), 0.0)))


def _load_solver() -> Any:
    """The solver of optimal transport (POT)."""
    return require("ot", "moverscore (POT)")
