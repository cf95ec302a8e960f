"""Questions for people: what a metric asks, as records to answer or to verify, and a check of what came back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gistmeter.errors import DataError, suggestion
from gistmeter.qa.compare import exact_match, token_f1
from gistmeter.qa.evaluate import AnsweringFigures, evaluate_answers, mean_or_nan
from gistmeter.qa.human_answers import check_verified_answer, question_id
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    """Answers that people verified, their own and the model's."""

    correct: int
    """Of the verified ones, those that people call correct."""

    verified_own: int
    """Of the verified ones, those that people gave themselves."""

    correct_own: int
    """Of those that people gave themselves, those that they call correct."""

    def describe(self) -> str:
        """The counts in a sentence.

        >>> AnswerCounts(questions=9, answered=5, verified=2, correct=1, verified_own=0, correct_own=0).describe()
        'people answered 5 and verified 2 (1 correct) of 9 questions'
        """
        if self.verified_own and self.verified > self.verified_own:
            return (
                f"people answered {self.answered} of {format_count(self.questions, 'question')}, "
                f"verified {self.verified_own} of their "
                f"own answers ({self.correct_own} correct) and {self.verified - self.verified_own} of the model's "
                f"({self.correct - self.correct_own} correct)"
            )
        judged = f"verified {self.verified} ({self.correct} correct)" if self.verified else "verified none"
        questions = f"{self.questions} question{'' if self.questions == 1 else 's'}"
        return f"people answered {self.answered} and {judged} of {questions}"


def make_question_records(questions: Sequence[PosedQuestion], *, verify: bool = False) -> Iterator[dict[str, Any]]:
    """Questions as records with ids, each question to a text once.

    To answer: the question and the text, with a field `answer` to fill in. To verify: also the answer expected and the
    one given (`predicted` by the model, `answer` by people), with a field `correct` to fill in. What people said
    already is filled in; where they said that there is no answer, `answer` is empty and nothing is to verify.
    """
    ids: set[str] = set()
    for posed in questions:
        if posed.id in ids:
            continue
        ids.add(posed.id)
        verdict = posed.verdict
        by_people = verdict.by.startswith("people")
        answer = verdict.answer.text if verdict.answer.answered else ""
        record: dict[str, Any] = {
            "id": posed.id,
            "doc_id": posed.doc_id,
            "system": posed.system,
            "text": posed.exchange.answering_text,
            "question": verdict.question,
        }
        if not verify:
            yield {**record, "answer": answer if by_people else None}
        elif answer or by_people:  # where the model answered nothing there is nothing to verify
            given = "answer" if by_people else "predicted"
            correct = bool(verdict.exact) if verdict.verified and answer else None
            yield {**record, "expected": verdict.expected, given: answer, "correct": correct}


def make_table_records(records: Iterable[Mapping[str, Any]], *, verify: bool = False) -> Iterator[dict[str, Any]]:
    """The records of `make_question_records` as rows of a table, where `answerable` says what an empty cell cannot."""
    for record in records:
        answer = record.get("answer")
        row = {key: record[key] for key in ("id", "doc_id", "system", "text", "question")}
        filled_in = {"answer": answer, "answerable": False if answer == "" else None}
        if verify:
            judged = {"expected": record["expected"], "predicted": record.get("predicted")}
            yield {**row, **judged, **filled_in, "correct": record["correct"]}
        else:
            yield {**row, **filled_in}


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
        check_verified_answer(human, model_answers[human.id])
    humans = people.by_id.values()
    own = [human.correct for human in humans if human.correct is not None]
    verdicts = [*own, *(human.predicted_correct for human in humans if human.predicted_correct is not None)]
    return AnswerCounts(
        questions=len(model_answers),
        answered=sum(human.answer is not None for human in humans),
        verified=len(verdicts),
        correct=sum(verdicts),
        verified_own=len(own),
        correct_own=sum(own),
    )


def compare_with_people(
    people: HumanAnswers, questions: Sequence[PosedQuestion], *, language: str | None = None
) -> AnsweringFigures:
    """How well the model's answers agree with those that people gave ("" is no answer), and what they verified."""
    language = language or next((posed.verdict.language for posed in questions), "en")
    posed_by_id = {posed.id: posed for posed in questions}
    compared = [
        (human, human.answer.strip(), posed_by_id[human.id].verdict)
        for human in people.by_id.values()
        if human.answer is not None and human.id in posed_by_id
    ]
    gold = [[text] if text else [] for _, text, _ in compared]
    figures = evaluate_answers(gold, [verdict.answer for _, _, verdict in compared], language=language)
    verified = [
        (human.predicted_correct, verdict)
        for human, text, verdict in compared
        if text and verdict.answer.answered and human.predicted_correct is not None
    ]
    return replace(
        figures,
        accuracy=mean_or_nan([float(correct) for correct, _ in verified]),
        verified=len(verified),
        expected_em=mean_or_nan([exact_match(v.expected, v.answer.text, language) for _, v in verified]),
        expected_f1=mean_or_nan([token_f1(v.expected, v.answer.text, language) for _, v in verified]),
    )


def make_answer_records(people: HumanAnswers) -> Iterator[dict[str, Any]]:
    """People's answers as records with nothing else in them; what they said of the model's answer has its own."""
    for human in people.by_id.values():
        record: dict[str, Any] = {"id": human.id}
        if human.summary is not None:
            record |= dict(zip(("doc_id", "system"), human.summary, strict=True))
        own = {"answer": human.answer, "correct": human.correct}
        verdict = {"predicted": human.predicted, "correct": human.predicted_correct}
        for fields, is_given in ((own, human.answer is not None), (verdict, human.predicted_correct is not None)):
            if is_given:
                yield record | {key: value for key, value in fields.items() if value is not None}
