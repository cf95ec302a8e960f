"""Extracts estimated by the questions of their sentences, each asked and answered once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.extracts import join_extract
from gistmeter.metrics.question.alignment import AnsweredExchange
from gistmeter.qa.examiner import spread_evenly
from gistmeter.qa.verdicts import TitledText

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.extracts import Choice
    from gistmeter.qa.verdicts import AnswerVerdict


@dataclass(frozen=True, slots=True, eq=False)
class QuestionExtracts:
    """The exchanges of each sentence as a summary of its own.

    Questions that the extract asks are those of its sentences; a question that is put to it is answered by the sentence
    that is surest to answer it. A model that reads the whole extract may answer otherwise, so these are estimates.
    """

    sentences: tuple[str, ...]
    by_sentence: tuple[tuple[AnsweredExchange, ...], ...]
    title: str
    """What the summary is called in an exchange."""
    most: int | None
    """How many questions of a text count."""
    average: Callable[[Sequence[AnsweredExchange]], FloatArray]
    """The columns for the exchanges of one summary."""
    estimates: bool = True

    def score(self, choices: Sequence[Choice]) -> FloatArray:
        """The columns of each choice."""
        return np.array([self.average(self._join(choice)) for choice in choices])

    def _join(self, choice: Choice) -> list[AnsweredExchange]:
        """The exchanges of an extract, put together from those of its sentences."""
        summary = TitledText(self.title, join_extract(self.sentences, choice))
        joined = []
        for parts in zip(*(self.by_sentence[position] for position in choice), strict=True):
            exchange = parts[0].exchange
            if exchange.asking.title == self.title:
                verdicts = [verdict for part in parts for verdict in part.verdicts]
                counted = spread_evenly(verdicts, self.most)
                joined.append(AnsweredExchange(exchange._replace(asking=summary), tuple(counted)))
            else:
                answers = zip(*(part.verdicts for part in parts), strict=True)
                surest = tuple(min(verdicts, key=_doubt) for verdicts in answers)
                joined.append(AnsweredExchange(exchange._replace(answering=summary), surest))
        return joined


def _doubt(verdict: AnswerVerdict) -> float:
    """The probability that a text does not answer a question."""
    return verdict.answer.null
