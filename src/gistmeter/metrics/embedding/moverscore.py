"""MoverScore: how far the meaning of a summary must be moved to become that of a reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import DataError, MetricError
from gistmeter.evidence import Evidence, Pane
from gistmeter.metrics.embedding.token_metric import TokenMetric
from gistmeter.metrics.embedding.transport import build_grams, compute_cost, find_transport
from gistmeter.metrics.embedding.transport_evidence import GramText, explain_transport
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.metric import Column
from gistmeter.text.languages import language_code
from gistmeter.text.stopwords import StopwordList, load_stopwords
from gistmeter.text.words import find_words, normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.embedding.transport import Grams
    from gistmeter.models.runtime.states import Encoded

_MAX_GRAM_PAIRS = 20_000_000
_POWER_LAYERS = 5


@dataclass(frozen=True, slots=True)
class MoverScore(TokenMetric):
    """MoverScore (Zhao et al., 2019): 1 minus the cost of moving the summary's n-grams onto the reference's.

    The vector of an n-gram is the idf-weighted mean of its tokens' states, scaled to length 1; its mass is the sum of
    its tokens' idf. Moving mass costs the Euclidean distance, and the cheapest transport is computed exactly. Equal
    texts score 1; vectors of unrelated texts are at most 2 apart. With several references the score is the mean over
    them.

    `n` is 1 or 2. `tokens=words` takes the first token of each word and no punctuation, as the published program does;
    `tokens=all` takes everything but special tokens. `states=layer` reads one layer; `states=powers` joins the minimum,
    mean and maximum over that layer and the four below it, as in the paper. The paper computes idf for summaries and
    references separately; here one idf serves both.

    A summary without tokens scores 0. A reference without tokens is left out; without any other reference the score is
    missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="The mat.", references=("The mat.",))
    >>> MoverScore().score([example]).round(4)
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
        for language, rows in group_by_language(examples).items():
            texts = list(
                dict.fromkeys(text for row in rows for text in (examples[row].summary, *examples[row].references))
            )
            grams = dict(zip(texts, self.read_grams(texts, language), strict=True))
            for row in rows:
                example = examples[row]
                similarities = [
                    self._score_pair(grams[example.summary], grams[text], example.name)
                    for text in example.references
                    if len(grams[text].masses)
                ]
                if similarities:
                    scores[row] = np.mean(similarities)
        return scores

    def explain(self, example: Example) -> Evidence:
        """The transport: for each word of the reference, where its mass comes from."""
        code = language_code(example.language)
        summary, *references = (normalize(text) for text in (example.summary, *example.references))
        summary_grams, *grams_of_references = self.read_grams([summary, *references], code)
        usable = [index for index, grams in enumerate(grams_of_references) if len(grams.masses)]
        if not usable:
            return Evidence(self.spelling, "there is no reference with words", (Pane("summary", summary),))
        if not len(summary_grams.masses):
            panes = (Pane("summary", summary), Pane("reference", references[usable[0]]))
            return Evidence(self.spelling, "the summary has no words", panes)
        for index in usable:
            _check_size(summary_grams, grams_of_references[index], example.name)
        transports = [find_transport(summary_grams, grams_of_references[index]) for index in usable]
        scores = [1 - transport.cost for transport in transports]
        best = int(np.argmax(scores))
        chosen = usable[best]
        several = len(references) > 1
        number = f" {chosen + 1} of {len(references)}, the best match" if several else ""
        mean = f" with this reference, {np.mean(scores):.3f} on average" if several else ""
        unit = "word" if self.n == 1 else f"{self.n}-gram"
        return explain_transport(
            self.spelling,
            f"score {scores[best]:.3f}{mean}: every {unit} of the reference with those of the summary that its mass "
            f"comes from, at layer {self.choose_layer(code)}",
            GramText("summary", summary, summary_grams),
            GramText(f"reference{number}", references[chosen], grams_of_references[chosen]),
            transports[best],
            unit=unit,
        )

    def _score_pair(self, summary: Grams, reference: Grams, name: str) -> float:
        """1 minus the cost of moving the summary onto the reference; `name` says whose texts they are."""
        if not len(summary.masses):
            return 0.0
        _check_size(summary, reference, name)
        return 1.0 - compute_cost(summary, reference)

    def read_grams(self, texts: Sequence[str], language: str) -> list[Grams]:
        """The n-grams of each text, as points with mass."""
        layer = self.choose_layer(language)
        layers = range(max(layer - _POWER_LAYERS + 1, 0), layer + 1) if self.states == "powers" else (layer,)
        weigh = self._choose_weights(language)
        grams = []
        for encoded in self._load_encoder(language).encode([normalize(text) for text in texts], list(layers)):
            moved = self._choose_tokens(encoded, language)
            states = [encoded.states[layer][moved] for layer in layers]
            if self.states == "powers":
                stacked = np.stack(states)
                states = [stacked.min(axis=0), stacked.mean(axis=0), stacked.max(axis=0)]
            spans = np.stack([encoded.starts[moved], encoded.ends[moved]], axis=1)
            grams.append(build_grams(np.concatenate(states, axis=1), weigh(encoded)[moved], self.n, spans))
        return grams

    def _choose_tokens(self, encoded: Encoded, language: str) -> NDArray[np.int64]:
        """The tokens that are moved; where that leaves none, as in a text of punctuation, all that are not special."""
        plain = np.flatnonzero(~encoded.special)
        if self.tokens == "all" and self.stopwords == "none":
            return plain
        stop_words = load_stopwords(self.stopwords, language)
        words = find_words(encoded.text, language=language)
        starts = np.array([word.start for word in words] or [0])
        ends = np.array([word.end for word in words] or [0])
        owners = np.searchsorted(starts, encoded.starts[plain], side="right") - 1
        inside = (owners >= 0) & (encoded.starts[plain] < ends[owners])
        is_stop = np.array([word.text in stop_words for word in words] or [False])
        if self.tokens == "words":
            is_first = np.r_[True, owners[1:] != owners[:-1]] if len(owners) else np.zeros(0, dtype=np.bool_)
            moved = inside & is_first & ~is_stop[owners]
        else:
            moved = ~(inside & is_stop[owners])
        return plain[moved] if moved.any() else plain


def _check_size(summary: Grams, reference: Grams, name: str) -> None:
    """Refuse texts whose transport would not fit into memory."""
    if len(summary.masses) * len(reference.masses) > _MAX_GRAM_PAIRS:
        raise DataError(
            f"{name} is too long for moverscore: it would move {len(summary.masses)} n-grams onto "
            f"{len(reference.masses)}; use bertscore, which has no such limit"
        )
