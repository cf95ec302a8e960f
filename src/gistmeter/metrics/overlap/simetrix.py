"""SIMetrix: how close the words of a summary are to those of its source, without references.

Louis and Nenkova compare the words of a summary and of its source as probability distributions, as vectors, and by
the source's topic words. Definitions are those of their papers. Where their program, SIMetrix, differs this is said
below, because both kinds of numbers are in print.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError, MetricError
from gistmeter.metrics.extracts import TokenExtracts
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.text.analysis import Analysis
from gistmeter.text.background import check_background, load_background
from gistmeter.text.languages import language_code
from gistmeter.text.stems import STEM_CHOICES, check_stem, resolve_stem
from gistmeter.text.stopwords import StopwordList, load_stopwords
from gistmeter.text.words import Tokenizer  # noqa: TC001

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.extracts import ExtractScorer

_ADDED_COUNT = 0.0005
_OUTCOMES_PER_TYPE = 1.5
_MIN_TOPIC_RATIO = 10.83
"""Chi-square with one degree of freedom at 0.001."""

_PAPER = "Louis and Nenkova (2013), Automatically Assessing Machine Summary Content Without a Gold Standard"


@dataclass(frozen=True, slots=True)
class JensenShannon(Metric):
    """The Jensen-Shannon divergence between the words (or pairs of words) of a summary and of its source.

    It is the mean of the Kullback-Leibler divergences of the two distributions from their average, with
    logarithms to base 2: 0 for equal distributions, 1 for texts that share nothing. `smooth` adds 0.0005 to
    each count, as for `simetrix`. Stop words are removed before pairs are formed.

    A summary without words (without pairs, for order=2) has 1, like any that shares nothing with its source. A
    document without words gives NaN. Several documents count as one.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="green tea", document="black tea")
    >>> JensenShannon().score([example])
    array([[0.5]])
    """

    order: Literal[1, 2] = 1
    smooth: bool = False
    tokenizer: Tokenizer = "unicode"
    stem: str = field(default="auto", metadata={"takes": STEM_CHOICES})
    stopwords: StopwordList = "language"

    name = "js"
    paper = _PAPER
    needs = frozenset[Need]({"document"})
    columns = (Column("divergence", "Jensen-Shannon divergence of the summary's words from the source's", "lower"),)

    def __post_init__(self) -> None:
        check_stem(self.stem)
        _check_order(self.name, self.order)

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The divergence of each summary from its source."""
        scores = np.full((len(examples), 1), np.nan)
        for row, example in enumerate(examples):
            analysis = _build_analysis(self, example)
            source = _read_source(analysis, self.order, example.document or "")
            scores[row] = self._score_tokens(source, analysis.tokens(example.summary))
        return scores

    def read_extracts(self, example: Example, sentences: Sequence[str]) -> ExtractScorer:
        """Extracts by the words of their sentences."""
        analysis = _build_analysis(self, example)
        source = _read_source(analysis, self.order, example.document or "")
        return TokenExtracts(
            tuple(map(analysis.tokens, sentences)), lambda tokens: (self._score_tokens(source, tokens),)
        )

    def _score_tokens(self, source: _Source, tokens: Sequence[str]) -> float:
        """The divergence of a summary of these tokens; NaN where the source has none."""
        if not source.total:
            return math.nan
        pair = source.pair_with(tokens)
        return pair.compute_smoothed_jensen_shannon() if self.smooth else pair.compute_jensen_shannon()

    def check_language(self, code: str) -> None:
        """Refuse a language without stop words, where they are dropped."""
        load_stopwords(self.stopwords, code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the stemmer that follows from it."""
        return _describe_language(self, example)


@dataclass(frozen=True, slots=True)
class Simetrix(Metric):
    """Eight comparisons of a summary with its source (Louis and Nenkova, 2009 and 2013).

    Divergences are in bits and, with order=2, of pairs of words. Smoothing adds 0.0005 to each count and
    takes 1.5 times the source's different words for the number of possible words, as in the papers (the
    program adds 0.005 and takes natural logarithms). Smoothed values need not sum to 1, so they can fall a
    little outside their usual range.

    Topic words are the source's words that are more frequent than in general language, with a log-likelihood
    ratio over 10.83 (p = 0.001; Lin and Hovy, 2000). Cosines weight each count with an idf. Both are judged
    against word frequencies of the language (`gistmeter.text.background` says how; the papers used a news
    corpus), which exist for en, id, fr, tr, zh, ru, de and es.

    A summary without words has js and js_smoothed 1, and 0 for the cosines and shares; it has no distribution to
    diverge, so that both Kullback-Leibler divergences are NaN. (By the formula the smoothed weights of no words add up
    to two thirds, and a summary of nothing would have the best divergence of all, below 0.) A document without words
    gives NaN; topic_overlap and topic_words are also NaN where the source has no topic words. Several documents count
    as one.
    """

    order: Literal[1, 2] = 1
    tokenizer: Tokenizer = "unicode"
    stem: str = field(default="auto", metadata={"takes": STEM_CHOICES})
    stopwords: StopwordList = "language"

    name = "simetrix"
    paper = _PAPER
    needs = frozenset[Need]({"document"})
    columns = (
        Column(
            "kl_summary_source",
            "smoothed Kullback-Leibler divergence of the summary from the source",
            "lower",
        ),
        Column(
            "kl_source_summary",
            "smoothed Kullback-Leibler divergence of the source from the summary",
            "lower",
        ),
        Column("js", "Jensen-Shannon divergence of summary and source", "lower"),
        Column("js_smoothed", "Jensen-Shannon divergence of the smoothed distributions", "lower"),
        Column("cosine", "cosine of the tf-idf vectors of summary and source"),
        Column("topic_overlap", "cosine of the tf-idf vectors of the summary and of the source's topic words"),
        Column("topic_words", "share of the source's topic words that stand in the summary"),
        Column("topic_tokens", "share of the summary's words that are topic words of the source"),
    )

    def __post_init__(self) -> None:
        check_stem(self.stem)
        _check_order(self.name, self.order)

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """All comparisons, for each summary."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        for row, example in enumerate(examples):
            analysis = _build_analysis(self, example)
            scores[row] = self._score_tokens(example, analysis, analysis.tokens(example.summary))
        return scores

    def read_extracts(self, example: Example, sentences: Sequence[str]) -> ExtractScorer:
        """Extracts by the words of their sentences."""
        analysis = _build_analysis(self, example)
        return TokenExtracts(
            tuple(map(analysis.tokens, sentences)), lambda tokens: self._score_tokens(example, analysis, tokens)
        )

    def _score_tokens(self, example: Example, analysis: Analysis, tokens: Sequence[str]) -> tuple[float, ...]:
        """All comparisons for a summary of these tokens; NaN where the source has none."""
        source = _read_source(analysis, self.order, example.document or "")
        if not source.total:
            return (math.nan,) * len(self.columns)
        plain = source.pair_with(tokens)
        smoothed = plain.smooth()
        return (
            _compute_divergence(smoothed.summary, smoothed.source) if plain.summary_total else math.nan,
            _compute_divergence(smoothed.source, smoothed.summary) if plain.summary_total else math.nan,
            plain.compute_jensen_shannon(),
            plain.compute_smoothed_jensen_shannon(),
            *_weigh_source(example, analysis).compare(Counter(tokens)),
        )

    def check_language(self, code: str) -> None:
        """Refuse a language without frequencies, or without stop words where they are dropped."""
        load_stopwords(self.stopwords, code)
        check_background(code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the stemmer that follows from it."""
        return _describe_language(self, example)


@dataclass(frozen=True, slots=True)
class _Pair:
    """The probabilities of the same outcomes in a summary and in its source, and what they came from."""

    summary: FloatArray
    source: FloatArray
    summary_total: int
    source_total: int
    source_types: int

    def compute_jensen_shannon(self) -> float:
        if not self.summary_total:
            return 1.0
        middle = (self.summary + self.source) / 2
        return (_compute_divergence(self.summary, middle) + _compute_divergence(self.source, middle)) / 2

    def compute_smoothed_jensen_shannon(self) -> float:
        return self.smooth().compute_jensen_shannon()

    def smooth(self) -> _Pair:
        added = _ADDED_COUNT * _OUTCOMES_PER_TYPE * self.source_types
        return _Pair(
            summary=(self.summary * self.summary_total + _ADDED_COUNT) / (self.summary_total + added),
            source=(self.source * self.source_total + _ADDED_COUNT) / (self.source_total + added),
            summary_total=self.summary_total,
            source_total=self.source_total,
            source_types=self.source_types,
        )


@dataclass(frozen=True, slots=True)
class _Source:
    """The counts of a source's words or pairs of words, in one fixed order."""

    order: int
    index: dict[tuple[str, ...], int]
    counts: FloatArray
    total: int

    def pair_with(self, tokens: Sequence[str]) -> _Pair:
        """The source's distribution and that of a summary, over the words of both."""
        summary_counts = _count_grams(tokens, self.order)
        size = len(self.index) + len(summary_counts.keys() - self.index.keys())
        summary, source = np.zeros(size), np.zeros(size)
        source[: len(self.index)] = self.counts / self.total
        total = sum(summary_counts.values())
        next_new = len(self.index)
        for gram, count in summary_counts.items():
            column = self.index.get(gram, -1)
            if column < 0:
                column, next_new = next_new, next_new + 1
            summary[column] = count / total
        return _Pair(
            summary=summary, source=source, summary_total=total, source_total=self.total, source_types=len(self.index)
        )


@dataclass(frozen=True, slots=True)
class _WeightedSource:
    """A source's tf-idf vector and its topic words."""

    analysis: Analysis
    weights: dict[str, float]
    topics: frozenset[str]

    def compare(self, summary: Mapping[str, int]) -> tuple[float, float, float, float]:
        """Cosine, topic overlap, topic words covered, share of topic tokens."""
        idf = load_background(self.analysis).idf
        summary_weights = {token: count * idf(token) for token, count in summary.items()}
        # In the order of the weights: a set's order, and so the last digit of a sum, changes between processes.
        topic_weights = {token: weight for token, weight in self.weights.items() if token in self.topics}
        topic_counts = [count for token, count in summary.items() if token in self.topics]
        return (
            _compute_cosine(summary_weights, self.weights),
            _compute_cosine(summary_weights, topic_weights) if self.topics else math.nan,
            len(topic_counts) / len(self.topics) if self.topics else math.nan,
            sum(topic_counts) / max(sum(summary.values()), 1),
        )


@functools.lru_cache(maxsize=512)
def _read_source(analysis: Analysis, order: int, text: str) -> _Source:
    counts = _count_grams(analysis.tokens(text), order)
    index = {gram: column for column, gram in enumerate(counts)}
    return _Source(
        order=order, index=index, counts=np.array(list(counts.values()), dtype=float), total=sum(counts.values())
    )


def _weigh_source(example: Example, analysis: Analysis) -> _WeightedSource:
    try:
        return _weigh_text(analysis, example.document or "")
    except DataError as error:
        raise DataError(f"simetrix cannot score {example.name}: {error}; `js` needs none") from None


@functools.lru_cache(maxsize=512)
def _weigh_text(analysis: Analysis, text: str) -> _WeightedSource:
    general = load_background(analysis)
    tokens = analysis.tokens(text)
    counts = Counter(tokens)
    topics = frozenset(
        token for token, count in counts.items() if general.log_likelihood(count, len(tokens), token) > _MIN_TOPIC_RATIO
    )
    return _WeightedSource(analysis, {token: count * general.idf(token) for token, count in counts.items()}, topics)


def _count_grams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[k:] for k in range(order)), strict=False))


def _compute_divergence(probabilities: FloatArray, other: FloatArray) -> float:
    """Kullback-Leibler divergence from `other` in bits; outcomes of probability 0 add nothing."""
    possible = probabilities > 0
    return float(np.sum(probabilities[possible] * np.log2(probabilities[possible] / other[possible])))


def _compute_cosine(left: Mapping[str, float], right: Mapping[str, float]) -> float:
    product = sum(weight * right[token] for token, weight in left.items() if token in right)
    if not product:
        return 0.0
    return product / math.sqrt(sum(w * w for w in left.values()) * sum(w * w for w in right.values()))


def _build_analysis(metric: JensenShannon | Simetrix, example: Example) -> Analysis:
    return Analysis(metric.tokenizer, metric.stem, metric.stopwords).in_language(example.language)


def _describe_language(metric: JensenShannon | Simetrix, example: Example) -> dict[str, str]:
    code = language_code(example.language)
    return {"language": code, "stem": resolve_stem(metric.stem, code)}


def _check_order(name: str, order: int) -> None:
    if order not in (1, 2):
        raise MetricError(f"{name} cannot have order={order}: it compares words (1) or pairs of words (2)")
