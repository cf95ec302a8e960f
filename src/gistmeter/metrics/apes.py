"""APES: entities blanked from the reference, to be found in the summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.metrics.metric import Column
from gistmeter.metrics.question_metric import REFERENCES, QuestionMetric, references_ask
from gistmeter.questions.examiner import Form, Kind  # noqa: TC001  (the types of settings are read when a metric is made)

if TYPE_CHECKING:
    from gistmeter.questions.examiner import Examiner
    from gistmeter.questions.verdicts import Exchange, Verdict
    from gistmeter.records import Example


@dataclass(frozen=True, slots=True)
class Apes(QuestionMetric):
    """The share of entities of the reference that the summary gives back when they are blanked.

    Each named entity of a reference is taken out of its sentence, and the rest is the question to the summary.
    `form=question` (the default) puts a question word in its place, as the embedded answerers read it; `form=blank` the
    word MASKED. Other settings are those of qaeval. Means over the entities of each reference, then over references;
    missing (NaN) when no reference has an entity.
    """

    answers: Kind = "entities"
    form: Form = "question"

    name = "apes"
    paper = "Eyal, Baumel and Elhadad (2019), Question Answering as an Automatic Evaluation Metric"
    needs = REFERENCES
    columns = (
        Column("apes", "share of blanked entities of the reference that the summary gives back exactly"),
        Column("f1", "mean token F1 of what the summary gives back with the entities"),
    )

    @property
    def examiner(self) -> Examiner:
        """Who asks and answers."""
        return self._examiner(form=self.form)

    def exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """Each reference asks, the summary answers."""
        return references_ask(example)

    def values(self, verdict: Verdict) -> tuple[float, ...]:
        """Exact match and F1."""
        return verdict.exact, verdict.f1
