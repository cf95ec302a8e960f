"""Faithfulness: whether what a summary says stands in its source (FFCI, section 3.1)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.evidence import Evidence, Pane
from gistmeter.example import Example
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.ffci.aspects import for_aspect
from gistmeter.metrics.ffci.evidence import support_by_sentence, support_by_token
from gistmeter.metrics.metric import Column, Metric, Need, check_choices, inner_facts
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.encoder.greedy import best_cosines, weighted_mean
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import SentenceRule, resolve_rule, sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gistmeter.arrays import FloatArray

Match = Literal["sentences", "tokens"]
_BY_DEFAULT: dict[Match, Metric] = {
    "sentences": BertScore(aspect="faithfulness", idf="none"),
    "tokens": BertScore(aspect="faithfulness"),
}
"""FFCI weighs no tokens; where they are matched over the whole document, weights help."""
_AT_ONCE = 4096
"""Pairs of sentences compared in one go: a document of any length takes the same memory."""
_TOKENS_AT_ONCE = 256
"""Sentences whose tokens are compared in one go."""


@dataclass(frozen=True, slots=True)
class Faithfulness(Metric):
    """How well the sentences of the document support each sentence of the summary.

    Each sentence of the summary is compared, by `metric`, with each sentence of the document. The mean over the `n`
    highest scores is the sentence's, and the mean over its sentences the summary's. `metric` is any that compares
    with references, by default bertscore without idf, as in the paper; its F1 counts, as there, or the `column` named
    (the first, where there is no F1). `n` is 2 for ROUGE and 3 for others, as the paper found best.

    `match=tokens` (of bertscore) takes the summary as a whole: each of its tokens has the best match among the tokens
    of all sentences of the document, and the score is their mean, weighted as bertscore weighs tokens: a precision. On
    the data of the paper it agrees better with people than sentences do. bertscore reads the layer recommended for
    faithfulness unless it names one, and `idf=references` means the sentences of the documents.

    `sentences` cuts the summary as for coherence: lines when it has several, else what the splitter finds; documents
    are always given to the splitter, which also ends sentences at newlines, unless `newline` asks for lines. What has
    no word does not count. A summary without words has 0; with a document without words the score is missing (NaN).

    >>> from gistmeter.metrics.registry import parse_metric
    >>> one = Example(doc_id="d", system="s", summary="the cat sat", document="A cat sat.\\nIt rained.\\nThe end.")
    >>> parse_metric("rouge1").score([replace(one, references=("A cat sat.",))])[0, 2].round(3)
    np.float64(0.667)
    >>> Faithfulness(parse_metric("rouge1"), n=1).score([one]).round(3)  # the best sentence alone
    array([[0.667]])
    >>> Faithfulness(parse_metric("rouge1")).score([one]).round(3)  # (2/3 + 2/5) / 2
    array([[0.533]])
    """

    metric: Metric | None = None
    n: int | None = None
    match: Match = "sentences"
    column: str | None = None
    sentences: SentenceRule = "auto"

    name = "faithfulness"
    paper = "Koto, Baldwin and Lau (2022), FFCI, section 3.1"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"encoder", "idf"})
    needs = frozenset[Need]({"document"})

    def __post_init__(self) -> None:
        check_choices(self)
        if self.metric is not None:
            object.__setattr__(self, "metric", for_aspect(self.metric, "faithfulness"))
        if self.within.needs != {"references"}:
            raise MetricError(f"faithfulness cannot use {self.within}: it takes a metric that needs references alone")
        if self.n is not None and self.n < 1:
            raise MetricError(f"faithfulness cannot have n={self.n}: it is at least 1")
        if self.match == "tokens":
            self._check_tokens()
        else:
            self._place()

    @property
    def within(self) -> Metric:
        """The metric that compares: the one given, or bertscore (by sentences without idf, by tokens with it)."""
        return _BY_DEFAULT[self.match] if self.metric is None else self.metric

    @property
    def columns(self) -> tuple[Column, ...]:
        """The one column."""
        about = {
            "sentences": "mean over the summary's sentences of how well the nearest sentences of the document match",
            "tokens": "mean similarity of the summary's tokens to their best matches anywhere in the document",
        }
        return (Column("faithfulness", about[self.match]),)

    @property
    def top(self) -> int:
        """How many sentences of the document count for one of the summary."""
        if self.n is not None:
            return self.n
        return 2 if self.within.name.startswith("rouge") else 3

    @property
    def fits(self) -> bool:
        """As for the metric within."""
        return self.within.fits

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric, with the metric within knowing the documents of the run as its references."""
        return replace(self, metric=self.within.fit(self._as_references(examples)))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Faithfulness of each example."""
        if self.match == "tokens":
            return self._score_tokens(examples)
        scores = np.full((len(examples), 1), np.nan)
        for row, (mine, theirs, near) in enumerate(self._compare(examples)):
            if theirs:
                scores[row] = _mean(_average_of_best(near, self.top)) if mine else 0.0
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, how sentences were found, and what the data decided about the metric within."""
        found = {"language": language_code(example.language)}
        pseudo = Example(doc_id="", system="", summary=example.summary, references=("",), language=example.language)
        found |= {
            key if key == "language" else f"metric.{key}": value
            for key, value in self.within.traits(pseudo).items()
            if key != "sentences"
        }
        if self.match == "sentences":
            found["sentences"] = resolve_rule(self.sentences, example.summary)
        return found

    def facts(self) -> Mapping[str, str]:
        """The metric within and what it says of itself; which of its columns, and how many sentences count."""
        facts = inner_facts(self.within)
        if self.match == "tokens":
            return {**facts, "column": "precision", "n": "all"}
        return {**facts, "column": self.within.summary_columns[self._place()].name, "n": str(self.top)}

    def explain(self, example: Example) -> Evidence:
        """Each sentence of the summary with the sentences of the document that support it."""
        if self.match == "tokens":
            return self._explain_tokens(example)
        mine, theirs, near = next(iter(self._compare([example])))
        document = example.document or ""
        if not mine or not theirs:
            lacking = "summary" if theirs else "document"
            panes = (Pane("summary", example.summary), Pane("document", document))
            return Evidence(self.spelling, f"nothing to compare: the {lacking} has no words", panes)
        texts = (example.summary, document)
        each = _average_of_best(near, self.top)
        return support_by_sentence(self.spelling, texts, (mine, theirs), near, each, self.top)

    def _explain_tokens(self, example: Example) -> Evidence:
        """Each word of the summary with the closest one of the document."""
        code = language_code(example.language)
        document = example.document or ""
        theirs = self._source_sentences(document, code)
        if not theirs or not has_words(example.summary):
            lacking = "summary" if theirs else "document"
            panes = (Pane("summary", example.summary), Pane("document", document))
            return Evidence(self.spelling, f"nothing to compare: the {lacking} has no words", panes)
        texts = (example.summary, document)
        (score,) = self._pooled([example.summary], theirs, code)
        return support_by_token(self.spelling, self._bertscore(), texts, theirs, score, code)

    def _bertscore(self) -> BertScore:
        """The metric within, of which `match=tokens` needs more than a score."""
        if not isinstance(self.within, BertScore):
            raise TypeError("checked when it was made")
        return self.within

    def _place(self) -> int:
        """Where the column that counts stands among those of the metric within."""
        names = [column.name for column in self.within.summary_columns]
        if self.column is not None:
            wanted = self.column
        else:
            wanted = "f1" if "f1" in names or not names else names[0]
        if wanted not in names:
            ways = f"it has {', '.join(names)}" if names else "it has none for one summary"
            raise MetricError(f"faithfulness cannot use the column {wanted!r} of {self.within} ({ways})")
        place = names.index(wanted)
        if self.within.summary_columns[place].better != "higher":
            raise MetricError(f"faithfulness cannot use the column {wanted!r} of {self.within}: higher is not better")
        return place

    def _check_tokens(self) -> None:
        """Refuse what `match=tokens` cannot use."""
        if not isinstance(self.within, BertScore) or self.within.baseline != "none":
            raise MetricError(f"faithfulness(match=tokens) takes bertscore without a baseline, not {self.within}")
        if self.n is not None or self.column not in (None, "precision"):
            raise MetricError(
                "faithfulness(match=tokens) has neither n nor column: it is a precision over all sentences"
            )

    def _score_tokens(self, examples: Sequence[Example]) -> FloatArray:
        scores = np.full((len(examples), 1), np.nan)
        rows_of: dict[tuple[str, str], list[int]] = {}
        for row, example in enumerate(examples):
            rows_of.setdefault((example.document or "", language_code(example.language)), []).append(row)
        for (document, code), rows in rows_of.items():
            theirs = self._source_sentences(document, code)
            if theirs:
                scores[rows, 0] = self._pooled([examples[row].summary for row in rows], theirs, code)
        return scores

    def _pooled(self, summaries: Sequence[str], theirs: Sequence[str], code: str) -> list[float]:
        """For each summary the mean of its tokens' best matches among the tokens of some sentences."""
        metric = self._bertscore()
        check_language(metric.model, code, metric.name)
        sides = metric.sides(summaries, code)
        best = [np.full(len(side.weights), -np.inf, dtype=np.float32) for side in sides]
        for start in range(0, len(theirs), _TOKENS_AT_ONCE):
            some = metric.sides(theirs[start : start + _TOKENS_AT_ONCE], code)
            states = np.concatenate([side.states for side in some])
            for side, known in zip(sides, best, strict=True):
                if not side.empty:
                    np.maximum(known, best_cosines(side.states, states)[0], out=known)
        return [
            weighted_mean(known, side.weights) if not side.empty and has_words(summary) else 0.0
            for summary, known, side in zip(summaries, best, sides, strict=True)
        ]

    def _compare(self, examples: Sequence[Example]) -> Iterator[tuple[list[str], list[str], FloatArray]]:
        """For each example the sentences of its summary and document, and the scores of all their pairs."""
        sources: dict[tuple[str, str], _Source] = {}
        for example in examples:
            key = (example.document or "", language_code(example.language))
            if key not in sources:
                sources[key] = _Source(self._source_sentences(*key), key[1])
            sources[key].add(self._summary_sentences(example.summary, key[1]))
        place = self._place()
        found = [
            self.within.score(block)[:, place]
            for block in _blocks(pair for source in sources.values() for pair in source.pairs())
        ]
        flat = np.concatenate(found) if found else np.zeros(0)
        start = 0
        for source in sources.values():
            size = len(source.theirs) * len(source.mine)
            source.near = flat[start : start + size].reshape(len(source.theirs), len(source.mine)).T
            start += size
        for example in examples:
            source = sources[example.document or "", language_code(example.language)]
            mine = self._summary_sentences(example.summary, source.language)
            yield mine, source.theirs, source.near[[source.mine[sentence] for sentence in mine]]

    def _summary_sentences(self, summary: str, code: str) -> list[str]:
        return [one for one in sentences(summary, resolve_rule(self.sentences, summary), code) if has_words(one)]

    def _source_sentences(self, document: str, code: str) -> list[str]:
        rule: Literal["newline", "split"] = "newline" if self.sentences == "newline" else "split"
        return [one for one in sentences(document, rule, code) if has_words(one)]

    def _as_references(self, examples: Iterable[Example]) -> Iterator[Example]:
        """Each document of a run once, as what the metric within takes for references."""
        seen: set[bytes] = set()
        for example in examples:
            document = example.document or ""
            key = hashlib.blake2b(document.encode("utf-8", "surrogatepass"), digest_size=12).digest()
            if key in seen:
                continue
            seen.add(key)
            code = language_code(example.language)
            given = tuple(self._source_sentences(document, code))
            yield replace(example, references=given, document=None, documents=())


class _Source:
    """A document's sentences, the distinct sentences of all its summaries, and the scores of their pairs."""

    __slots__ = ("language", "mine", "near", "theirs")

    def __init__(self, theirs: list[str], language: str) -> None:
        self.theirs = theirs
        self.language = language
        self.mine: dict[str, int] = {}
        self.near: FloatArray = np.zeros((0, len(theirs)))

    def add(self, found: Iterable[str]) -> None:
        for sentence in found:
            self.mine.setdefault(sentence, len(self.mine))

    def pairs(self) -> Iterator[Example]:
        """All pairs, by sentence of the document: each of these is met in one place only, and encoded once."""
        for theirs in self.theirs:
            for mine in self.mine:
                yield _pair(mine, theirs, self.language)


def _pair(mine: str, theirs: str, language: str) -> Example:
    return Example(doc_id="", system="", summary=mine, references=(theirs,), language=language)


def _blocks(pairs: Iterator[Example]) -> Iterator[list[Example]]:
    while block := list(islice(pairs, _AT_ONCE)):
        yield block


def _average_of_best(near: FloatArray, count: int) -> FloatArray:
    """For each row the mean of its `count` highest scores; those missing do not count.

    >>> _average_of_best(np.array([[1.0, 4.0, 2.0], [np.nan, 5.0, np.nan]]), 2)
    array([3., 5.])
    """
    best = -np.sort(-near, axis=1)[:, :count]  # NaN is sorted last
    there = ~np.isnan(best)
    sums, counts = np.where(there, best, 0.0).sum(axis=1), there.sum(axis=1)
    return np.asarray(np.divide(sums, counts, out=np.full(len(near), np.nan), where=counts > 0))


def _mean(values: FloatArray) -> float:
    kept = values[~np.isnan(values)]
    return float(kept.mean()) if len(kept) else float("nan")
