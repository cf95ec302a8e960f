"""SummaQA: entities blanked from the document, to be found in the summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.metrics.metric import Column
from gistmeter.metrics.question.blanked import BlankedEntities
from gistmeter.metrics.question.metric import DOCUMENT, title_document, title_summary
from gistmeter.metrics.settings import Probability  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.qa.verdicts import Exchange

if TYPE_CHECKING:
    from gistmeter.example import Example
    from gistmeter.qa.verdicts import AnswerVerdict


@dataclass(frozen=True, slots=True)
class SummaQa(BlankedEntities):
    """How well the summary answers questions about the entities of the document: without references.

    Each named entity of the document is taken out of its sentence, and the rest of the sentence is the question to the
    summary, as for apes; `form=blank` puts MASKED where the entity was, as the authors' code does. `f1` compares the
    summary's best answer with the entity, `probability` is the model's probability of that answer. In the paper the
    model has no "not answerable", so by default an answer always counts (`threshold=1`); with a lower threshold the
    model may leave a question unanswered. `most` limits the entities; by default all count.

    Missing (NaN) when the document has no entity, where the authors' code gives 0.
    """

    threshold: Probability | None = 1.0

    name = "summaqa"
    paper = "Scialom, Lamprier, Piwowarski and Staiano (2019), Answers Unite!"
    needs = DOCUMENT
    columns = (
        Column("f1", "mean token F1 of the summary's answers with the entities of the document"),
        Column("probability", "mean probability of the summary's answers"),
    )

    def build_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """The document asks, the summary answers."""
        return (Exchange(title_document(example), title_summary(example)),)

    def score_verdict(self, verdict: AnswerVerdict) -> tuple[float, ...]:
        """F1, and the probability of the answer."""
        return verdict.f1, verdict.answer.probability if verdict.answer.answered else 0.0
