"""QuestEval: summary and document ask each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.metric import Column
from gistmeter.metrics.question.metric import DOCUMENT, QuestionMetric, title_document, title_summary
from gistmeter.metrics.settings import Count  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.qa.examiner import KeepRule  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.qa.verdicts import Exchange, TitledText
from gistmeter.qa.weighter import AskedPhrase, read_weighter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.question.alignment import AnsweredExchange
    from gistmeter.qa.examiner import Examiner
    from gistmeter.qa.verdicts import AnswerVerdict


@dataclass(frozen=True, slots=True)
class QuestEval(QuestionMetric):
    """Whether the document answers the summary's questions, and the summary the document's: without references.

    `precision` is the mean token F1 of the document's answers to questions that the summary asks. `recall` is the mean
    probability that the summary answers questions that the document asks, in whatever words. `f1` is their harmonic
    mean. At most `most` questions of a text count, spread over it evenly; `keep` (all, answered or correct) is that of
    qags, the other settings are those of qaeval. `weighter=FILE` weights the document's questions by how likely a
    reference would answer them (`gistmeter train question-weights` learns that from documents with references).

    These are the paper's equations. The authors' code (0.2.4) differs from them: it asks for named entities beside noun
    chunks, in the first five sentences of a text; each side is the mean of F1, answerability and BERTScore; the score
    is the plain mean of both sides; weights are not divided by their sum.

    A summary without words scores 0; with a document without words, or no question to ask, scores are missing (NaN).
    """

    most: Count | None = 50
    keep: KeepRule = "all"
    weighter: str | None = None

    name = "questeval"
    paper = "Scialom, Dray, Lamprier, Piwowarski, Staiano, Wang and Gallinari (2021), QuestEval"
    needs = DOCUMENT
    columns = (
        Column("precision", "mean token F1 of the document's answers to questions about the summary"),
        Column("recall", "mean probability that the summary answers questions about the document"),
        Column("f1", "harmonic mean of the two"),
    )

    @property
    def examiner(self) -> Examiner:
        """What asks and answers the questions."""
        return self._build_examiner(keep=self.keep)

    def build_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """Both ask, both answer."""
        summary, document = title_summary(example), title_document(example)
        return Exchange(summary, document), Exchange(document, summary)

    def build_estimated_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """Both ask; a sentence of the document answers its own questions, as reading the document takes so long.

        What the document says to a question about one of its sentences is mostly what that sentence says.
        """
        summary, document = title_summary(example), title_document(example)
        return Exchange(summary, TitledText(document.title, summary.text)), Exchange(document, summary)

    def score_verdict(self, verdict: AnswerVerdict) -> tuple[float, ...]:
        """What counts for precision, and what for recall."""
        return verdict.f1, 1 - verdict.answer.null

    def average_exchanges(self, answered: Sequence[AnsweredExchange]) -> FloatArray:
        """Precision, recall, F1."""
        summary_asks, document_asks = answered
        precision, recall = self.average_questions(summary_asks)[0], self._average_recall(document_asks)
        total = precision + recall
        return np.array([precision, recall, 2 * precision * recall / total if total else total])

    def facts(self) -> Mapping[str, str]:
        """What asked and what answered, and the weighter."""
        facts = self.examiner.facts()
        return facts if self.weighter is None else {**facts, "weighter": read_weighter(self.weighter).digest}

    def _average_recall(self, document_asks: AnsweredExchange) -> float:
        """The mean over the document's questions, by the weights of the weighter if there is one."""
        recall = float(self.average_questions(document_asks)[1])
        if self.weighter is None or np.isnan(recall):
            return recall
        exchange, verdicts = document_asks
        questions = [AskedPhrase(verdict.question, verdict.start, verdict.end) for verdict in verdicts]
        weights = read_weighter(self.weighter).weigh(exchange.asking_text, questions)
        return float(weights @ [self.score_verdict(verdict)[1] for verdict in verdicts] / weights.sum())
