"""Questions for people: what a metric asks, as records to answer or to verify, and a check of what came back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gistmeter.errors import DataError, suggestion
from gistmeter.qa.evaluate import Figures, figures
from gistmeter.qa.human_answers import checked_answer, question_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.qa.human_answers import Peoples
    from gistmeter.qa.verdicts import Exchange, Verdict


class Posed(NamedTuple):
    """A question put to a text, for a summary of a document."""

    doc_id: str
    system: str
    exchange: Exchange
    verdict: Verdict

    @property
    def id(self) -> str:
        """What the question is called in files."""
        return question_id(self.verdict.question, self.verdict.expected, self.exchange.answers.text)


@dataclass(frozen=True, slots=True)
class Returned:
    """What people did of what there was to do."""

    questions: int
    answered: int
    verified: int
    correct: int
    """Of the verified ones, those found correct."""


def records(posed: Sequence[Posed], *, verify: bool = False) -> Iterator[dict[str, Any]]:
    """Questions as records with ids, each question to a text once.

    To answer: the question and the text, with an empty place for the `answer`. To verify: also the answer expected and
    the one given, with an empty place for `correct`.
    """
    seen: set[str] = set()
    for one in posed:
        if one.id in seen:
            continue
        seen.add(one.id)
        record: dict[str, Any] = {
            "id": one.id,
            "doc_id": one.doc_id,
            "system": one.system,
            "text": one.exchange.answers.text,
            "question": one.verdict.question,
        }
        if not verify:
            yield {**record, "answer": None}
        elif one.verdict.answer.answered:  # where nothing was answered there is nothing to verify
            given = "answer" if one.verdict.by.startswith("people") else "predicted"
            yield {**record, "expected": one.verdict.expected, given: one.verdict.answer.text, "correct": None}


def checked(people: Peoples, posed: Sequence[Posed]) -> Returned:
    """Refuse answers to questions that nobody asked and verdicts on answers that are not given, count the others."""
    known = {one.id: one.verdict.answer for one in posed}
    for one in people.said.values():
        if one.id not in known:
            raise DataError(
                f"{one.place} answers question {one.id}, which the run does not ask{suggestion(one.id, known)} "
                "(give the run and the metric that `gistmeter qa export` was given)"
            )
        if one.answer is None:
            checked_answer(one, known[one.id])
    return Returned(
        questions=len(known),
        answered=sum(one.answer is not None for one in people.said.values()),
        verified=sum(one.correct is not None for one in people.said.values()),
        correct=sum(one.correct is True for one in people.said.values()),
    )


def compared(people: Peoples, posed: Sequence[Posed], *, language: str = "en") -> Figures:
    """How well the answers in `posed` agree with those that people gave; "" is no answer."""
    answers = {one.id: one.verdict.answer for one in posed}
    said = [one for one in people.said.values() if one.answer is not None and one.id in answers]
    gold = [[one.answer] if (one.answer or "").strip() else [] for one in said]
    return figures(gold, [answers[one.id] for one in said], language=language)  # type: ignore[arg-type]


def kept(people: Peoples) -> Iterator[dict[str, Any]]:
    """People's answers as records with nothing else in them."""
    for one in people.said.values():
        if one.answer is None and one.correct is None:
            continue
        record: dict[str, Any] = {"id": one.id}
        record |= {} if one.owner is None else dict(zip(("doc_id", "system"), one.owner, strict=True))
        record |= {key: value for key in ("answer", "correct", "predicted") if (value := getattr(one, key)) is not None}
        yield record
