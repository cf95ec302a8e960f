"""What the presence judge sees of a content unit and a summary: matches by words and by states of the encoder.

Each text is described once (`describe_texts`); all units that are asked of one summary are compared with it at once.
There are features of each token of a unit (does its word stand in the summary, how near is the nearest token, and
that in the sentence that matches the unit best) and features of the pair. None says how long a text is: with lengths a
judge that learned from one collection of summaries fails on another.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.presence.texts import LAYERS, POOLED_LAYERS, DescribedText
from gistmeter.models.runtime.states import scale_to_unit_length

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import BoolArray, FloatArray, IntArray
    from gistmeter.models.runtime.states import StateArray


_MATCH_LAYERS = (3, 4, 5, 6)
_MIN_RARITY = 1e-3
_NEIGHBOUR_TOKENS = 3
"""Tokens that two neighbours of a unit may stand apart in a summary and still be taken for neighbours there."""

TOKEN_FEATURES = (
    *(f"cosine{layer}" for layer in LAYERS),
    *(f"sentence cosine{layer}" for layer in (0, 4, 6)),
    "window cosine",
    "cosine6 where spelt alike",
    "cosine4 where spelt alike",
    "found",
    "found in sentence",
    "found in window",
    "found after the word before",
    "found before the word after",
    "near the token before",
    "near the token after",
    "rarity",
    "content",
    "capital",
    "number",
    "first of word",
    "in a word",
)
PAIR_FEATURES = (
    *(f"{share} found{where}" for where in ("", " in sentence", " in window") for share in ("content", "rare content")),
    "words found",
    "bigrams found",
    *(
        f"{what}{layer}"
        for layer in _MATCH_LAYERS
        for what in (
            "mean cosine",
            "rare mean cosine",
            "content mean cosine",
            "lowest cosine",
            "lowest content cosine",
            "sentence mean cosine",
            "lowest sentence cosine",
        )
    ),
    "best sentence",
    "best window",
    *(f"{what}{layer}" for layer in POOLED_LAYERS for what in ("nearest sentence", "two nearest sentences")),
    "whole text",
    "names found",
    "numbers found",
    "rarest not found",
)
CONTEXT_FEATURES = tuple(f"reference cosine{layer}" for layer in _MATCH_LAYERS)


@dataclass(frozen=True, slots=True, eq=False)
class UnitFeatures:
    """The features of units beside one summary. The tokens of unit n start at `starts[n]`."""

    tokens: StateArray
    pairs: StateArray
    starts: IntArray
    rarity: FloatArray


def compare_units(summary: DescribedText, units: Sequence[DescribedText]) -> UnitFeatures:
    """The features of units beside one summary; each text must have tokens."""
    return _Comparison(summary, units).features()


class _Comparison:
    """Tokens of all units, one below the other, beside the tokens of a summary."""

    def __init__(self, summary: DescribedText, units: Sequence[DescribedText]) -> None:
        lengths = [len(unit) for unit in units]
        self.units = units
        self.summary = summary
        self.starts = np.cumsum([0, *lengths[:-1]])
        self.owner = np.repeat(np.arange(len(units)), lengths)
        self.rarity = np.concatenate([unit.rarity for unit in units])
        self.cosines = {
            layer: np.concatenate([unit.states[layer] for unit in units]) @ summary.states[layer].T for layer in LAYERS
        }
        self.rows = np.arange(len(self.owner))
        first = np.flatnonzero(np.r_[True, summary.sentence[1:] != summary.sentence[:-1]])
        self.numbers = summary.sentence[first]
        """The number of each sentence that has tokens."""
        self.by_sentence = {
            layer: np.maximum.reduceat(self.cosines[layer], first, axis=1) for layer in (0, *_MATCH_LAYERS)
        }

    def features(self) -> UnitFeatures:
        near = (self.by_sentence[4] + self.by_sentence[6]) / 2
        sentence_scores = self._mean(near, self.rarity + _MIN_RARITY)
        two = np.maximum(near[:, :-1], near[:, 1:]) if near.shape[1] > 1 else near
        window_scores = self._mean(two, self.rarity + _MIN_RARITY)
        best, window = sentence_scores.argmax(axis=1), window_scores.argmax(axis=1)
        lexicon, numbers = _Lexicon(self.summary), self.numbers.tolist()
        word_matches = [
            _match_words(unit, lexicon, numbers[sentence], numbers[first : first + 2])
            for unit, sentence, first in zip(self.units, best.tolist(), window.tolist(), strict=True)
        ]
        in_sentence = {layer: cosines[self.rows, best[self.owner]] for layer, cosines in self.by_sentence.items()}
        tokens = np.column_stack(
            [
                *(self.cosines[layer].max(axis=1) for layer in LAYERS),
                *(in_sentence[layer] for layer in (0, 4, 6)),
                two[self.rows, window[self.owner]],
                *self._cosines_where_spelt_alike(),
                *np.concatenate([match.tokens for match in word_matches]).T,
                *self._neighbours(),
                self.rarity / 10,
                *np.concatenate([_token_kinds(unit) for unit in self.units]).T,
            ]
        )
        content = np.concatenate([_give_to_tokens(unit, unit.content) for unit in self.units])
        content = content * (self.rarity + _MIN_RARITY)
        pairs = np.column_stack(
            [
                np.stack([match.shares for match in word_matches]),
                *chain.from_iterable(self._pool_matches(n, in_sentence[n], content) for n in _MATCH_LAYERS),
                sentence_scores.max(axis=1),
                window_scores.max(axis=1),
                *self._vectors(),
                np.stack([match.missing for match in word_matches]),
            ]
        )
        single = np.float32
        return UnitFeatures(
            tokens=tokens.astype(single), pairs=pairs.astype(single), starts=self.starts, rarity=self.rarity
        )

    def _mean(self, values: NDArray[np.floating], weights: FloatArray) -> FloatArray:
        """The mean over the tokens of each unit, by weight; 0 where nothing weighs anything."""
        total = np.add.reduceat(weights, self.starts)
        if values.ndim == 2:
            return np.add.reduceat(values * weights[:, None], self.starts, axis=0) / total[:, None]
        return np.divide(
            np.add.reduceat(values * weights, self.starts), total, out=np.zeros(len(total)), where=total > 0
        )

    def _pool_matches(self, layer: int, in_sentence: StateArray, content: FloatArray) -> list[FloatArray]:
        best = self.cosines[layer].max(axis=1)
        weights = self.rarity + _MIN_RARITY
        lowest = np.minimum.reduceat(best, self.starts)
        lowest_content = np.minimum.reduceat(np.where(content > 0, best, np.inf), self.starts)
        return [
            self._mean(best, np.ones(len(best))),
            self._mean(best, weights),
            self._mean(best, content),
            lowest,
            np.where(np.isfinite(lowest_content), lowest_content, lowest),
            self._mean(in_sentence, weights),
            np.minimum.reduceat(in_sentence, self.starts),
        ]

    def _vectors(self) -> list[FloatArray]:
        columns = []
        for layer in POOLED_LAYERS:
            whole = scale_to_unit_length(np.stack([unit.pooled[layer].sum(axis=0) for unit in self.units]))
            cosines = np.sort(whole @ self.summary.pooled[layer].T, axis=1)
            columns += [cosines[:, -1], cosines[:, -2:].mean(axis=1)]
        whole = np.concatenate([unit.pooled[-1] for unit in self.units])
        return [*columns, (whole @ self.summary.pooled[-1].T)[:, 0]]

    def _cosines_where_spelt_alike(self) -> list[StateArray]:
        nearest_spelling = self.cosines[0].argmax(axis=1)
        return [self.cosines[layer][self.rows, nearest_spelling] for layer in (6, 4)]

    def _neighbours(self) -> list[FloatArray]:
        nearest = (self.cosines[4] + self.cosines[6]).argmax(axis=1)
        step = np.diff(nearest)
        near = (step >= 0) & (step <= _NEIGHBOUR_TOKENS) & (self.owner[1:] == self.owner[:-1])
        return [np.r_[0.0, near], np.r_[near, 0.0]]


@dataclass(frozen=True, slots=True, eq=False)
class _WordMatches:
    """Which words of a unit a summary has."""

    tokens: FloatArray
    shares: FloatArray
    missing: FloatArray


class _Lexicon:
    """The stems of a summary: all, by sentence, and in pairs."""

    def __init__(self, summary: DescribedText) -> None:
        self.every = frozenset(summary.stems)
        self.pairs = frozenset(pairwise(summary.stems))
        self._by_sentence: dict[int, set[str]] = {}
        for stem, sentence in zip(summary.stems, summary.word_sentence.tolist(), strict=True):
            self._by_sentence.setdefault(sentence, set()).add(stem)

    def of(self, *sentences: int) -> set[str]:
        """The stems of the sentences of these numbers."""
        return set().union(*(self._by_sentence.get(sentence, ()) for sentence in sentences))


def _match_words(unit: DescribedText, lexicon: _Lexicon, sentence: int, window: Sequence[int]) -> _WordMatches:
    in_summary, in_sentence, in_window = (
        np.array([stem in stems for stem in unit.stems], dtype=float)
        for stems in (lexicon.every, lexicon.of(sentence), lexicon.of(*window))
    )
    bigrams = np.array([pair in lexicon.pairs for pair in pairwise(unit.stems)], dtype=float)
    rare = unit.word_rarity * unit.content
    names = unit.number | (unit.capital & unit.content)
    matches = (in_summary, in_sentence, in_window)
    weighted = [_share(matched, weights) for matched in matches for weights in (unit.content, rare)]
    every = np.ones(len(unit.stems))
    return _WordMatches(
        tokens=np.column_stack(
            [_give_to_tokens(unit, matched) for matched in (*matches, np.r_[0.0, bigrams], np.r_[bigrams, 0.0])]
        ),
        shares=np.array([*weighted, _share(in_summary, every), _share(bigrams, np.ones(len(bigrams)))]),
        missing=np.array(
            [
                _share(in_summary, names, otherwise=1.0),
                _share(in_summary, unit.number, otherwise=1.0),
                max(((1 - in_summary) * rare).tolist(), default=0.0),
            ]
        ),
    )


def _token_kinds(unit: DescribedText) -> FloatArray:
    first = np.r_[True, unit.word[1:] != unit.word[:-1]]
    flags = [_give_to_tokens(unit, flag) for flag in (unit.content, unit.capital, unit.number)]
    return np.column_stack([*flags, first, unit.word >= 0])


def _give_to_tokens(unit: DescribedText, of_words: FloatArray | BoolArray) -> FloatArray:
    """The value of each token's word; 0 for a token outside words."""
    return np.append(of_words[: len(unit.stems)].astype(float), 0.0)[unit.word]


def _share(matched: FloatArray, weights: FloatArray | BoolArray, otherwise: float = 0.0) -> float:
    total = float(weights.sum())
    return float((matched * weights).sum() / total) if total > 0 else otherwise


def measure_context(summary: DescribedText, reference: DescribedText) -> StateArray:
    """How much of a whole reference a summary has: the mean over its tokens of the highest cosine, by layer."""
    best = [(reference.states[layer] @ summary.states[layer].T).max(axis=1).mean() for layer in _MATCH_LAYERS]
    return np.array(best, dtype=np.float32)
