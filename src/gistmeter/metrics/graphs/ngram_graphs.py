"""N-gram graphs: n-grams that stand near each other are joined by an edge, which weighs how often they do.

An edge goes both ways, and so counts twice, unless it joins an n-gram with itself; such a loop weighs twice as much.
N-grams get numbers in the order of their characters, so that sums do not depend on what else was numbered with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray

    IntArray = NDArray[np.int64]

EdgeWeights = Literal["count", "gauss", "binary"]
"""What two n-grams at distance d add to their edge: 1, exp(-2 (d / window)^2), or 1 however often they meet."""


class Similarity(NamedTuple):
    """How alike two graphs are, each from 0 to 1."""

    value: float
    """The sum over shared edges of the smaller weight divided by the larger, by the edges of the larger graph."""
    containment: float
    """The share of the smaller graph's edges that the larger one has."""
    size: float
    """The edges of the smaller graph divided by those of the larger."""


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Edges of one order of n-grams: their keys in order, how much each weighs, and for how many it counts."""

    keys: IntArray
    weights: FloatArray
    copies: FloatArray

    @property
    def edges(self) -> float:
        """How many edges there are, both ways."""
        return float(self.copies.sum())


def number_ngrams(texts: Sequence[IntArray], order: int) -> list[IntArray]:
    """The number of each n-gram of each text, equal for equal n-grams, in the order of their symbols.

    >>> [numbers.tolist() for numbers in number_ngrams([np.array([7, 8, 7, 8]), np.array([8, 9])], 2)]
    [[0, 1, 0], [2]]
    """
    symbols = _number_values(texts)
    numbers = symbols
    alphabet = 1 + max((int(text.max()) for text in symbols if len(text)), default=0)
    for length in range(1, order):
        longer = [
            numbers_of[: max(len(text) - length, 0)] * alphabet + text[length:]
            for numbers_of, text in zip(numbers, symbols, strict=True)
        ]
        numbers = _number_values(longer)
    return numbers


def build_graphs(numbers: Sequence[IntArray], window: int, weights: EdgeWeights) -> list[Graph]:
    """The graph of each text, from its numbered n-grams; a text with fewer than two n-grams has no edges."""
    size = 1 + max((int(text.max()) for text in numbers if len(text)), default=0)
    return [_build_graph(text, size, window, weights) for text in numbers]


def merge_graphs(graphs: Sequence[Graph]) -> Graph:
    """The merged graph of several: a shared edge moves 1/k of the way to its weight in the k-th graph that is merged.

    An edge that only one side has keeps its weight (Giannakopoulos and Karkaletsis, 2011).
    """
    merged = graphs[0]
    for number, graph in enumerate(graphs[1:], 2):
        keys = np.union1d(merged.keys, graph.keys)
        old, new = np.searchsorted(keys, merged.keys), np.searchsorted(keys, graph.keys)
        weights, copies = np.full(len(keys), np.nan), np.empty(len(keys))
        weights[old], copies[old], copies[new] = merged.weights, merged.copies, graph.copies
        before = weights[new]
        weights[new] = np.where(np.isnan(before), graph.weights, before + (graph.weights - before) / number)
        merged = Graph(keys, weights, copies)
    return merged


def compare_graphs(left: Graph, right: Graph) -> Similarity:
    """How alike two graphs are; one without edges is like no other."""
    smaller, larger = sorted((left.edges, right.edges))
    if smaller == 0:
        return Similarity(0.0, 0.0, 0.0)
    shared, at_left, at_right = np.intersect1d(left.keys, right.keys, assume_unique=True, return_indices=True)
    if not len(shared):
        return Similarity(0.0, 0.0, smaller / larger)
    copies, left_weights, right_weights = left.copies[at_left], left.weights[at_left], right.weights[at_right]
    value = float(np.sum(copies * (np.minimum(left_weights, right_weights) / np.maximum(left_weights, right_weights))))
    return Similarity(value / larger, float(copies.sum()) / smaller, smaller / larger)


def find_shared_starts(numbers: IntArray, size: int, graph: Graph) -> list[int]:
    """The positions of n-grams that have an edge of the graph with the next n-gram of their text."""
    keys = _join_numbers(numbers[:-1], numbers[1:], size)
    return [int(position) for position in np.flatnonzero(np.isin(keys, graph.keys))]


def _build_graph(numbers: IntArray, size: int, window: int, weights: EdgeWeights) -> Graph:
    distances = range(1, min(window, len(numbers) - 1) + 1)
    pairs = [_join_numbers(numbers[:-distance], numbers[distance:], size) for distance in distances]
    if not pairs:
        return Graph(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))
    joined = np.concatenate(pairs)
    keys, edge_numbers = np.unique(joined, return_inverse=True)
    added: FloatArray = np.ones(len(joined))
    if weights == "gauss":
        added = np.repeat([np.exp(-2 * (distance / window) ** 2) for distance in distances], [len(p) for p in pairs])
    totals: FloatArray = np.bincount(edge_numbers.ravel(), weights=added).astype(np.float64)
    loop_weight = 2.0
    if weights == "binary":
        totals, loop_weight = np.ones(len(keys)), 1.0
    loops = keys // size == keys % size
    return Graph(keys, np.where(loops, loop_weight * totals, totals), np.where(loops, 1.0, 2.0))


def _join_numbers(left: IntArray, right: IntArray, size: int) -> IntArray:
    """A key for each pair of n-grams, whichever comes first."""
    return np.minimum(left, right) * size + np.maximum(left, right)


def _number_values(texts: Sequence[IntArray]) -> list[IntArray]:
    """Numbers from 0 in the order of values, the same in all texts."""
    _, numbers = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *texts]), return_inverse=True)
    return np.split(numbers.astype(np.int64).ravel(), np.cumsum([len(text) for text in texts])[:-1])
