"""APES: entities blanked from the reference, to be found in the summary."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gistmeter.metrics.metric import Column
from gistmeter.metrics.question.alignment import AnsweredExchange
from gistmeter.metrics.question.blanked import BlankedEntities
from gistmeter.metrics.question.metric import REFERENCES, QuestionMetric, let_references_ask
from gistmeter.qa.compare import tokenize_answer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.example import Example
    from gistmeter.qa.verdicts import AnswerVerdict, Exchange


@dataclass(frozen=True, slots=True)
class Apes(BlankedEntities):
    """The share of entities of the reference that the summary gives back when they are blanked.

    Each named entity of a reference is taken out of its sentence, and the rest of the sentence is the question to the
    summary. `form=question` (the default) puts a question word where the entity was, which suits the embedded
    answerers; `form=blank` puts the word MASKED. As in the authors' code, a shorter or longer form of a name is the
    same entity: Lee for Ann Lee. Unlike there, times and numbers are entities too, each mention is asked for, and a
    question that the model does not answer counts 0 (their model chose among the names of the summary and always
    answered, as with `threshold=1`). The other settings are those of qaeval.

    The scores are means over the entities of each reference, then over references; missing (NaN) when no reference has
    an entity.
    """

    name = "apes"
    paper = "Eyal, Baumel and Elhadad (2019), Question Answering as an Automatic Evaluation Metric"
    needs = REFERENCES
    columns = (
        Column("apes", "share of blanked entities of the reference that the summary gives back, in whatever form"),
        Column("f1", "mean token F1 of what the summary gives back with the entities"),
    )

    def build_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """Each reference asks, the summary answers."""
        return let_references_ask(example)

    def examine(
        self,
        examples: Sequence[Example],
        *,
        answer: bool = True,
        skip_hopeless: bool = False,  # noqa: ARG002  (another form of a name may share no token with it)
    ) -> list[tuple[AnsweredExchange, ...]]:
        """For each example its exchanges with their verdicts; another form of the same name is right."""
        return [
            tuple(AnsweredExchange(exchange, tuple(map(_judge_entity, verdicts))) for exchange, verdicts in answered)
            for answered in QuestionMetric.examine(self, examples, answer=answer)
        ]

    def score_verdict(self, verdict: AnswerVerdict) -> tuple[float, ...]:
        """Whether it is the entity, and F1."""
        return verdict.exact, verdict.f1


def _judge_entity(verdict: AnswerVerdict) -> AnswerVerdict:
    """The verdict by entities: a name that is whole within the other is the same, unless people judged the answer."""
    if not verdict.answer.answered or verdict.verified:
        return verdict
    expected, given = (f" {' '.join(tokenize_answer(text))} " for text in (verdict.expected, verdict.answer.text))
    same = bool(expected.strip() and given.strip()) and (expected in given or given in expected)
    return replace(verdict, exact=1.0) if same else verdict
