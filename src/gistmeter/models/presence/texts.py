"""Texts as the presence judge reads them: tokens with their states, words, and the sentences of both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.encoder.idf import load_background_weights
from gistmeter.models.runtime.states import scale_to_unit_length
from gistmeter.text.analysis import Analysis
from gistmeter.text.background import load_background
from gistmeter.text.sentences import resolve_sentence_rule, split_sentences
from gistmeter.text.stems import get_stemmer
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import find_words, normalize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import BoolArray, FloatArray, IntArray
    from gistmeter.models.runtime.states import Encoded, StateArray


LAYERS = (0, 2, 3, 4, 5, 6)
"""Whose states of tokens are compared."""

POOLED_LAYERS = (4, 6)
"""Whose states are averaged over sentences."""


@dataclass(frozen=True, slots=True, eq=False)
class DescribedText:
    """A text as the judge reads it: its tokens with their states, its words, and the sentences of both."""

    states: Mapping[int, StateArray]
    """By layer, each of length 1."""

    pooled: Mapping[int, StateArray]
    """By layer the mean state of each sentence, of length 1; under -1 that of the whole text."""

    rarity: FloatArray
    sentence: IntArray
    word: IntArray
    """The word each token belongs to, or -1."""

    stems: tuple[str, ...]
    word_sentence: IntArray
    content: BoolArray
    capital: BoolArray
    number: BoolArray
    word_rarity: FloatArray

    def __len__(self) -> int:
        return len(self.rarity)


def describe_texts(texts: Sequence[str]) -> dict[str, DescribedText]:
    """Texts as the judge reads them, each encoded once."""
    distinct = list(dict.fromkeys(texts))
    weights = load_background_weights("embedded", "en")
    encodings = load_encoder().encode([normalize(text) for text in distinct], LAYERS)
    described = {}
    for text, encoded in zip(distinct, encodings, strict=True):
        inner = ~encoded.special
        described[text] = _describe(encoded, weights(encoded)[inner])
    return described


def summary_sentences(text: str) -> list[str]:
    """The sentences of a summary: its lines where it has several, else what the splitter finds."""
    return split_sentences(text, resolve_sentence_rule("auto", text))


def _describe(encoded: Encoded, rarity: FloatArray) -> DescribedText:
    inner = ~encoded.special
    token_starts = encoded.starts[inner]
    words = find_words(encoded.text)
    frequencies = load_background(Analysis(tokenizer="unicode", language="en"))
    stem, function = get_stemmer("porter"), load_stopwords("language", "en")
    starts = np.array([word.start for word in words], dtype=np.int64)
    ends = np.array([word.end for word in words], dtype=np.int64)
    word = np.searchsorted(starts, token_starts, side="right") - 1
    if len(words):
        word = np.where((word >= 0) & (token_starts < ends[np.maximum(word, 0)]), word, -1)
    bounds = _sentence_starts(encoded.text)
    of_sentence = np.maximum(np.searchsorted(bounds, token_starts, side="right") - 1, 0)
    states = {layer: encoded.states[layer][inner] for layer in LAYERS}
    return DescribedText(
        states={layer: scale_to_unit_length(layer_states) for layer, layer_states in states.items()},
        pooled=_pool_sentences(states, of_sentence),
        rarity=rarity,
        sentence=of_sentence,
        word=word,
        stems=tuple(stem(span.text) for span in words),
        word_sentence=np.maximum(np.searchsorted(bounds, starts, side="right") - 1, 0),
        content=np.array([span.text not in function for span in words], dtype=bool),
        capital=np.array([encoded.text[span.start].isupper() for span in words], dtype=bool),
        number=np.array([any(letter.isdigit() for letter in span.text) for span in words], dtype=bool),
        word_rarity=np.array([frequencies.idf(span.text) for span in words], dtype=np.float64),
    )


def _sentence_starts(text: str) -> IntArray:
    at, starts = 0, []
    for sentence in summary_sentences(text):
        at = max(text.find(sentence, at), at)
        starts.append(at)
        at += len(sentence)
    return np.array(starts, dtype=np.int64)


def _pool_sentences(states: Mapping[int, StateArray], sentence: IntArray) -> dict[int, StateArray]:
    if not len(sentence):
        return {}
    first = np.flatnonzero(np.r_[True, sentence[1:] != sentence[:-1]])
    sums = {layer: np.add.reduceat(states[layer], first, axis=0) for layer in POOLED_LAYERS}
    sums[-1] = states[POOLED_LAYERS[-1]].sum(axis=0, keepdims=True)
    return {layer: scale_to_unit_length(layer_sums) for layer, layer_sums in sums.items()}
