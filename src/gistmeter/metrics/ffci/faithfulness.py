"""Faithfulness: whether what a summary says stands in its source (FFCI, section 3.1)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.evidence import Evidence, Pane
from gistmeter.example import Example
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.ffci.aspects import adapt_to_aspect
from gistmeter.metrics.ffci.evidence import SplitText, explain_by_sentence, explain_by_token
from gistmeter.metrics.ffci.extracts import SentenceExtracts
from gistmeter.metrics.ffci.sentence_pairs import SourceSentences, average_highest, batch_pairs
from gistmeter.metrics.metric import Column, Metric, Need, check_choices, collect_inner_facts
from gistmeter.metrics.settings import Count  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.missing import average_present
from gistmeter.models.encoder.matching import find_best_cosines, weighted_mean
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import SentenceRule, resolve_sentence_rule, split_sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.extracts import ExtractScorer
    from gistmeter.metrics.ffci.sentence_pairs import Comparison

Match = Literal["sentences", "tokens"]
_DEFAULT_METRICS: dict[Match, Metric] = {
    "sentences": BertScore(aspect="faithfulness", idf="auto"),
    "tokens": BertScore(aspect="faithfulness", idf="background"),
}
"""FFCI weighs no tokens (`auto` neither, in English); where they are matched over the whole document, weights help."""
BATCH_SENTENCES = 256
"""Sentences whose tokens are compared together."""


@dataclass(frozen=True, slots=True)
class SentenceSupport:
    """A sentence of a summary, its score, and the sentence of the document that is nearest to it."""

    sentence: str
    score: float
    nearest: str


@dataclass(frozen=True, slots=True)
class Faithfulness(Metric):
    """How well the sentences of the document support each sentence of the summary.

    Each sentence of the summary is compared, by `metric`, with each sentence of the document. The mean of its `n`
    highest scores is the score of the sentence, and the mean over its sentences is the score of the summary. `metric`
    is any metric that needs references, by default bertscore without idf, as in the paper. Of its columns F1 counts, as
    in the paper, or the first where there is no F1, or the one that `column` names. `n` is 2 for ROUGE and 3 for other
    metrics, which the paper found best. bertscore reads the layer recommended for faithfulness unless it names a layer,
    and its `idf=references` goes by the sentences of the documents.

    `match=tokens` (for bertscore only) compares the summary as a whole: each of its tokens is matched with the most
    similar token of all sentences of the document, and the score is the weighted mean, a precision. On the data of the
    paper it agrees better with people than the comparison of sentences.

    `sentences` says how texts are split. The default splits a summary at line ends if it has several lines, else by the
    sentence splitter, and a document by the splitter, which also ends sentences at line ends; `newline` splits both at
    line ends. Sentences without a word do not count. A summary without words scores 0; with a document without words
    the score is missing (NaN).

    >>> from gistmeter.metrics.registry import parse_metric
    >>> example = Example(doc_id="d", system="s", summary="the cat sat", document="A cat sat.\\nIt rained.\\nThe end.")
    >>> parse_metric("rouge1").score([replace(example, references=("A cat sat.",))])[0, 2].round(3)
    np.float64(0.667)
    >>> Faithfulness(parse_metric("rouge1"), n=1).score([example]).round(3)  # the best sentence alone
    array([[0.667]])
    >>> Faithfulness(parse_metric("rouge1")).score([example]).round(3)  # (2/3 + 2/5) / 2
    array([[0.533]])
    """

    metric: Metric | None = None
    n: Count | None = None
    match: Match = "sentences"
    column: str | None = None
    sentences: SentenceRule = "auto"

    name = "faithfulness"
    paper = "Koto, Baldwin and Lau (2022), FFCI, section 3.1"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"encoder", "encoder-multilingual", "idf"})
    needs = frozenset[Need]({"document"})

    def __post_init__(self) -> None:
        check_choices(self)
        if self.metric is not None:
            object.__setattr__(self, "metric", self._adapt(self.metric))
        if self.within.needs != {"references"}:
            raise MetricError(f"faithfulness cannot use {self.within}: it takes a metric that needs references alone")
        if self.match == "tokens":
            self._check_tokens()
        else:
            self._find_column()

    def _adapt(self, metric: Metric) -> Metric:
        """A metric as it serves here: bertscore reads the layer for faithfulness, and weighs tokens to match tokens."""
        adapted = adapt_to_aspect(metric, "faithfulness")
        if self.match == "tokens" and isinstance(adapted, BertScore) and adapted.idf == "auto":
            return replace(adapted, idf="background")
        return adapted

    @property
    def within(self) -> Metric:
        """The metric that compares: the one given, or bertscore (by sentences without idf, by tokens with it)."""
        return _DEFAULT_METRICS[self.match] if self.metric is None else self.metric

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
        """Whether the inner metric must read the run first."""
        return self.within.fits

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric, with the inner metric fitted to the documents of the run as its references."""
        return replace(self, metric=self.within.fit(self._turn_into_references(examples)))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Faithfulness of each example."""
        if self.match == "tokens":
            return self._score_tokens(examples)
        scores = np.full((len(examples), 1), np.nan)
        for row, comparison in enumerate(self._compare(examples)):
            if comparison.document_sentences:
                support = average_highest(comparison.pair_scores, self.top)
                scores[row] = average_present(support) if comparison.summary_sentences else 0.0
        return scores

    def read_extracts(self, example: Example, sentences: Sequence[str]) -> ExtractScorer | None:
        """Extracts by how well the document supports each of their sentences; None where tokens are matched."""
        if self.match == "tokens":
            return None
        code = language_code(example.language)
        alone, as_lines = (
            [self._split_summary(text, code, lines=lines) for text in sentences] for lines in (False, True)
        )
        source = SourceSentences(self._split_document(example.document or "", code), code)
        pieces = [piece for split in (*alone, *as_lines) for piece in split]
        source.add(pieces)
        self._score_pairs([source])
        supports = average_highest(source.compare(pieces).pair_scores, self.top)
        support_of = dict(zip(pieces, supports.tolist(), strict=True))
        return SentenceExtracts(
            alone=[[support_of[piece] for piece in split] for split in alone],
            as_lines=[[support_of[piece] for piece in split] for split in as_lines],
        )

    def check_language(self, code: str) -> None:
        """Refuse what the inner metric does not read."""
        self.within.check_language(code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, how sentences were found, and what the data decided about the inner metric."""
        traits = {"language": language_code(example.language)}
        pseudo = Example(doc_id="", system="", summary=example.summary, references=("",), language=example.language)
        traits |= {
            key if key == "language" else f"metric.{key}": value
            for key, value in self.within.traits(pseudo).items()
            if key != "sentences"
        }
        if self.match == "sentences":
            traits["sentences"] = resolve_sentence_rule(self.sentences, example.summary)
        return traits

    def facts(self) -> Mapping[str, str]:
        """The inner metric with its facts; which of its columns, and how many sentences count."""
        facts = collect_inner_facts(self.within)
        if self.match == "tokens":
            return {**facts, "column": "precision", "n": "all"}
        return {**facts, "column": self.within.summary_columns[self._find_column()].name, "n": str(self.top)}

    def explain(self, example: Example) -> Evidence:
        """Each sentence of the summary with the sentences of the document that support it."""
        if self.match == "tokens":
            return self._explain_tokens(example)
        (comparison,) = self._compare([example])
        if not comparison.summary_sentences or not comparison.document_sentences:
            return self._explain_nothing(example, "summary" if comparison.document_sentences else "document")
        return explain_by_sentence(
            self.spelling,
            SplitText(example.summary, comparison.summary_sentences),
            SplitText(example.document or "", comparison.document_sentences),
            comparison.pair_scores,
            support=average_highest(comparison.pair_scores, self.top),
            top=self.top,
        )

    def support_sentences(self, example: Example) -> list[SentenceSupport]:
        """How well the document supports each sentence of the summary that has words, in their order."""
        (comparison,) = self._compare([example])
        if not comparison.document_sentences:
            return []
        nearest = np.nan_to_num(comparison.pair_scores, nan=-np.inf).argmax(axis=1)
        return [
            SentenceSupport(sentence, float(support), comparison.document_sentences[best])
            for sentence, support, best in zip(
                comparison.summary_sentences,
                average_highest(comparison.pair_scores, self.top),
                nearest.tolist(),
                strict=True,
            )
        ]

    def _explain_tokens(self, example: Example) -> Evidence:
        """Each word of the summary with the closest one of the document."""
        code = language_code(example.language)
        document = SplitText(example.document or "", self._split_document(example.document or "", code))
        if not document.sentences or not has_words(example.summary):
            return self._explain_nothing(example, "summary" if document.sentences else "document")
        (score,) = self._match_tokens([example.summary], document.sentences, code)
        return explain_by_token(
            self.spelling, self._require_bertscore(), example.summary, document, score=score, code=code
        )

    def _explain_nothing(self, example: Example, empty: Literal["summary", "document"]) -> Evidence:
        """The two texts, of which `empty` has no words."""
        panes = (Pane("summary", example.summary), Pane("document", example.document or ""))
        return Evidence(self.spelling, f"nothing to compare: the {empty} has no words", panes)

    def _require_bertscore(self) -> BertScore:
        """The inner metric, of which `match=tokens` needs more than a score."""
        if not isinstance(self.within, BertScore):
            raise TypeError("checked when it was made")
        return self.within

    def _find_column(self) -> int:
        """The position of the column that counts among those of the inner metric."""
        names = [column.name for column in self.within.summary_columns]
        if self.column is not None:
            name = self.column
        else:
            name = "f1" if "f1" in names or not names else names[0]
        if name not in names:
            ways = f"it has {', '.join(names)}" if names else "it has none for one summary"
            raise MetricError(f"faithfulness cannot use the column {name!r} of {self.within} ({ways})")
        position = names.index(name)
        if self.within.summary_columns[position].better != "higher":
            raise MetricError(f"faithfulness cannot use the column {name!r} of {self.within}: higher is not better")
        return position

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
            document_sentences = self._split_document(document, code)
            if document_sentences:
                summaries = [examples[row].summary for row in rows]
                scores[rows, 0] = self._match_tokens(summaries, document_sentences, code)
        return scores

    def _match_tokens(self, summaries: Sequence[str], document_sentences: Sequence[str], code: str) -> list[float]:
        """For each summary the weighted mean of its tokens' best matches among the tokens of all the sentences."""
        metric = self._require_bertscore()
        tokens_of_summaries = metric.weigh_tokens(summaries, code)
        best = [np.full(len(tokens.weights), -np.inf, dtype=np.float32) for tokens in tokens_of_summaries]
        for start in range(0, len(document_sentences), BATCH_SENTENCES):
            batch = metric.weigh_tokens(document_sentences[start : start + BATCH_SENTENCES], code)
            states = np.concatenate([tokens.states for tokens in batch])
            for tokens, best_so_far in zip(tokens_of_summaries, best, strict=True):
                if not tokens.empty:
                    np.maximum(best_so_far, find_best_cosines(tokens.states, states)[0], out=best_so_far)
        return [
            weighted_mean(cosines, tokens.weights) if not tokens.empty and has_words(summary) else 0.0
            for summary, cosines, tokens in zip(summaries, best, tokens_of_summaries, strict=True)
        ]

    def _compare(self, examples: Sequence[Example]) -> Iterator[Comparison]:
        """For each example the sentences of its summary and document, and the scores of all their pairs."""
        sources: dict[tuple[str, str], SourceSentences] = {}
        for example in examples:
            key = (example.document or "", language_code(example.language))
            if key not in sources:
                sources[key] = SourceSentences(self._split_document(*key), key[1])
            sources[key].add(self._split_summary(example.summary, key[1]))
        self._score_pairs(list(sources.values()))
        for example in examples:
            source = sources[example.document or "", language_code(example.language)]
            yield source.compare(self._split_summary(example.summary, source.language))

    def _score_pairs(self, sources: Sequence[SourceSentences]) -> None:
        """Have the inner metric score all pairs of sentences of these sources."""
        position = self._find_column()
        pairs = (pair for source in sources for pair in source.build_pairs())
        scored = [self.within.score(batch)[:, position] for batch in batch_pairs(pairs)]
        scores = np.concatenate(scored) if scored else np.zeros(0)
        start = 0
        for source in sources:
            start += source.take_scores(scores[start:])

    def _split_summary(self, summary: str, code: str, *, lines: bool = False) -> list[str]:
        """The sentences of a summary that have words; `lines` says that it stands in a summary of several lines."""
        rule = resolve_sentence_rule(self.sentences, "a\na" if lines else summary)
        return list(filter(has_words, split_sentences(summary, rule, code)))

    def _split_document(self, document: str, code: str) -> list[str]:
        rule: Literal["newline", "split"] = "newline" if self.sentences == "newline" else "split"
        return list(filter(has_words, split_sentences(document, rule, code)))

    def _turn_into_references(self, examples: Iterable[Example]) -> Iterator[Example]:
        """Each document of a run once, its sentences as what the inner metric takes for references."""
        digests: set[bytes] = set()
        for example in examples:
            document = example.document or ""
            digest = hashlib.blake2b(document.encode("utf-8", "surrogatepass"), digest_size=12).digest()
            if digest not in digests:
                digests.add(digest)
                references = tuple(self._split_document(document, language_code(example.language)))
                yield replace(example, references=references, document=None, documents=())
