"""FEQA: questions that the summary asks, answered on the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.metrics.metric import Column
from gistmeter.metrics.question.metric import DOCUMENT, QuestionMetric, title_document, title_summary
from gistmeter.qa.verdicts import Exchange

if TYPE_CHECKING:
    from gistmeter.example import Example
    from gistmeter.qa.verdicts import AnswerVerdict


@dataclass(frozen=True, slots=True)
class Feqa(QuestionMetric):
    """How far the document answers questions about the summary as the summary does: faithfulness.

    A question is asked for each noun phrase of the summary and answered on the document; the answer is compared with
    the phrase. The settings are those of qaeval. A summary without words scores 0; with a document without words, or no
    noun phrase in the summary, the score is missing (NaN).

    The authors' code differs: its model always answers, as with `threshold=1`; it asks once for each named entity and
    for each noun phrase within another; articles count in F1; without a question the score is 0.
    """

    name = "feqa"
    paper = "Durmus, He and Diab (2020), FEQA: A Question Answering Evaluation Framework for Faithfulness Assessment"
    needs = DOCUMENT
    columns = (
        Column("f1", "mean token F1 of the document's answers with the phrases of the summary"),
        Column("em", "share of questions whose answer is exactly the phrase of the summary"),
        Column("answered", "share of questions that the document answers, rightly or not", "neither"),
    )

    def build_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """The summary asks, the document answers."""
        return (Exchange(title_summary(example), title_document(example)),)

    def score_verdict(self, verdict: AnswerVerdict) -> tuple[float, ...]:
        """F1, exact match, answered."""
        return verdict.f1, verdict.exact, float(verdict.answer.answered)
