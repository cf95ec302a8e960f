"""Extracts estimated by the questions of their sentences, each asked and answered once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.extracts import join_extract
from gistmeter.metrics.question.alignment import AnsweredExchange
from gistmeter.qa.examiner import spread_evenly
from gistmeter.qa.verdicts import TitledText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.extracts import Choice
    from gistmeter.qa.verdicts import AnswerVerdict


@dataclass(frozen=True, slots=True, eq=False)
class QuestionExtracts:
    """The exchanges of each sentence as a summary of its own.

    Questions that the extract asks are those of its sentences; a question that is put to it is answered by the sentence
    that is surest to answer it. A model that reads the whole extract may answer otherwise, so these are estimates.

    What a sentence asks is answered when an estimate cannot do without it: until then every answer counts as right.
    """

    sentences: tuple[str, ...]
    optimistic: tuple[tuple[AnsweredExchange, ...], ...]
    """The exchanges of each sentence, where what the sentence asks is taken as answered right."""
    title: str
    """What the summary is called in an exchange."""
    most: int | None
    """How many questions of a text count."""
    average: Callable[[Sequence[AnsweredExchange]], FloatArray]
    """The columns for the exchanges of one summary."""
    answer: Callable[[tuple[AnsweredExchange, ...]], tuple[AnsweredExchange, ...]]
    """The exchanges of a sentence with all their answers."""
    narrow_text: Callable[[str, Mapping[str, float]], Iterator[FloatArray]]
    """The columns that a summary can still have, nearer with each step, given an expected F1 of its questions."""
    estimates: bool = True
    _answered: dict[int, tuple[AnsweredExchange, ...]] = field(default_factory=dict)

    def score(self, choices: Sequence[Choice]) -> FloatArray:
        """The columns of each choice."""
        return np.array([list(self.narrow_estimate(choice))[-1] for choice in choices])

    def narrow_estimate(self, choice: Choice) -> Iterator[FloatArray]:
        """The columns that an estimate can still have, with one sentence more that was answered in each row."""
        yield self.average(self._join(choice))
        for position in choice:
            if position not in self._answered:
                self._answered[position] = self.answer(self.optimistic[position])
                yield self.average(self._join(choice))

    def narrow_score(self, choice: Choice) -> Iterator[FloatArray]:
        """The columns that an extract can still have, read as a summary; the last are its own."""
        expected_f1 = {
            verdict.question: verdict.f1
            for position in choice
            for part in self._find_exchanges(position)
            if part.exchange.asking.title == self.title
            for verdict in part.verdicts
        }
        return self.narrow_text(join_extract(self.sentences, choice), expected_f1)

    def _find_exchanges(self, position: int) -> tuple[AnsweredExchange, ...]:
        """The exchanges of a sentence, with as many answers as there are."""
        return self._answered.get(position, self.optimistic[position])

    def _join(self, choice: Choice) -> list[AnsweredExchange]:
        """The exchanges of an extract, put together from those of its sentences."""
        summary = TitledText(self.title, join_extract(self.sentences, choice))
        joined = []
        for parts in zip(*(self._find_exchanges(position) for position in choice), strict=True):
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
