"""People's answers: questions given to people to answer or to verify, and what they said (section 4.7.2 of QAEval).

A question has an id made from what it is: the question, the answer expected and the text that answers it. What people
said to it may come from several files (`answer_files`): their own answer, whether that is right, and whether the
answer that the model gave is right.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from gistmeter.models.answering.spans import Answer

    SummaryKey = tuple[str, str]

HumanPart = Literal["all", "answers", "verdicts"]
"""What of people's word counts: their answers and what they verified, their answers alone, or the latter alone."""


@dataclass(frozen=True, slots=True)
class HumanAnswer:
    """What people said to one question; None where they did not say."""

    id: str
    source: str
    """The record it was read from, for errors."""

    answer: str | None = None
    """Their own answer; empty where they say that the text has none."""

    correct: bool | None = None
    """Whether their own answer is right."""

    predicted: str | None = None
    """The model's answer that they were shown."""

    predicted_correct: bool | None = None
    """Whether the model's answer is right."""

    summary: SummaryKey | None = None
    """The document and system it was exported for."""

    @property
    def is_silent(self) -> bool:
        """Whether it says nothing: a line that was left as it is."""
        return self.answer is None and self.predicted_correct is None

    def take(self, part: HumanPart) -> HumanAnswer:
        """What counts of it: all, the answer alone, or what they said of the model's answer alone."""
        if part == "answers":
            return replace(self, correct=None, predicted=None, predicted_correct=None)
        return replace(self, answer=None, correct=None) if part == "verdicts" else self

    def merge(self, other: HumanAnswer) -> HumanAnswer:
        """What two records say of the same question, refused where they contradict each other."""
        for field, verb in (
            ("answer", "answers"),
            ("correct", "judges the answer to"),
            ("predicted", "verifies another answer to"),
            ("predicted_correct", "judges the model's answer to"),
        ):
            earlier, later = getattr(self, field), getattr(other, field)
            if earlier is not None and later is not None and earlier != later:
                raise DataError(
                    f"{other.source} {verb} question {self.id} otherwise than {self.source}: keep one of them"
                )
        fields = ("answer", "correct", "predicted", "predicted_correct", "summary")
        values = {field: getattr(other if getattr(self, field) is None else self, field) for field in fields}
        return replace(self, source=other.source if self.is_silent else self.source, **values)


@dataclass(frozen=True, slots=True)
class HumanAnswers:
    """All that people answered and verified, from one file or several."""

    digest: str
    by_id: Mapping[str, HumanAnswer]
    by_summary: Mapping[SummaryKey, tuple[HumanAnswer, ...]]
    """The answers by the document and system they were exported for."""

    @classmethod
    def of(cls, answers: Iterable[HumanAnswer], digest: str) -> HumanAnswers:
        """The answers, those to one question merged."""
        by_id: dict[str, HumanAnswer] = {}
        for human in answers:
            by_id[human.id] = by_id[human.id].merge(human) if human.id in by_id else human
        by_summary: dict[SummaryKey, tuple[HumanAnswer, ...]] = {}
        for human in by_id.values():
            if human.summary is not None:
                by_summary[human.summary] = (*by_summary.get(human.summary, ()), human)
        return cls(digest, by_id, by_summary)

    def find(self, question: str, expected: str, text: str) -> HumanAnswer | None:
        """What people said to a question that expects an answer, put to a text; or None."""
        return self.by_id.get(question_id(question, expected, text))

    def check_asked(self, summary: SummaryKey, asked_ids: Collection[str]) -> None:
        """Refuse an answer to a question that a summary does not ask any more; `asked_ids` are those it asks."""
        for human in self.by_summary.get(summary, ()):
            if human.id not in asked_ids:
                doc_id, system = summary
                raise DataError(
                    f"{human.source} answers question {human.id} of {system}/{doc_id}, which is not asked there: "
                    "were texts or settings changed since `gistmeter qa export`?"
                )


def question_id(question: str, expected: str, text: str) -> str:
    """Twelve hexadecimal digits for a question to a text.

    >>> question_id("Who won?", "Ann", "Ann won.") == question_id("Who won?", "Ann", "Ann lost.")
    False
    """
    parts = "\0".join((question, expected, text))
    return hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def check_verified_answer(human: HumanAnswer, answer: Answer) -> Answer:
    """The model's answer that people verified; refused when the model now answers something else."""
    if human.predicted is not None and human.predicted != _answer_text(answer):
        raise DataError(
            f"{human.source} verifies the answer {human.predicted!r}, but the model now says {_answer_text(answer)!r}: "
            "export the questions again"
        )
    return answer


def locate_human_answer(human: HumanAnswer, text: str) -> Answer:
    """A person's answer to a question, marked in the text where it stands there."""
    from gistmeter.models.answering.spans import Answer

    answer = (human.answer or "").strip()
    start = text.lower().find(answer.lower()) if answer and len(text.lower()) == len(text) else -1
    stands_there = start >= 0
    return Answer(
        text=answer,
        start=start if stands_there else 0,
        end=start + len(answer) if stands_there else 0,
        probability=float(bool(answer)),
        null=float(not answer),
        answered=bool(answer),
    )


def _answer_text(answer: Answer) -> str:
    return answer.text if answer.answered else ""
