"""Likelihood: how probable words are in the place of others, by a masked-word model.

A place is masked with as many masks as the words that are tried there have pieces; what is given is the mean
probability of a piece (geometric), so that short and long names compare.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.runtime.windows import split_into_windows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.models.masked_words.model import MaskedWords
    from gistmeter.models.runtime.states import Tokens

BATCH_MASKS = 256
"""Masks asked for together: the vocabulary is wide, and of each answer little is kept."""

_WORD_STARTS = ("\u0120", "\u2581")
"""How byte-level and SentencePiece vocabularies mark a token that starts a word."""


@dataclass(frozen=True, slots=True)
class LikelyWord:
    """A word of the vocabulary and its probability at a mask."""

    word: str
    probability: float


@dataclass(frozen=True, slots=True)
class Blank:
    """Tokens `start` to `end` of a text, to be replaced by others."""

    tokens: Tokens
    start: int
    end: int

    def mask(self, model: MaskedWords, masks: int) -> tuple[IntArray, IntArray]:
        """As much of the text as the model reads, with so many masks in the blank, and the positions of the masks."""
        plain = np.flatnonzero(~self.tokens.special)
        first, last = int(plain[0]), int(plain[-1]) + 1
        mask_ids = np.full(masks, model.mask_id, dtype=np.int64)
        body = np.concatenate([self.tokens.ids[first : self.start], mask_ids, self.tokens.ids[self.end : last]])
        size = model.max_tokens - first - (len(self.tokens) - last)
        position = self.start - first
        window = next(window for window in split_into_windows(len(body), size) if position < window.keep_end)
        inside = body[window.start : window.end]
        ids = np.concatenate([self.tokens.ids[:first], inside, self.tokens.ids[last:]])
        start = first + position - window.start
        return ids, np.arange(start, min(start + masks, first + len(inside)))


def list_likely_words(
    model: MaskedWords, blanks: Sequence[Blank], *, count: int, floor: float = 0.0
) -> list[list[LikelyWord]]:
    """For each blank of one token the whole words that are likeliest there, those below `floor` left out."""
    words = list_whole_words(model)
    is_word = np.array([bool(word) for word in words], dtype=np.bool_)
    likely: list[list[LikelyWord]] = []
    for start in range(0, len(blanks), BATCH_MASKS):
        asked = [blank.mask(model, 1) for blank in blanks[start : start + BATCH_MASKS]]
        for logits in model.predict([ids for ids, _ in asked], [positions for _, positions in asked]):
            probabilities = np.exp(_normalise(logits)[0])
            order = np.argsort(np.where(is_word, -probabilities, np.inf), kind="stable")[:count]
            likely.append(
                [
                    LikelyWord(words[token], float(probabilities[token]))
                    for token in order
                    if is_word[token] and probabilities[token] >= floor
                ]
            )
    return likely


def rate_texts(model: MaskedWords, blanks: Sequence[Blank], texts: Sequence[Sequence[str]]) -> list[FloatArray]:
    """For each blank, how likely each of some texts is there: the mean probability of a piece."""
    distinct = list(dict.fromkeys(text for group in texts for text in group))
    pieces_of = {text: tokens.ids[tokens.inner] for text, tokens in zip(distinct, model.tokens(distinct), strict=True)}
    asked = [
        (row, masks)
        for row, group in enumerate(texts)
        for masks in sorted({len(pieces_of[text]) for text in group} - {0})
    ]
    likelihoods = [np.zeros(len(group)) for group in texts]
    for start in range(0, len(asked), BATCH_MASKS // 2):
        batch = asked[start : start + BATCH_MASKS // 2]
        masked = [blanks[row].mask(model, masks) for row, masks in batch]
        answers = model.predict([ids for ids, _ in masked], [positions for _, positions in masked])
        for (row, masks), logits in zip(batch, answers, strict=True):
            logs = _normalise(logits)
            for index, text in enumerate(texts[row]):
                pieces = pieces_of[text]
                if len(pieces) == masks:
                    likelihoods[row][index] = np.exp(logs[np.arange(len(logs)), pieces[: len(logs)]].mean())
    return likelihoods


@functools.lru_cache(maxsize=2)
def list_whole_words(model: MaskedWords) -> tuple[str, ...]:
    """For each token of a vocabulary the word that it is, or nothing when it is a piece, a number or a sign."""
    spelled = [model.word(token) for token in range(model.vocabulary)]
    start = next((mark for mark in _WORD_STARTS if any(token.startswith(mark) for token in spelled)), "")
    # Byte-level vocabularies spell other letters than ASCII as bytes, which only look like letters.
    usable = (lambda word: word.isascii()) if start == _WORD_STARTS[0] else (lambda _: True)
    words = [token.removeprefix(start) if token.startswith(start) else "" for token in spelled]
    return tuple(word if is_word(word) and usable(word) else "" for word in words)


def is_word(text: str) -> bool:
    """Letters alone; a single letter only where that can be a word."""
    return text.isalpha() and (len(text) > 1 or not text.isascii() or text in "aAI")


def _normalise(logits: np.ndarray) -> FloatArray:
    """Logarithms of probabilities."""
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True)))
