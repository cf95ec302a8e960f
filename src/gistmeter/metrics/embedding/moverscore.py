"""MoverScore: how far the meaning of a summary must be moved to become that of a reference."""

from __future__ import annotations

import string
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import numpy as np

from gistmeter.errors import DataError, MetricError
from gistmeter.evidence import Evidence, Pane
from gistmeter.metrics.embedding.token_metric import TokenMetric
from gistmeter.metrics.embedding.transport import build_grams, compute_cost, find_transport
from gistmeter.metrics.embedding.transport_evidence import GramText, explain_transport
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.metric import Column
from gistmeter.metrics.settings import Within
from gistmeter.models.encoder.idf import Idf, ReferenceWeights, count_reference_weights
from gistmeter.models.runtime.locate import EMBEDDED_NAME, MULTILINGUAL_NAME
from gistmeter.text.languages import language_code
from gistmeter.text.stopwords import StopwordList, load_stopwords
from gistmeter.text.words import find_words, normalize
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.embedding.transport import Grams
    from gistmeter.models.encoder.idf import TokenWeights
    from gistmeter.models.runtime.states import Encoded

Side = Literal["summary", "reference"]
_MAX_GRAM_PAIRS = 20_000_000
_POWER_LAYERS = 5


@dataclass(frozen=True, slots=True)
class MoverScore(TokenMetric):
    """MoverScore (Zhao et al., 2019): 1 minus the cost of moving the summary's n-grams onto the reference's.

    The vector of an n-gram is the idf-weighted mean of its tokens' states, scaled to length 1; its mass is the sum of
    its tokens' idf. Moving mass costs the Euclidean distance, and the cheapest transport is computed exactly. Equal
    texts score 1; vectors of unrelated texts are at most 2 apart. With several references the score is the mean over
    them.

    `n` is 1 or 2. `states=layer` reads one layer, by default the last; `states=powers` joins the minimum, mean and
    maximum over that layer and the four below it, as in the paper.

    A model that is named is read as the published program reads it, unless settings say otherwise: `idf=separate`
    weights the tokens of summaries by how rare they are in the summaries of the run, and those of references by its
    references; `tokens=published` leaves out what continues a word (`##`) and ASCII punctuation. The embedded model has
    `idf=background`, one idf for both that does not depend on the rest of the run, and `tokens=words`, the first token
    of each word; `tokens=all` takes everything but special tokens. (The program's second version reports 1 / (1 +
    cost) where the paper, and this metric, have 1 - cost.)

    A summary without tokens scores 0. A reference without tokens is left out; without any other reference the score is
    missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="The mat.", references=("The mat.",))
    >>> MoverScore().score([example]).round(4)
    array([[1.]])
    """

    idf: Idf = "auto"
    n: Annotated[int, Within(1, 2, unit="words")] = 1
    stopwords: StopwordList = "none"
    tokens: Literal["auto", "words", "published", "all"] = "auto"
    states: Literal["layer", "powers"] = "layer"
    fitted_summaries: tuple[tuple[str, ReferenceWeights], ...] = field(default=(), repr=False, metadata={"state": True})
    """Weights from the summaries of a run, by language."""

    name = "moverscore"
    paper: ClassVar[str] = "Zhao et al. (2019), MoverScore: Text Generation Evaluating with Contextualized Embeddings"
    columns = (Column("score", "1 minus the cost of moving the summary's n-grams onto the reference's"),)

    def choose_layer(self, language: str) -> int:
        """The layer that is read in a language: the one given, or the last."""
        if self.layer is not None or self._is_embedded:
            return TokenMetric.choose_layer(self, language)
        return self._load_encoder(language).depth

    @property
    def fits(self) -> bool:
        """Whether weights are to come from all references, and perhaps summaries, of the run."""
        return self.choose_idf("en") in ("references", "separate") and self.fitted is None

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric with weights from the references of these examples, with `idf=separate` also the summaries."""
        run = list(examples)
        fitted = TokenMetric.fit(self, run)
        if self.choose_idf("en") != "separate":
            return fitted
        by_language = {
            code: [run[row].summary for row in rows] for code, rows in sorted(group_by_language(run).items())
        }
        weights = tuple(
            (code, count_reference_weights(self._load_encoder(code), texts)) for code, texts in by_language.items()
        )
        return replace(fitted, fitted_summaries=weights)

    def facts(self) -> Mapping[str, str]:
        """The layer and tokens read, and digests of the model and of the weights of tokens."""
        facts = {**TokenMetric.facts(self), "tokens": self._chosen_tokens}
        if self.fitted is not None and self.choose_idf("en") == "separate":
            digests = [weights.digest for _, weights in (*self.fitted, *self.fitted_summaries)]
            facts["idf"] = "-".join(["separate", *digests])
        return facts

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """MoverScore of each example."""
        scores = np.full((len(examples), 1), np.nan)
        for language, rows in group_by_language(examples).items():
            summaries = list(dict.fromkeys(examples[row].summary for row in rows))
            references = list(dict.fromkeys(text for row in rows for text in examples[row].references))
            summary_grams = dict(zip(summaries, self.read_grams(summaries, language, "summary"), strict=True))
            grams = dict(zip(references, self.read_grams(references, language), strict=True))
            for row in rows:
                example = examples[row]
                similarities = [
                    self._score_pair(summary_grams[example.summary], grams[text], example.name)
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
        (summary_grams,) = self.read_grams([summary], code, "summary")
        grams_of_references = self.read_grams(references, code)
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

    def read_grams(self, texts: Sequence[str], language: str, side: Side = "reference") -> list[Grams]:
        """The n-grams of each text, as points with mass; `side` decides the weights where these are separate."""
        layer = self.choose_layer(language)
        layers = range(max(layer - _POWER_LAYERS + 1, 0), layer + 1) if self.states == "powers" else (layer,)
        if self.states == "powers" and self._choose_model(language) == MULTILINGUAL_NAME:
            raise MetricError(
                f"moverscore(states=powers) joins layers of one width, which {MULTILINGUAL_NAME} has not, and that "
                f"reads {language!r}: leave states out, or name a model"
            )
        weigh = self._weigh_side(language, side)
        grams = []
        for encoded in self._load_encoder(language).encode([normalize(text) for text in texts], list(layers)):
            moved = self._choose_tokens(encoded, language)
            states = [encoded.states[layer][moved] for layer in layers]
            if self.states == "powers":
                stacked = np.stack(states)
                states = [stacked.min(axis=0), stacked.mean(axis=0), stacked.max(axis=0)]
            spans = _find_spans(encoded, moved)
            grams.append(build_grams(np.concatenate(states, axis=1), weigh(encoded)[moved], self.n, spans))
        return grams

    def _choose_tokens(self, encoded: Encoded, language: str) -> NDArray[np.int64]:
        """The tokens that are moved; where that leaves none, as in a text of punctuation, all that are not special."""
        plain = np.flatnonzero(~encoded.special)
        if self._chosen_tokens == "all" and self.stopwords == "none":
            return plain
        stop_words = load_stopwords(self.stopwords, language)
        if self._chosen_tokens == "published":
            spelt = self._load_encoder(language).spell(encoded.ids.tolist())
            moved = np.array([_is_moved(token) and token.lower() not in stop_words for token in spelt], dtype=np.bool_)
            if not moved[plain].any():
                return plain
            # the marks at either end weigh nothing, but there are pairs of them with the words beside them
            return np.flatnonzero(moved if self.n > 1 else moved & ~encoded.special)
        words = find_words(encoded.text, language=language)
        starts = np.array([word.start for word in words] or [0])
        ends = np.array([word.end for word in words] or [0])
        owners = np.searchsorted(starts, encoded.starts[plain], side="right") - 1
        inside = (owners >= 0) & (encoded.starts[plain] < ends[owners])
        is_stop = np.array([word.text in stop_words for word in words] or [False])
        if self._chosen_tokens == "words":
            is_first = np.r_[True, owners[1:] != owners[:-1]] if len(owners) else np.zeros(0, dtype=np.bool_)
            moved = inside & is_first & ~is_stop[owners]
        else:
            moved = ~(inside & is_stop[owners])
        return plain[moved] if moved.any() else plain

    @property
    def _is_embedded(self) -> bool:
        return self.model in (EMBEDDED, EMBEDDED_NAME, MULTILINGUAL_NAME)

    @property
    def _chosen_tokens(self) -> Literal["words", "published", "all"]:
        if self.tokens != "auto":
            return self.tokens
        return "words" if self._is_embedded else "published"

    def choose_idf(self, language: str) -> Idf:
        """The weights of tokens in a language: for a model that is named separate ones, as published."""
        if self.idf == "auto" and not self._is_embedded:
            return "separate"
        return TokenMetric.choose_idf(self, language)

    def _weigh_side(self, language: str, side: Side) -> TokenWeights:
        """What weighs the tokens of summaries or of references."""
        if side == "reference" or self.choose_idf(language) != "separate" or self.fitted is None:
            return self._choose_weights(language)
        return dict(self.fitted_summaries).get(language_code(language)) or ReferenceWeights({}, 0)


def _is_moved(token: str) -> bool:
    """Whether the published program moves a token: one that begins a word and is no mark of ASCII.

    >>> [_is_moved(token) for token in ("bridge", "##s", ",", "’")]
    [True, False, False, True]
    """
    return "##" not in token and token not in string.punctuation


def _find_spans(encoded: Encoded, moved: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where tokens stand in the text, start and end; a mark, which stands nowhere, with its neighbour."""
    spans = np.stack([encoded.starts[moved], encoded.ends[moved]], axis=1)
    plain = np.flatnonzero(~encoded.special[moved])
    if 0 < len(plain) < len(moved):
        spans[: plain[0]], spans[plain[-1] + 1 :] = spans[plain[0]], spans[plain[-1]]
    return spans


def _check_size(summary: Grams, reference: Grams, name: str) -> None:
    """Refuse texts whose transport would not fit into memory."""
    if len(summary.masses) * len(reference.masses) > _MAX_GRAM_PAIRS:
        raise DataError(
            f"{name} is too long for moverscore: it would move {len(summary.masses)} n-grams onto "
            f"{len(reference.masses)}; use bertscore, which has no such limit"
        )
