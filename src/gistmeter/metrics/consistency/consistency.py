"""Consistency: how surely the document supports each sentence of the summary."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.consistency.aggregates import (
    ONE_PART_DECIDES,
    WEIGHED,
    Aggregate,
    PairAggregate,
    SentenceSupport,
    read_conv_weights,
)
from gistmeter.metrics.consistency.evidence import align_support, describe_sentences, explain_support
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.settings import Probability  # noqa: TC001  (the types of settings are read when one is made)
from gistmeter.models.consistency.spelling import is_list_mark
from gistmeter.models.runtime.load import Dtype  # noqa: TC001
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import SentenceRule, resolve_sentence_rule, split_sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.metrics.consistency.evidence import JudgedSentence
    from gistmeter.models.consistency.judge import ConsistencyJudge

BATCH_CLAIMS = 512
"""Sentences that are judged together."""


@dataclass(frozen=True, slots=True)
class Consistency(Metric):
    """The probability that the document supports each sentence of the summary: the mean, the lowest, the share above.

    A network reads each sentence together with the sentences of the document that share most words with it (three at
    most, in their order). Its answer is combined with what can be counted: numbers, names and dates that the document
    does not have or has elsewhere, and numbers, names, directions, negations and roles in which the sentence is at odds
    with it. The more content words of a sentence the document lacks, the less that counts, and the more how far its
    words are from any of the document. The network learned from texts that no evaluation uses, the combination also
    from people's judgments of half of SummEval and XSum. `supported` is the share of sentences whose probability is
    above `threshold`. A sentence whose words the document has in a row is not laid before the network, unless the
    document denies or doubts them or makes them a condition. Numbers, dates and times are read as the document writes
    them, so that `6.8 million dollars` is `$6.8m`; bullets and numbers of a list are not read.

    `model` names another judge: weights that `gistmeter train consistency` wrote, or any classifier of pairs by folder
    or Hugging Face name, with three classes (NLI), two or one; `labels` names its outputs where its configuration does
    not, such as `labels=unsupported/supported`. It answers alone. `aggregate` is what it reads: `passages` as above;
    `max` and `mean`, each sentence of the document by itself (SummaC-ZS); `histogram` and `conv`, the same counted in
    bins that a file of `weights` weighs (SummaC-Conv); `chunks`, the document in chunks of 350 words (AlignScore).

    A summary without words scores 0, and is missing (NaN) when its document has no words either. The embedded judge
    reads English.

    >>> from gistmeter.example import Example
    >>> document = "The council approved 6.8 million for the bridge. Nine of thirteen members voted for it."
    >>> summary = "The council approved 8.6 million for the bridge."
    >>> example = Example(doc_id="d", system="s", summary=summary, document=document)
    >>> bool(Consistency().score([example])[0, 0] < 0.5)
    True
    """

    model: str = "embedded"
    aggregate: Aggregate = "passages"
    weights: str = ""
    labels: str = "auto"
    threshold: Probability = 0.5
    sentences: SentenceRule = "auto"
    dtype: Dtype = "fp32"

    name = "consistency"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"consistency"})
    paper = "gistmeter; max, histogram and conv: Laban et al. (2022), SummaC; chunks: Zha et al. (2023), AlignScore"
    needs = frozenset[Need]({"document"})
    missing: ClassVar[str] = "the document has no words"
    columns = (
        Column("mean", "mean over the sentences of the probability that the document supports it"),
        Column("min", "probability of the least supported sentence"),
        Column("supported", "share of the sentences that are supported, by the threshold"),
    )

    def __post_init__(self) -> None:
        check_choices(self)
        self._split_labels()
        if (self.aggregate in WEIGHED) != bool(self.weights):
            ways = f"aggregate={' or '.join(WEIGHED)} goes with weights=FILE.safetensors (SummaC-Conv's)"
            raise MetricError(
                f"consistency cannot have aggregate={self.aggregate} {_say_weights(self.weights)}: {ways}"
            )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Mean and lowest probability and share of supported sentences of each summary."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        for code, rows in group_by_language(examples).items():
            self.check_language(code)
            supports = self._judge([examples[row] for row in rows], code)
            for row, support in zip(rows, supports, strict=True):
                scores[row] = self._summarise(support.support, has_parts=bool(support.parts))
        return scores

    def check_language(self, code: str) -> None:
        """Refuse a language that the embedded judge does not read."""
        from gistmeter.models.consistency.reader import is_own

        if code != "en" and is_own(self.model):
            raise MetricError(
                f"{self.spelling} reads English, not {code!r}: name an entailment model that reads it, such as "
                "model=MoritzLaurer/mDeBERTa-v3-base-xnli-multilingual-nli-2mil7"
            )

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and how the summary was cut into sentences."""
        return {
            "language": language_code(example.language),
            "sentences": resolve_sentence_rule(self.sentences, example.summary),
        }

    def facts(self) -> Mapping[str, str]:
        """The judge and the digests of its weights."""
        facts = dict(self._load_judge().identity())
        if self.aggregate != "passages":
            facts.pop("passages")
        if self.weights:
            facts["aggregate.weights"] = read_conv_weights(self.weights).digest
        return facts

    def explain(self, example: Example) -> Evidence:
        """Each sentence with the part of the document that supports it most, and the words that nothing supports."""
        code = language_code(example.language)
        self.check_language(code)
        (support,) = self._judge([example], code)
        shown, texts = self._as_probabilities(support), self._split_summary(example, code)
        return explain_support(
            self.spelling,
            example,
            describe_sentences(example.document or "", texts, shown, code),
            align_support(example, shown, texts),
            scores=self._summarise(support.support, has_parts=bool(support.parts)),
            threshold=self.threshold,
        )

    def align(self, examples: Sequence[Example]) -> list[tuple[Alignment, ...]]:
        """Every sentence of the summary with the part of the document that supports it most: edges add up to the mean.

        Nothing is aligned where no single part decides, as with aggregate=mean, histogram or conv.
        """
        alignments: list[tuple[Alignment, ...]] = [()] * len(examples)
        if self.aggregate not in ONE_PART_DECIDES:
            return alignments
        for code, rows in group_by_language(examples).items():
            self.check_language(code)
            supports = self._judge([examples[row] for row in rows], code)
            for row, support in zip(rows, supports, strict=True):
                if support.parts:
                    texts = self._split_summary(examples[row], code)
                    alignments[row] = (align_support(examples[row], support, texts),)
        return alignments

    def list_sentences(self, example: Example) -> list[str]:
        """The sentences of a summary that are judged: those that have words."""
        return self._split_summary(example, language_code(example.language))

    def judge_sentences(self, example: Example) -> list[JudgedSentence]:
        """Each sentence of a summary with its support and the part of the document that supports it most."""
        code = language_code(example.language)
        self.check_language(code)
        (support,) = self._judge([example], code)
        texts = self._split_summary(example, code)
        return describe_sentences(example.document or "", texts, self._as_probabilities(support), code)

    def _summarise(self, support: FloatArray, *, has_parts: bool) -> tuple[float, float, float]:
        """The three columns from the support of the sentences."""
        if not has_parts:
            return (np.nan,) * 3
        if not len(support):
            return (0.0,) * 3
        mean = float(support.mean())
        if self.aggregate == "conv":
            mean = read_conv_weights(self.weights).weigh_summary(support)
            support = self._weigh_alone(support)
        return mean, float(support.min()), float((support > self.threshold).mean())

    def _weigh_alone(self, support: FloatArray) -> FloatArray:
        """SummaC-Conv's probability of each sentence, as if the summary had no other."""
        weights = read_conv_weights(self.weights)
        return np.array([weights.weigh_summary(support[row : row + 1]) for row in range(len(support))])

    def _as_probabilities(self, support: SentenceSupport) -> SentenceSupport:
        """The support that evidence shows of each sentence: SummaC-Conv's is no probability before it is weighed."""
        if self.aggregate != "conv":
            return support
        return replace(support, support=self._weigh_alone(support.support))

    def _judge(self, examples: Sequence[Example], code: str) -> list[SentenceSupport]:
        """The support of the sentences of each summary; equal sentences of one document are judged once."""
        sentences_of = [self._split_summary(example, code) for example in examples]
        documents = [example.document or "" for example in examples]
        if self.aggregate != "passages":
            way = PairAggregate(
                aggregate=self.aggregate,
                model=self.model,
                labels=self._split_labels(),
                dtype=self.dtype,
                weights=self.weights,
            )
            return way.judge(list(zip(documents, sentences_of, strict=True)), code)
        from gistmeter.models.consistency.measuring import read_document

        claims = list(
            dict.fromkeys(
                (document, sentence)
                for document, sentences in zip(documents, sentences_of, strict=True)
                if has_words(document)
                for sentence in sentences
            )
        )
        # Claims of one document stand together, whatever the order of the summaries, so that it is read once for all.
        claims.sort(key=lambda claim: claim[0])
        judge = self._load_judge()
        judged = {
            (document, judgment.claim): judgment
            for start in range(0, len(claims), BATCH_CLAIMS)
            for (document, _), judgment in zip(
                claims[start : start + BATCH_CLAIMS],
                judge.judge(claims[start : start + BATCH_CLAIMS], code),
                strict=True,
            )
        }
        supports = []
        for document, sentences in zip(documents, sentences_of, strict=True):
            parts = read_document(document, code).split.sentences if has_words(document) else ()
            judgments = [judged[document, sentence] for sentence in sentences] if parts else []
            supports.append(
                SentenceSupport(
                    support=np.array([judgment.probability for judgment in judgments]),
                    best=tuple(_find_best(parts, judgment.passages, judgment.claim, code) for judgment in judgments),
                    parts=parts,
                )
            )
        return supports

    def _split_summary(self, example: Example, code: str) -> list[str]:
        """The sentences of the summary that have words, and are not the number before one in a list."""
        rule = resolve_sentence_rule(self.sentences, example.summary)
        sentences = split_sentences(example.summary, rule, code)
        return [sentence for sentence in sentences if has_words(sentence) and not is_list_mark(sentence)]

    def _split_labels(self) -> tuple[str, ...] | None:
        """The names of the model's outputs, where they are given."""
        if self.labels == "auto":
            return None
        names = tuple(part.strip() for part in self.labels.split("/"))
        if not all(names) or len(names) > 3:
            raise MetricError(
                f"labels={self.labels} must name the outputs of the model in their order, as unsupported/supported does"
            )
        return names

    def _load_judge(self) -> ConsistencyJudge:
        from gistmeter.models.consistency.judge import ConsistencyJudge

        return ConsistencyJudge(self.model, self._split_labels(), dtype=self.dtype)


def _find_best(parts: Sequence[str], passages: Sequence[int], claim: str, code: str) -> int:
    """Of the passages laid beside a claim the one that has most of its words."""
    from gistmeter.models.presence.premises import content_stems

    wanted = content_stems(claim, code)
    return max(passages, key=lambda number: (len(wanted & content_stems(parts[number], code)), -number), default=0)


def _say_weights(weights: str) -> str:
    return "with weights" if weights else "without weights"
