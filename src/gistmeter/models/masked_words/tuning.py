"""Tuning: a copy of a masked-word model that has read one text, for BLANC-tune. The model itself stays as it was."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.models.runtime.batch import pad_sequences
from gistmeter.models.runtime.load import import_torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.arrays import IntArray
    from gistmeter.models.masked_words.model import MaskedWords


_IGNORED_LABEL = -100
"""The label that transformers' losses leave out."""


@dataclass(frozen=True, slots=True)
class TuningRecipe:
    """How a text is read: in chunks of tokens, each so many times, with a share of its tokens masked."""

    epochs: int = 10
    rate: float = 5e-5
    share: float = 0.15
    chunk: int = 32
    stride: int = 16
    seed: int = 0


def tune_on_text(words: MaskedWords, ids: IntArray, recipe: TuningRecipe) -> MaskedWords:
    """The model after reading `ids` (no special tokens among them); the same text gives the same model."""
    torch = import_torch()
    head, tail = find_special_ends(words)
    chunks = [np.concatenate([head, chunk, tail]) for chunk in _chunks(ids, recipe)]
    if not chunks:
        return words
    network = copy.deepcopy(words.network)
    rng = np.random.default_rng(recipe.seed)
    with torch.random.fork_rng(devices=[]):  # dropout draws from torch's own numbers, which others use too
        torch.manual_seed(recipe.seed)
        network.train()
        optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate)
        for _ in range(recipe.epochs):
            masked, attention, labels = _mask_chunks(words, chunks, len(head), len(tail), recipe.share, rng)
            optimizer.zero_grad()
            network(input_ids=masked, attention_mask=attention, labels=labels).loss.backward()
            optimizer.step()
    network.eval()
    return words.with_network(network)


def find_special_ends(words: MaskedWords) -> tuple[IntArray, IntArray]:
    """The special tokens that the model sets before and after a text."""
    (tokens,) = words.tokens(["."])
    return tokens.ids[: tokens.inner.start], tokens.ids[tokens.inner.stop :]


def _chunks(ids: IntArray, recipe: TuningRecipe) -> list[IntArray]:
    starts = range(0, max(1, len(ids) - recipe.chunk + recipe.stride), recipe.stride)
    return [ids[start : start + recipe.chunk] for start in starts if start < len(ids)]


def _mask_chunks(
    words: MaskedWords, chunks: list[IntArray], before: int, after: int, share: float, rng: Any
) -> Iterator[Any]:
    """The chunks with tokens masked, at least one in each; where there is text; and what stood under the masks."""
    inputs, attention = pad_sequences(chunks, words.pad_id)
    labels = np.full_like(inputs, _IGNORED_LABEL)
    for row, chunk in enumerate(chunks):
        inner = np.arange(before, len(chunk) - after)
        count = max(1, round(share * len(inner)))
        masked = rng.choice(inner, size=count, replace=False)
        labels[row, masked] = chunk[masked]
        inputs[row, masked] = words.mask_id
    torch = import_torch()
    return (torch.from_numpy(array).to(words.network.device) for array in (inputs, attention, labels))
