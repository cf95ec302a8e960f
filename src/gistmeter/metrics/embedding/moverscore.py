"""MoverScore: how far the meaning of a summary must be moved to become that of a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import DataError, MetricError
from gistmeter.extras import require
from gistmeter.metrics.embedding.token_metric import TokenMetric
from gistmeter.metrics.grouping import by_language
from gistmeter.metrics.metric import Column
from gistmeter.models.encoder.encoder import check_language
from gistmeter.text.stopwords import StopwordList, stopwords
from gistmeter.text.words import normalize, word_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example
    from gistmeter.models.encoder.greedy import StateArray
    from gistmeter.models.runtime.states import Encoded

_MOST_CELLS = 20_000_000
_MOST_STEPS = 2_000_000
_POWER_LAYERS = 5


@dataclass(frozen=True, slots=True)
class MoverScore(TokenMetric):
    """MoverScore (Zhao et al., 2019): 1 minus the cost of moving the summary's n-grams onto the reference's.

    An n-gram's vector is the idf-weighted mean of its tokens' states, scaled to length 1; it carries the sum of its
    tokens' idf as mass; moving mass costs the Euclidean distance, and the cheapest way is found exactly. 1 means
    equal texts; vectors of unrelated ones lie at most 2 apart. Of several references the mean counts.

    `n` is 1 or 2. `tokens=words` keeps, of each word, its first token, and no punctuation, as the published programme
    does; `tokens=all` keeps everything but special tokens. `states=layer` reads one layer, and `states=powers` joins
    the least, mean and greatest value over that layer and the four below it, as in the paper. The paper counts idf
    over summaries and references apart; here one idf serves both.

    A summary without tokens scores 0. A reference without tokens is left out; with no other the score is missing
    (NaN).

    >>> from gistmeter.example import Example
    >>> one = Example(doc_id="d", system="s", summary="The mat.", references=("The mat.",))
    >>> MoverScore().score([one]).round(4)
    array([[1.]])
    """

    n: int = 1
    stopwords: StopwordList = "none"
    tokens: Literal["words", "all"] = "words"
    states: Literal["layer", "powers"] = "layer"

    name = "moverscore"
    paper: ClassVar[str] = "Zhao et al. (2019), MoverScore: Text Generation Evaluating with Contextualized Embeddings"
    columns = (Column("score", "1 minus the cost of moving the summary's n-grams onto the reference's"),)

    def __post_init__(self) -> None:
        TokenMetric.__post_init__(self)
        if self.n not in (1, 2):
            raise MetricError(f"moverscore cannot have n={self.n}: it moves n-grams of 1 or 2 words")

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """MoverScore of each example."""
        scores = np.full((len(examples), 1), np.nan)
        for language, rows in by_language(examples).items():
            check_language(self.model, language, self.name)
            some = [examples[row] for row in rows]
            texts = list(dict.fromkeys(text for one in some for text in (one.summary, *one.references)))
            grams = dict(zip(texts, self.grams(texts, language), strict=True))
            for row, one in zip(rows, some, strict=True):
                found = [
                    self._similarity(grams[one.summary], grams[text], one.name)
                    for text in one.references
                    if len(grams[text].masses)
                ]
                if found:
                    scores[row] = np.mean(found)
        return scores

    def explain(self, example: Example) -> Evidence:
        """The transport: for each word of the reference, where its mass comes from."""
        from gistmeter.metrics.embedding.transport_evidence import explain_transport

        return explain_transport(self, example)

    def transport(self, mine: Grams, theirs: Grams, name: str) -> Transport:
        """The cheapest way to move the mass of one text onto another; `name` is whose texts they are."""
        self._check_size(mine, theirs, name)
        ot = require("ot", "moverscore (POT)")
        distances = _distances(mine, theirs)
        flows = ot.emd(mine.masses, theirs.masses, distances, numItermax=_MOST_STEPS)
        return Transport(np.asarray(flows), distances)

    def _check_size(self, mine: Grams, theirs: Grams, name: str) -> None:
        if len(mine.masses) * len(theirs.masses) > _MOST_CELLS:
            raise DataError(
                f"{name} is too long for moverscore: it would move {len(mine.masses)} n-grams onto "
                f"{len(theirs.masses)}; use bertscore, which has no such limit"
            )

    def _similarity(self, mine: Grams, theirs: Grams, name: str) -> float:
        if not len(mine.masses):
            return 0.0
        self._check_size(mine, theirs, name)
        ot = require("ot", "moverscore (POT)")
        distances = _distances(mine, theirs)
        return 1.0 - float(ot.emd2(mine.masses, theirs.masses, distances, numItermax=_MOST_STEPS))

    def grams(self, texts: Sequence[str], language: str) -> list[Grams]:
        """The n-grams of each text."""
        layer = self.resolved_layer
        layers = range(max(layer - _POWER_LAYERS + 1, 0), layer + 1) if self.states == "powers" else (layer,)
        weights = self._weights(language)
        found = []
        for encoded in self._encoder().encode([normalize(text) for text in texts], list(layers)):
            kept = self._kept(encoded, language)
            states = [encoded.states[one][kept] for one in layers]
            if self.states == "powers":
                stacked = np.stack(states)
                states = [stacked.min(axis=0), stacked.mean(axis=0), stacked.max(axis=0)]
            spans = np.stack([encoded.starts[kept], encoded.ends[kept]], axis=1)
            found.append(_grams(np.concatenate(states, axis=1), weights(encoded)[kept], self.n, spans))
        return found

    def _kept(self, encoded: Encoded, language: str) -> NDArray[np.int64]:
        """The tokens that are moved; where that leaves none, as in a text of punctuation, all that are not special."""
        plain = np.flatnonzero(~encoded.special)
        if self.tokens == "all" and self.stopwords == "none":
            return plain
        dropped = stopwords(self.stopwords, language)
        spans = word_spans(encoded.text, language=language)
        starts = np.array([word.start for word in spans] or [0])
        ends = np.array([word.end for word in spans] or [0])
        at = np.searchsorted(starts, encoded.starts[plain], side="right") - 1
        inside = (at >= 0) & (encoded.starts[plain] < ends[at])
        stop = np.array([word.text in dropped for word in spans] or [False])
        if self.tokens == "words":
            first = np.r_[True, at[1:] != at[:-1]] if len(at) else np.zeros(0, dtype=np.bool_)
            wanted = inside & first & ~stop[at]
        else:
            wanted = ~(inside & stop[at])
        return plain[wanted] if wanted.any() else plain


@dataclass(frozen=True, slots=True, eq=False)
class Grams:
    """The n-grams of a text: vectors of length 1, and masses that sum to 1.

    `spans` are the places of their tokens in the text (n-gram x token x start and end), `shares` how much of an
    n-gram's mass each token brings.
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


def _distances(mine: Grams, theirs: Grams) -> FloatArray:
    return np.asarray(np.sqrt(np.maximum(2 - 2 * (mine.vectors @ theirs.vectors.T), 0.0)))


def _grams(states: StateArray, weights: FloatArray, n: int, spans: NDArray[np.int64] | None = None) -> Grams:
    """The n-grams of tokens; a text shorter than n is one n-gram."""
    spans = np.zeros((len(states), 2), dtype=np.int64) if spans is None else spans
    if not len(states):
        return Grams(np.zeros(states.shape), np.zeros(0), spans[:, None], np.zeros((0, 1)))
    if weights.sum() <= 0:
        weights = np.ones(len(weights))
    size = min(n, len(states))
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(len(states)), size)
    masses = weights[windows].sum(axis=1)
    shares = np.divide(weights[windows], masses[:, None], out=np.zeros(windows.shape), where=masses[:, None] > 0)
    vectors = np.einsum("gk,gkd->gd", shares, states[windows])
    # in double precision: the distance of near vectors is the root of a small difference
    lengths = np.sqrt(np.einsum("gd,gd->g", vectors, vectors))[:, None]
    return Grams(vectors / np.where(lengths > 0, lengths, 1), masses / masses.sum(), spans[windows], shares)
