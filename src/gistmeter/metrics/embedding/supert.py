"""SUPERT: a summary compared with the sentences that stand out in its sources, for want of a reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.evidence import Evidence, Pane
from gistmeter.metrics.embedding.bertscore import BertScore
from gistmeter.metrics.extracts import TextExtracts
from gistmeter.metrics.metric import Column, Metric, Need, check_choices, collect_inner_facts
from gistmeter.metrics.settings import Count  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import split_sentences
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.extracts import ExtractScorer
    from gistmeter.models.sentence_vectors.vectors import SentenceEncoder

Pick = Literal["central", "first"]
_MEAN_BERTSCORE = BertScore(references="mean")


@dataclass(frozen=True, slots=True)
class Supert(Metric):
    """SUPERT (Gao et al., 2020): tokens of the summary aligned with those of a pseudo-reference.

    The pseudo-reference of a source document consists of its `n` salient sentences in their order: the most central
    sentences (with the highest mean similarity to all sentences of the document, by `sentence_model`), or, with
    `pick=first`, the first ones. On news both agree equally well with people at n=15, and the first sentences better at
    n=10 and n=5. `metric` does the aligning: any metric that needs references and has precision, recall and F1. With
    several source documents the score is the mean over them.

    A summary without tokens scores 0; with a document without words the scores are missing (NaN).

    >>> from gistmeter.metrics.registry import parse_metric
    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="A cat sat there.",
    ...                   document="A cat sat down. It rained on Monday. The cat slept on the mat.")
    >>> Supert(parse_metric("rouge1(stem=none)"), n=1, pick="first").score([example])[0].tolist()
    [0.75, 0.75, 0.75]
    """

    metric: Metric = _MEAN_BERTSCORE
    n: Count = 15
    pick: Pick = "central"
    sentence_model: str = "embedded"

    name = "supert"
    paper = "Gao, Zhao and Eger (2020), SUPERT: Towards New Frontiers in Unsupervised Evaluation Metrics"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"encoder", "encoder-multilingual", "idf", "sentences"})
    needs = frozenset[Need]({"document"})
    columns = (
        Column("precision", "how much of the summary the salient sentences of the document have"),
        Column("recall", "how much of the salient sentences the summary has"),
        Column("f1", "harmonic mean of the two"),
    )

    def __post_init__(self) -> None:
        check_choices(self)
        names = [column.name for column in self.metric.summary_columns]
        if self.metric.needs != {"references"} or not {"precision", "recall", "f1"} <= set(names):
            raise MetricError(f"supert cannot use {self.metric}: it takes a metric of precision, recall and F1")

    @property
    def fits(self) -> bool:
        """Whether the inner metric must read the run first."""
        return self.metric.fits

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric, with the inner metric fitted to the pseudo-references of the run."""
        return replace(self, metric=self.metric.fit(self._add_pseudo_references(list(examples))))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F1 against the pseudo-references of each example."""
        return self._score_pseudo(self._add_pseudo_references(examples))

    def read_extracts(self, example: Example, sentences: Sequence[str]) -> ExtractScorer:
        """Extracts against the pseudo-references of the document, which are found once."""
        (pseudo,) = self._add_pseudo_references([example])

        def score_texts(texts: list[str]) -> FloatArray:
            return self._score_pseudo([replace(pseudo, summary=text) for text in texts])

        return TextExtracts(tuple(sentences), score_texts)

    def _score_pseudo(self, pseudo: Sequence[Example]) -> FloatArray:
        """Precision, recall and F1 of examples that have pseudo-references; NaN where they have none."""
        scores = np.full((len(pseudo), 3), np.nan)
        rows = [row for row, example in enumerate(pseudo) if example.references]
        if rows:
            names = [column.name for column in self.metric.summary_columns]
            positions = [names.index(column.name) for column in self.columns]
            scores[rows] = self.metric.score([pseudo[row] for row in rows])[:, positions]
        return scores

    def facts(self) -> Mapping[str, str]:
        """The inner metric with its facts, and the model that finds the central sentences."""
        facts = collect_inner_facts(self.metric)
        if self.pick == "central":
            from gistmeter.models.sentence_vectors.vectors import weights_digest

            facts["sentence_weights"] = weights_digest(self.sentence_model)
        return facts

    def check_language(self, code: str) -> None:
        """Refuse a language that the inner metric or the sentence encoder does not read."""
        from gistmeter.models.sentence_vectors.vectors import check_sentence_language

        self.metric.check_language(code)
        if self.pick == "central":
            check_sentence_language(self.sentence_model, code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and what it decided about the inner metric."""
        (pseudo,) = (replace(example, references=("",), document=None, documents=()),)
        inner = self.metric.traits(pseudo)
        traits = {f"metric.{key}": value for key, value in inner.items() if key not in ("language", "sentences")}
        return {"language": language_code(example.language), **traits}

    def explain(self, example: Example) -> Evidence | None:
        """The evidence of the inner metric for the summary and its pseudo-reference."""
        (pseudo,) = self._add_pseudo_references([example])
        if not pseudo.references:
            texts = (Pane("summary", example.summary), Pane("document", example.document or ""))
            return Evidence(self.spelling, "the document has no words", texts)
        shown = self.metric.explain(pseudo)
        if shown is None:
            return None
        blocks = tuple(
            replace(block, title=block.title.replace("reference", "pseudo-reference", 1))
            if isinstance(block, Pane)
            else block
            for block in shown.blocks
        )
        return replace(shown, metric=self.spelling, blocks=blocks)

    def _add_pseudo_references(self, examples: Sequence[Example]) -> list[Example]:
        """The examples with pseudo-references for references; none where the documents have no words."""
        extracts: dict[tuple[str, str], str] = {}
        for example in examples:
            code = language_code(example.language)
            for document in example.documents:
                if (document, code) not in extracts:
                    extracts[document, code] = self._extract_salient(document, code)
        pseudo = []
        for example in examples:
            code = language_code(example.language)
            references = tuple(text for document in example.documents if (text := extracts[document, code]))
            pseudo.append(replace(example, references=references, document=None, documents=()))
        return pseudo

    def _extract_salient(self, document: str, code: str) -> str:
        """The salient sentences of a document as one text, in their order."""
        document_sentences = list(filter(has_words, split_sentences(document, "split", code)))
        if len(document_sentences) <= self.n:
            return " ".join(document_sentences)
        chosen = range(self.n) if self.pick == "first" else self._find_central(document_sentences, code)
        return " ".join(document_sentences[position] for position in chosen)

    def _find_central(self, document_sentences: Sequence[str], code: str) -> list[int]:
        """The positions of the most central sentences in their order; of equally central ones the first."""
        vectors = self._load_sentence_encoder(code).vectors(document_sentences)
        centrality = vectors @ vectors.sum(axis=0)
        return sorted(np.argsort(-centrality, kind="stable")[: self.n].tolist())

    def _load_sentence_encoder(self, code: str) -> SentenceEncoder:
        from gistmeter.models.sentence_vectors.vectors import load_sentence_encoder

        return load_sentence_encoder(self.sentence_model, language=code)
