"""Questions to a text: answers that people write, and answers of others that people call right or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from gistmeter.annotate.forms import AnswerError, Question, Votes

if TYPE_CHECKING:
    from gistmeter.annotate.forms import Fields

LONGEST_PHRASE = 500
"""Characters of an answer to a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortAnswers(Question):
    """Several questions, each answered with a few words of the text, or with the box that it has no answer.

    >>> block = ShortAnswers(name="answers", question="q", entries=("Who won?", "When?"), absent="a")
    >>> block.parse_fields({"answers.1": " Ann ", "answers.2.none": "1"})
    ['Ann', '']
    """

    kind: ClassVar[str] = "answers"
    beside_reading: ClassVar[bool] = True
    entries: tuple[str, ...]
    absent: str
    language: str = "en"

    def parse_fields(self, fields: Fields) -> list[str]:
        """An answer to each question; empty where the text has none."""
        answers, missing = [], 0
        for number in range(1, len(self.entries) + 1):
            text = " ".join(fields.get(f"{self.name}.{number}", "").split())
            is_absent = fields.get(f"{self.name}.{number}.none") == "1"
            if text and is_absent:
                raise AnswerError("both_answers", number=number)
            if len(text) > LONGEST_PHRASE:
                raise AnswerError("long_text", most=LONGEST_PHRASE)
            missing += not text and not is_absent
            answers.append(text)
        if missing:
            raise AnswerError("missing_checks", missing=missing, total=len(answers))
        return answers

    def fill_fields(self, value: list[str]) -> dict[str, str]:
        """The words of each answer, or its box."""
        return {
            f"{self.name}.{number}" if text else f"{self.name}.{number}.none": text or "1"
            for number, text in enumerate(value, start=1)
        }


class GivenAnswerEntry(NamedTuple):
    """A question with the answer that is right and the one that was given."""

    question: str
    expected: str
    given: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts(Votes):
    """Answers that were given, each to be called right or not.

    >>> entry = GivenAnswerEntry("Who won?", "Ann", "Ann Lee")
    >>> Verdicts(name="verdicts", question="q", entries=(entry,), yes="y", no="n").parse_fields({"verdicts.1": "1"})
    [1]
    """

    kind: ClassVar[str] = "verdicts"
    beside_reading: ClassVar[bool] = True
    entries: tuple[GivenAnswerEntry, ...]
