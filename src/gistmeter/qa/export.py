"""Questions for people: what a metric asks, as records to answer or to verify, and a check of what came back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gistmeter.errors import DataError, suggestion
from gistmeter.qa.evaluate import AnsweringFigures, evaluate_answers
from gistmeter.qa.human_answers import check_verified_answer, question_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.qa.human_answers import HumanAnswers
    from gistmeter.qa.verdicts import AnswerVerdict, Exchange


class PosedQuestion(NamedTuple):
    """A question put to a text, for a summary of a document."""

    doc_id: str
    system: str
    exchange: Exchange
    verdict: AnswerVerdict

    @property
    def id(self) -> str:
        """What the question is called in files."""
        return question_id(self.verdict.question, self.verdict.expected, self.exchange.answering_text)


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """How many questions there were for people, and how many they answered or verified."""

    questions: int
    answered: int
    verified: int
    correct: int
    """Of the verified ones, those that people call correct."""


def make_question_records(questions: Sequence[PosedQuestion], *, verify: bool = False) -> Iterator[dict[str, Any]]:
    """Questions as records with ids, each question to a text once.

    To answer: the question and the text, with an empty field `answer`. To verify: also the answer expected and the one
    given, with an empty field `correct`.
    """
    ids: set[str] = set()
    for posed in questions:
        if posed.id in ids:
            continue
        ids.add(posed.id)
        verdict = posed.verdict
        record: dict[str, Any] = {
            "id": posed.id,
            "doc_id": posed.doc_id,
            "system": posed.system,
            "text": posed.exchange.answering_text,
            "question": verdict.question,
        }
        if not verify:
            yield {**record, "answer": None}
        elif verdict.answer.answered:  # where nothing was answered there is nothing to verify
            given = "answer" if verdict.by.startswith("people") else "predicted"
            yield {**record, "expected": verdict.expected, given: verdict.answer.text, "correct": None}


def check_human_answers(people: HumanAnswers, questions: Sequence[PosedQuestion]) -> AnswerCounts:
    """Refuse answers to questions that nobody asked and verdicts on answers that are not given, count the others."""
    model_answers = {posed.id: posed.verdict.answer for posed in questions}
    for human in people.by_id.values():
        if human.id not in model_answers:
            close = suggestion(human.id, model_answers)
            raise DataError(
                f"{human.source} answers question {human.id}, which the run does not ask{close} "
                "(give the run and the metric that `gistmeter qa export` was given)"
            )
        if human.answer is None:
            check_verified_answer(human, model_answers[human.id])
    return AnswerCounts(
        questions=len(model_answers),
        answered=sum(human.answer is not None for human in people.by_id.values()),
        verified=sum(human.correct is not None for human in people.by_id.values()),
        correct=sum(human.correct is True for human in people.by_id.values()),
    )


def compare_with_people(
    people: HumanAnswers, questions: Sequence[PosedQuestion], *, language: str = "en"
) -> AnsweringFigures:
    """How well the answers of `questions` agree with those that people gave; "" is no answer."""
    model_answers = {posed.id: posed.verdict.answer for posed in questions}
    compared = [
        (human.answer, model_answers[human.id])
        for human in people.by_id.values()
        if human.answer is not None and human.id in model_answers
    ]
    gold = [[text] if text.strip() else [] for text, _ in compared]
    return evaluate_answers(gold, [answer for _, answer in compared], language=language)


def make_answer_records(people: HumanAnswers) -> Iterator[dict[str, Any]]:
    """People's answers as records with nothing else in them."""
    for human in people.by_id.values():
        if human.answer is None and human.correct is None:
            continue
        record: dict[str, Any] = {"id": human.id}
        if human.summary is not None:
            record |= dict(zip(("doc_id", "system"), human.summary, strict=True))
        fields = {"answer": human.answer, "correct": human.correct, "predicted": human.predicted}
        yield record | {key: value for key, value in fields.items() if value is not None}
