"""Verdicts: a question, the answer that was expected, the answer that was given, and how well they agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.qa.compare import answer_similarity, exact_match, token_f1

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.answering.spans import Answer
    from gistmeter.models.asking.asker import Question
    from gistmeter.models.verification.scorer import AnswerScorer
    from gistmeter.qa.human_answers import HumanAnswer

_VERIFIED = ", verified"


class TitledText(NamedTuple):
    """A text and what it is called: summary, reference, document."""

    title: str
    text: str


class Exchange(NamedTuple):
    """Two texts: questions are asked about the one and answered on the other."""

    asking: TitledText
    answering: TitledText
    questions: tuple[Question, ...] | None = None
    """The questions to put, where they are not those that the asker of a metric asks."""

    @property
    def asking_text(self) -> str:
        """The text that questions are asked about."""
        return self.asking.text

    @property
    def answering_text(self) -> str:
        """The text that questions are answered on."""
        return self.answering.text


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """A question, the answer expected and where it stands in the text that asks, what was answered, and how well."""

    question: str
    expected: str
    start: int
    end: int
    answer: Answer
    exact: float
    f1: float
    soft: float = np.nan
    learned: float = np.nan
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


def expect_own_answer(question: Question, answer: Answer) -> Question:
    """The question, with the answer that the asking text itself gives as the answer expected."""
    return replace(question, answer=answer.text, start=answer.start, end=answer.end)


def judge_answer(
    question: Question, answer: Answer, human: HumanAnswer | None = None, *, language: str = "en"
) -> AnswerVerdict:
    """What an answer is worth. Where people verified it, their word counts; no answer is never right."""
    exact = f1 = 0.0
    by_people = human is not None and human.answer is not None
    verified = None if human is None else human.correct if by_people else human.predicted_correct
    if answer.answered and verified is not None:
        exact = f1 = float(verified)
    elif answer.answered:
        exact = exact_match(question.answer, answer.text, language)
        f1 = token_f1(question.answer, answer.text, language)
    answerer = "people" if by_people else "model"
    return AnswerVerdict(
        question=question.text,
        expected=question.answer,
        start=question.start,
        end=question.end,
        answer=answer,
        exact=exact,
        f1=f1,
        by=answerer if verified is None else f"{answerer}{_VERIFIED}",
        language=language,
    )


def graded_f1(expected: str, answer: Answer, language: str = "en") -> float:
    """The token F1 that is to be expected of a model: that of each of its likeliest answers, with its probability.

    >>> from gistmeter.models.answering.spans import answer_from_guesses, make_guess
    >>> text = "Ann met Bob."
    >>> answer = answer_from_guesses([make_guess(text, 8, 11, 0.5), make_guess(text, 0, 3, 0.25)], 0.2, answered=True)
    >>> graded_f1("Ann", answer), graded_f1("Bob", answer)
    (0.25, 0.5)
    """
    return sum(guess.probability * token_f1(expected, guess.text, language) for guess in answer.guesses)


def add_soft_scores(verdicts: Sequence[AnswerVerdict], language: str = "en") -> list[AnswerVerdict]:
    """The verdicts with how near their answers are in meaning; no answer is 0. Where people verified, they decide."""
    scores = _score_unverified(
        verdicts,
        lambda rows: answer_similarity(
            [(verdicts[row].expected, verdicts[row].answer.text) for row in rows], language=language
        ),
    )
    return [replace(verdict, soft=score) for verdict, score in zip(verdicts, scores, strict=True)]


def add_learned_scores(
    verdicts: Sequence[AnswerVerdict], texts: Sequence[str], scorer: AnswerScorer
) -> list[AnswerVerdict]:
    """The verdicts with what a learned scorer gives; no answer is 0. Where people verified, they decide.

    `texts` are those that answered.
    """
    from gistmeter.models.verification.inputs import GivenAnswer

    def score_rows(rows: Sequence[int]) -> FloatArray:
        return scorer.scores(
            [
                GivenAnswer(
                    context=texts[row],
                    question=verdicts[row].question,
                    reference=verdicts[row].expected,
                    candidate=verdicts[row].answer.text,
                )
                for row in rows
            ]
        )

    scores = _score_unverified(verdicts, score_rows)
    return [replace(verdict, learned=score) for verdict, score in zip(verdicts, scores, strict=True)]


def _score_unverified(
    verdicts: Sequence[AnswerVerdict], score_rows: Callable[[Sequence[int]], FloatArray]
) -> list[float]:
    """A score for each verdict: people's word where they verified, 0 without an answer, else by `score_rows`."""
    scores = np.array([verdict.exact if verdict.verified else 0.0 for verdict in verdicts])
    rows = [row for row, verdict in enumerate(verdicts) if verdict.answer.answered and not verdict.verified]
    scores[rows] = score_rows(rows)
    return [float(score) for score in scores]
