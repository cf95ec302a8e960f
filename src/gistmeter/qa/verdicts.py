"""Verdicts: a question, the answer that was expected, the answer that was given, and how well they agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.qa.compare import exact, soft, token_f1

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.answering.spans import Answer
    from gistmeter.models.asking.asker import Question
    from gistmeter.qa.human_answers import Said

_VERIFIED = ", verified"


class Side(NamedTuple):
    """A text and what it is called: summary, reference, document."""

    title: str
    text: str


class Exchange(NamedTuple):
    """One text asks, the other answers."""

    asks: Side
    answers: Side


@dataclass(frozen=True, slots=True)
class Verdict:
    """A question, the answer expected and where it stands in the text that asks, what was answered, and how well."""

    question: str
    expected: str
    start: int
    end: int
    answer: Answer
    exact: float
    f1: float
    soft: float = np.nan
    by: str = "model"
    """Who answered: a model, or people; and `verified` where people said whether the answer is right."""

    language: str = "en"

    @property
    def graded(self) -> float:
        """The token F1 of the likeliest answers, each counted with its probability; people's answers have but one."""
        if self.verified or not self.answer.guesses:
            return self.f1
        return graded_f1(self.expected, self.answer, self.language)

    @property
    def verified(self) -> bool:
        """Whether people said if the answer is right."""
        return self.by.endswith(_VERIFIED)

    @property
    def word(self) -> str:
        """The verdict in a word or two."""
        if not self.answer.answered:
            return "not answered"
        return "right" if self.exact else "partly right" if self.f1 else "wrong"


def expecting(question: Question, answer: Answer) -> Question:
    """A question that expects what the text that asks it answers itself."""
    return replace(question, answer=answer.text, start=answer.start, end=answer.end)


def verdict(question: Question, answer: Answer, said: Said | None = None, *, language: str = "en") -> Verdict:
    """What an answer is worth. Where people verified it, their word counts; no answer is never right."""
    same = shared = 0.0
    verified = None if said is None else said.correct
    if answer.answered and verified is not None:
        same = shared = float(verified)
    elif answer.answered:
        same = exact(question.answer, answer.text, language)
        shared = token_f1(question.answer, answer.text, language)
    who = "model" if said is None or said.answer is None else "people"
    by = who if verified is None else f"{who}{_VERIFIED}"
    return Verdict(
        question.text, question.answer, question.start, question.end, answer, same, shared, by=by, language=language
    )


def graded_f1(expected: str, answer: Answer, language: str = "en") -> float:
    """The token F1 that is to be expected of a model: that of each of its likeliest answers, with its probability.

    >>> from gistmeter.models.answering.spans import from_guesses, guess_of
    >>> told = "Ann met Bob."
    >>> answer = from_guesses([guess_of(told, 8, 11, 0.5), guess_of(told, 0, 3, 0.25)], 0.2, answered=True)
    >>> graded_f1("Ann", answer), graded_f1("Bob", answer)
    (0.25, 0.5)
    """
    return sum(guess.probability * token_f1(expected, guess.text, language) for guess in answer.guesses)


def softened(verdicts: Sequence[Verdict], language: str = "en") -> list[Verdict]:
    """Verdicts that also say how near answers are in meaning; no answer is 0. Where people verified, they decide."""
    near = np.array([one.exact if one.verified else 0.0 for one in verdicts])
    asked = [place for place, one in enumerate(verdicts) if one.answer.answered and not one.verified]
    near[asked] = soft([(verdicts[at].expected, verdicts[at].answer.text) for at in asked], language=language)
    return [replace(one, soft=float(value)) for one, value in zip(verdicts, near, strict=True)]
