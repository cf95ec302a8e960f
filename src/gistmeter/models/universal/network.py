"""The network of the multilingual Universal Sentence Encoder up to its tokens' states, in numpy.

The sentence encoder computes a state for each token from the embeddings of the token and of up to four neighbours on
either side (three branches, of two, three and five tokens, two convolutions each), normalises it, projects it, and adds
up the states of a text. What it adds up is layer 2 here; layer 1 is what is projected, layer 0 the embeddings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.locate import MULTILINGUAL_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.states import StateArray

EMBEDDINGS, FEATURES, PROJECTED = 0, 1, 2
_BRANCHES = ((2, 0), (3, 1), (5, 2))
"""Tokens that a convolution reads, and how many of them stand before the token itself."""
_MAX_BEFORE = max(before for _, before in _BRANCHES)
_MAX_AFTER = max(tokens - 1 - before for tokens, before in _BRANCHES)
MAX_TOKENS = 1024
"""Tokens read at once. Longer texts are read in windows, whose states are the same: four neighbours decide a state."""


class UniversalStack:
    """The states of tokens at layers 0 to 2, for batches of token ids. A text's states are its own."""

    depth = PROJECTED
    max_tokens = MAX_TOKENS

    def __init__(self, weights: Any) -> None:
        """`weights` is the package's numpy backend, which holds the matrices."""
        self._weights = weights
        self.width = int(weights.cnn_W.shape[1])

    def check(self, layers: Iterable[int]) -> None:
        """Refuse a layer that the network does not have."""
        for layer in layers:
            if not 0 <= layer <= self.depth:
                raise MetricError(f"{MULTILINGUAL_NAME} has the layers 0 to {self.depth}, not {layer}")

    def __call__(self, batch: Sequence[IntArray], layers: Sequence[int]) -> list[dict[int, StateArray]]:
        """The states of each sequence of token ids by layer."""
        weights = self._weights
        limit = weights._threadpool
        if limit is None:
            return self._run(batch, layers)
        with limit(limits=weights.threads, user_api="blas"):
            return self._run(batch, layers)

    def _run(self, batch: Sequence[IntArray], layers: Sequence[int]) -> list[dict[int, StateArray]]:
        lengths = np.array([len(ids) for ids in batch], dtype=np.int64)
        ids = np.concatenate(batch)
        states = {EMBEDDINGS: self._embed(ids)}
        if max(layers) > EMBEDDINGS:
            states[FEATURES] = self._convolve(states[EMBEDDINGS], lengths)
        if max(layers) > FEATURES:
            states[PROJECTED] = states[FEATURES] @ self._weights.cnn_W + self._weights.cnn_b
        ends = np.cumsum(lengths)[:-1]
        split = {layer: np.split(states[layer], ends) for layer in layers}
        return [{layer: split[layer][row].copy() for layer in layers} for row in range(len(batch))]

    def _embed(self, ids: IntArray) -> StateArray:
        """The embeddings of tokens, which are stored as bytes in chunks of a scale each."""
        weights = self._weights
        chunk = ids % len(weights.scale)
        embeddings = weights.table[ids].astype(np.float32)
        embeddings *= weights.scale[chunk, None]
        embeddings += weights.lo[chunk, None]
        return np.asarray(embeddings)

    def _convolve(self, embeddings: StateArray, lengths: IntArray) -> StateArray:
        """Embeddings and the three branches beside each other, normalised."""
        weights = self._weights
        count = len(embeddings)
        inputs = _normalize_rows(
            embeddings @ weights.proj_W + weights.proj_b, weights.ln_g_all, weights.ln_b_all, weights.eps
        )
        neighbours = _find_neighbours(lengths)
        parts = [embeddings]
        for branch, (tokens, before) in enumerate(_BRANCHES):
            columns = neighbours[:, _MAX_BEFORE - before : _MAX_BEFORE - before + tokens]
            width = inputs.shape[1] // len(_BRANCHES)
            states = inputs[:, branch * width : (branch + 1) * width]
            for matrix, bias in (
                (weights.w1[branch], weights.b1[branch]),
                (weights.w2[branch], weights.b2[branch]),
            ):
                padded = np.concatenate([states, np.zeros((1, width), np.float32)])  # what stands outside a text
                states = states + np.maximum(padded[columns].reshape(count, -1) @ matrix + bias, 0)
            parts.append(states)
        return _normalize_rows(np.concatenate(parts, axis=1), weights.ln_g, weights.ln_b, weights.eps)


def _normalize_rows(states: StateArray, scale: StateArray, shift: StateArray, epsilon: float) -> StateArray:
    """Rows with mean 0 and variance 1, then scaled and shifted by column."""
    centred = states - states.mean(axis=-1, keepdims=True)
    variances = np.einsum("ij,ij->i", centred, centred) / states.shape[-1]
    return np.asarray(centred / np.sqrt(variances + epsilon)[:, None] * scale + shift, dtype=np.float32)


def _find_neighbours(lengths: IntArray) -> IntArray:
    """For each token of texts one after the other the positions two before to two after, the total outside its text.

    >>> _find_neighbours(np.array([2, 1])).tolist()
    [[3, 3, 0, 1, 3], [3, 0, 1, 3, 3], [3, 3, 2, 3, 3]]
    """
    total = int(lengths.sum())
    ends = np.cumsum(lengths)
    positions = np.arange(total)[:, None] + np.arange(-_MAX_BEFORE, _MAX_AFTER + 1)
    inside = (positions >= np.repeat(ends - lengths, lengths)[:, None]) & (
        positions < np.repeat(ends, lengths)[:, None]
    )
    return np.where(inside, positions, total)
