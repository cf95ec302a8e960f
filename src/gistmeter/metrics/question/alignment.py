"""Alignment by questions: the phrase that a question asks for in one text, and the answer that the other text gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.evidence.alignment import Alignment, Edge, Run, Span, cut_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.evidence.alignment import TokenText
    from gistmeter.qa.verdicts import AnswerVerdict, Exchange

SUMMARY = "summary"


class AnsweredExchange(NamedTuple):
    """An exchange between two texts, and the verdicts on its questions."""

    exchange: Exchange
    verdicts: tuple[AnswerVerdict, ...]


@dataclass(frozen=True, slots=True)
class AlignedAnswers:
    """What a text asks for and what another answers, as an alignment, and the runs of each question in it.

    `expected` and `given` are the runs in the text that asks and in the one that answers, None where a question was not
    answered or its phrase is not to be found. A question that has both is an edge, which adds what the answer scored,
    by the number of questions.
    """

    alignment: Alignment
    expected: tuple[Run | None, ...]
    given: tuple[Run | None, ...]
    asking: TokenText
    answering: TokenText


def align_answers(answered: AnsweredExchange, weigh: Callable[[AnswerVerdict], float]) -> AlignedAnswers:
    """The questions of an exchange as edges between phrases and answers; `weigh` says what an answer adds."""
    exchange, verdicts = answered
    phrases = [Span(verdict.start, verdict.end) for verdict in verdicts]
    answers = [
        Span(verdict.answer.start, verdict.answer.end) if verdict.answer.answered else None for verdict in verdicts
    ]
    asking = cut_tokens(exchange.asking.title, exchange.asking.text, phrases)
    answering = cut_tokens(exchange.answering.title, exchange.answering.text, list(filter(None, answers)))
    expected = tuple(asking.find_run(span) for span in phrases)
    given = tuple(None if span is None else answering.find_run(span) for span in answers)
    summary_asks = exchange.asking.title == SUMMARY
    edges = []
    for verdict, phrase, answer in zip(verdicts, expected, given, strict=True):
        if phrase is not None and answer is not None:
            summary, other = (phrase, answer) if summary_asks else (answer, phrase)
            edges.append(
                Edge(
                    summary=summary.first,
                    other=other.first,
                    weight=max(0.0, weigh(verdict)) / len(verdicts),
                    summary_size=summary.size,
                    other_size=other.size,
                )
            )
    sides = (asking, answering) if summary_asks else (answering, asking)
    return AlignedAnswers(
        alignment=Alignment(*sides, tuple(edges)), expected=expected, given=given, asking=asking, answering=answering
    )


def align_exchanges(
    answered: Sequence[AnsweredExchange], weigh: Callable[[AnswerVerdict], float]
) -> tuple[Alignment, ...]:
    """The alignments of all exchanges of a summary."""
    return tuple(align_answers(exchange, weigh).alignment for exchange in answered)
