"""Scores that come nearer with each question that is answered: what an extract can still be worth, and no more.

The document is read in full for each question that it answers, and most extracts that a search looks at are not the
best one. So questions are answered a few at a time, and those that wait count as answered right. As scores rise with
right answers, what comes out is never below the score; whoever looks for the best stops reading where that is too low.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from gistmeter.metrics.question.alignment import AnsweredExchange
from gistmeter.models.answering.spans import Answer
from gistmeter.qa.verdicts import AnswerVerdict, judge_answer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.models.asking.asker import Question
    from gistmeter.qa.examiner import Examiner
    from gistmeter.qa.verdicts import Exchange

CHUNK_CHARACTERS = 6000
"""Characters of questions and texts that are read before scores are looked at again: two or three news articles."""


def narrow_exchanges(
    examiner: Examiner, exchanges: Sequence[Exchange], language: str, *, expected_f1: Mapping[str, float]
) -> Iterator[tuple[AnsweredExchange, ...]]:
    """The exchanges with more and more of their questions answered, and the others taken as answered right.

    What was answered before comes first, then short texts, then the questions with the lowest `expected_f1`: the
    sooner a low score shows, the less is read. In the last of the exchanges every question is answered.
    """
    questions = examiner.list_questions(exchanges, language)
    pairs = dict.fromkeys(
        (question.text, exchange.answering_text)
        for exchange, own in zip(exchanges, questions, strict=True)
        for question in own
    )
    answers = examiner.recall_answers(pairs)
    waiting = sorted(
        (pair for pair in pairs if pair not in answers),
        key=lambda pair: (len(pair[1]), expected_f1.get(pair[0], 1.0)),
    )
    yield judge_optimistically(exchanges, questions, answers, language)
    for chunk in _split_by_length(waiting):
        answers |= examiner.answer_questions(chunk)
        yield judge_optimistically(exchanges, questions, answers, language)


def examine_optimistically(
    examiner: Examiner, exchanges: Sequence[tuple[Exchange, ...]], language: str, *, unanswered: str
) -> list[tuple[AnsweredExchange, ...]]:
    """The exchanges of each text, all answered but those that a text of this title asks: they count as right."""
    listed = [exchange for own in exchanges for exchange in own]
    questions = examiner.list_questions(listed, language)
    answers = examiner.answer_questions(
        (question.text, exchange.answering_text)
        for exchange, own in zip(listed, questions, strict=True)
        if exchange.asking.title != unanswered
        for question in own
    )
    judged = iter(judge_optimistically(listed, questions, answers, language))
    return [tuple(islice(judged, len(own))) for own in exchanges]


def judge_optimistically(
    exchanges: Sequence[Exchange],
    questions: Sequence[tuple[Question, ...]],
    answers: Mapping[tuple[str, str], Answer],
    language: str,
) -> tuple[AnsweredExchange, ...]:
    """The exchanges with their verdicts; a question without an answer so far counts as answered right."""
    return tuple(
        AnsweredExchange(
            exchange,
            tuple(
                _judge_as_right(question, language)
                if (answer := answers.get((question.text, exchange.answering_text))) is None
                else judge_answer(question, answer, language=language)
                for question in own
            ),
        )
        for exchange, own in zip(exchanges, questions, strict=True)
    )


def _judge_as_right(question: Question, language: str) -> AnswerVerdict:
    """The best verdict that a question can have."""
    answer = Answer(text=question.answer, start=0, end=0, probability=1.0, null=0.0, answered=True)
    return AnswerVerdict(
        question=question.text,
        expected=question.answer,
        start=question.start,
        end=question.end,
        answer=answer,
        exact=1.0,
        f1=1.0,
        soft=1.0,
        language=language,
    )


def _split_by_length(pairs: Sequence[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    """Pairs in chunks of at most so many characters, in their order; at least one pair in each."""
    chunk: list[tuple[str, str]] = []
    characters = 0
    for pair in pairs:
        size = len(pair[0]) + len(pair[1])
        if chunk and characters + size > CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
        chunk.append(pair)
        characters += size
    if chunk:
        yield chunk
