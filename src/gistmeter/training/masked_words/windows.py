"""Windows of tokens to learn masked words from: packed from running text without padding, masked anew in every pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WINDOW_SHARES = {128: 0.55, 256: 0.25, 448: 0.2}
"""Lengths of windows and the share of tokens in each: summaries are short, ESTIME reads documents in windows of 450."""

WORD_SHARE = 0.2
"""The share of tokens masked as whole words at random; the other half of the windows has single tokens 5 to 8 apart."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What masking must know of a tokenizer: special ids, and which ids go on with a word."""

    mask: int
    start: int
    end: int
    continues: np.ndarray


@dataclass(frozen=True, slots=True)
class MaskedBatch:
    """Windows of one length, some tokens masked; the masked positions count along all windows laid end to end."""

    ids: np.ndarray
    positions: np.ndarray
    answers: np.ndarray


def pack_windows(
    texts: Sequence[np.ndarray], *, vocabulary: Vocabulary, batch_tokens: int, seed: tuple[int, ...]
) -> list[np.ndarray]:
    """One pass over the texts, shuffled, joined and cut into batches of windows of equal length.

    >>> words = Vocabulary(mask=3, start=1, end=2, continues=np.zeros(9, bool))
    >>> texts = [np.full(7000, 5), np.full(9000, 6)]
    >>> sorted({batch.shape for batch in pack_windows(texts, vocabulary=words, batch_tokens=512, seed=(1,))})
    [(1, 448), (2, 256), (4, 128)]
    """
    rng = np.random.default_rng(seed)
    stream = np.concatenate([np.append(texts[number], vocabulary.end) for number in rng.permutation(len(texts))])
    lengths = np.array(list(WINDOW_SHARES))
    rows = batch_tokens // lengths
    # A share of tokens is a share of batches, as every batch has about as many tokens.
    shares = np.array(list(WINDOW_SHARES.values()))
    batches = []
    start = 0
    while True:
        kind = rng.choice(len(lengths), p=shares)
        count, length = max(1, int(rows[kind])), int(lengths[kind])
        body = length - 2
        if start + count * body > len(stream):
            break
        windows = np.empty((count, length), dtype=np.int64)
        windows[:, 0], windows[:, -1] = vocabulary.start, vocabulary.end
        windows[:, 1:-1] = stream[start : start + count * body].reshape(count, body)
        start += count * body
        batches.append(windows)
    return [batches[number] for number in rng.permutation(len(batches))]


def mask_windows(windows: np.ndarray, *, vocabulary: Vocabulary, rng: np.random.Generator) -> MaskedBatch:
    """The same windows with masks: in half of them whole words at random, in half single tokens at a distance."""
    ids = windows.copy()
    hidden = np.zeros(ids.shape, dtype=bool)
    for row, mask in zip(ids, hidden, strict=True):
        if rng.random() < 0.5:
            words = np.cumsum(~vocabulary.continues[row])
            mask[:] = (rng.random(words[-1] + 1) < WORD_SHARE)[words]
        else:
            distance = int(rng.integers(5, 9))
            mask[int(rng.integers(distance)) :: distance] = True
    hidden &= (windows != vocabulary.start) & (windows != vocabulary.end)
    positions = np.flatnonzero(hidden)
    answers = windows.reshape(-1)[positions]
    ids[hidden] = vocabulary.mask
    return MaskedBatch(ids=ids, positions=positions, answers=answers)


def mask_evenly(windows: np.ndarray, *, vocabulary: Vocabulary, distance: int = 8) -> Iterator[MaskedBatch]:
    """Windows with every eighth token masked, each batch from another first token: for a held-out figure."""
    for shift in range(0, distance, distance // 2):
        hidden = np.zeros(windows.shape, dtype=bool)
        hidden[:, 1 + shift :: distance] = True
        hidden &= (windows != vocabulary.start) & (windows != vocabulary.end)
        positions = np.flatnonzero(hidden)
        ids = np.where(hidden, vocabulary.mask, windows)
        yield MaskedBatch(ids=ids, positions=positions, answers=windows.reshape(-1)[positions])
