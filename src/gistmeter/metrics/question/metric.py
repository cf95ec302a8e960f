"""Metrics that ask questions about one text and answer them on another: what qaeval, qags and their kin share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.grouping import by_language
from gistmeter.metrics.metric import Metric, Need, check_choices
from gistmeter.metrics.question.evidence import Asked, question_evidence
from gistmeter.models.asking.named import checked_template
from gistmeter.qa.examiner import Examiner, Form, Keep, Kind
from gistmeter.qa.people import question_id
from gistmeter.qa.verdicts import Exchange, Side
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example
    from gistmeter.qa.verdicts import Verdict

SUMMARY = "summary"
_PHRASES: dict[Kind, str] = {"chunks": "noun phrase", "entities": "named entity", "maximal": "noun phrase"}


@dataclass(frozen=True, slots=True)
class QuestionMetric(Metric):
    """The mean over questions, then over the texts that a summary is compared with."""

    model: str = "embedded"
    asker: str = "embedded"
    answers: Kind = "chunks"
    threshold: float | None = None
    most: int | None = None
    people: str | None = None
    template: str | None = None

    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"asking", "answering", "answering-slots"})

    def __post_init__(self) -> None:
        check_choices(self)
        if self.threshold is not None and not 0 <= self.threshold <= 1:
            raise MetricError(f"{self.name} cannot have threshold={self.threshold}: a probability is from 0 to 1")
        if self.most is not None and self.most < 1:
            raise MetricError(f"{self.name} cannot have most={self.most}: it is at least 1")
        if self.template is not None:
            if self.asker == EMBEDDED:
                raise MetricError(f"{self.name} cannot have a template without an asker by name: rules need no marks")
            checked_template(self.template)

    @property
    def examiner(self) -> Examiner:
        """Who asks and answers."""
        return self._examiner()

    def _examiner(
        self, *, keep: Keep = "all", form: Form = "question", against_own: bool = False, soft: bool = False
    ) -> Examiner:
        return Examiner(
            model=self.model,
            asker=self.asker,
            answers=self.answers,
            threshold=self.threshold,
            most=self.most,
            people=self.people,
            template=self.template,
            keep=keep,
            form=form,
            against_own=against_own,
            soft=soft,
        )

    @abstractmethod
    def exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """Which text asks and which answers, as often as there are texts to compare with."""

    @abstractmethod
    def values(self, verdict: Verdict) -> tuple[float, ...]:
        """What one question gives for each column."""

    def numbers(self, asked: Sequence[Asked]) -> FloatArray:
        """The columns: means over questions, then over the exchanges that have any; missing (NaN) where none has."""
        rows = np.array([self.means(one) for one in asked]).reshape(len(asked), -1)
        some = rows[~np.isnan(rows).any(axis=1)]
        return some.mean(axis=0) if len(some) else np.full(len(self.columns), np.nan)

    def means(self, asked: Asked) -> FloatArray:
        """The means over the questions of one exchange; an empty summary that should ask has 0."""
        exchange, verdicts = asked
        if exchange.asks.title == SUMMARY and has_words(exchange.answers.text) and not has_words(exchange.asks.text):
            return np.zeros(len(self.columns))
        if not verdicts or (exchange.answers.title != SUMMARY and not has_words(exchange.answers.text)):
            return np.full(len(self.columns), np.nan)
        return np.asarray(np.mean([self.values(one) for one in verdicts], axis=0))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The columns of each example; missing (NaN) where there is nothing to ask."""
        rows = [self.numbers(asked) for asked in self.asked(examples)]
        return np.array(rows).reshape(len(examples), len(self.columns))

    def asked(self, examples: Sequence[Example], *, answer: bool = True) -> list[tuple[Asked, ...]]:
        """For each example its exchanges with their verdicts; each text asked once, each pair answered once."""
        found: list[tuple[Asked, ...]] = [()] * len(examples)
        for language, places in by_language(examples).items():
            examiner = self.examiner
            examiner.check_language(examples[places[0]].language, self.name)
            each = [self.exchanges(examples[place]) for place in places]
            verdicts = iter(examiner.verdicts([one for some in each for one in some], language, answer=answer))
            for place, some in zip(places, each, strict=True):
                found[place] = tuple(Asked(one, next(verdicts)) for one in some)
        self._check_people(examples, found)
        return found

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language."""
        return {"language": language_code(example.language)}

    def facts(self) -> Mapping[str, str]:
        """Who asked and who answered."""
        return self.examiner.facts()

    def explain(self, example: Example) -> Evidence:
        """Every question with the answer expected, the answer found, and the verdict."""
        (asked,) = self.asked([example])
        return question_evidence(self.spelling, self.headline(asked), asked)

    def headline(self, asked: Sequence[Asked]) -> str:
        """The scores in a sentence."""
        count = sum(len(one.verdicts) for one in asked)
        numbers = self.numbers(asked)
        if not count or np.isnan(numbers).all():
            return f"nothing to ask: {self._why([one.exchange for one in asked])}"
        said = ", ".join(f"{column.name} {value:.3f}" for column, value in zip(self.columns, numbers, strict=True))
        right = sum(one.exact == 1 for each in asked for one in each.verdicts)
        return f"{said}: {right} of {count} questions answered right"

    def why_missing(self, example: Example) -> str:
        """Which text has nothing to ask about, or answers nothing."""
        return self._why(self.exchanges(example), language_code(example.language))

    def _why(self, exchanges: Sequence[Exchange], language: str = "en") -> str:
        """Why no question counts, said of the texts that ask, or of the one that cannot answer."""
        asking = list(dict.fromkeys(one.asks for one in exchanges))
        beside = list(dict.fromkeys(one.answers for one in exchanges if one.answers.title != SUMMARY))
        for sides in (beside, asking):
            if sides and not any(has_words(side.text) for side in sides):
                return _said(sides, "has no words", "have no words")
        if not any(self.examiner.asked((side.text for side in asking), language).values()):
            what = f"no {_PHRASES[self.answers]} to ask about"
            return _said(asking, f"has {what}", f"have {what}")
        return _said(asking, "answers none of its own questions", "answer none of their own questions")

    def _check_people(self, examples: Sequence[Example], found: Sequence[Sequence[Asked]]) -> None:
        """Refuse people's answers to questions that their summary does not ask."""
        people = self.examiner.peoples()
        if people is None:
            return
        for example, asked in zip(examples, found, strict=True):
            known = {
                question_id(one.question, one.expected, exchange.answers.text)
                for exchange, verdicts in asked
                for one in verdicts
            }
            people.check((example.doc_id, example.system), known)


def _said(sides: Sequence[Side], of_one: str, of_several: str) -> str:
    """Something said of one text, or of several."""
    titles = list(dict.fromkeys(side.title.split()[0] for side in sides))
    if len(sides) == 1:
        return f"the {titles[0]} {of_one}"
    return f"the {' and the '.join(titles) if len(titles) > 1 else f'{titles[0]}s'} {of_several}"


REFERENCES = frozenset[Need]({"references"})
DOCUMENT = frozenset[Need]({"document"})


def summary_side(example: Example) -> Side:
    """The summary of an example."""
    return Side(SUMMARY, example.summary)


def reference_sides(example: Example) -> tuple[Side, ...]:
    """The references of an example, numbered when there are several."""
    if len(example.references) == 1:
        return (Side("reference", example.references[0]),)
    return tuple(Side(f"reference {number}", text) for number, text in enumerate(example.references, start=1))


def references_ask(example: Example) -> tuple[Exchange, ...]:
    """Each reference asks, the summary answers."""
    return tuple(Exchange(side, summary_side(example)) for side in reference_sides(example))


def document_side(example: Example) -> Side:
    """The document of an example, or its documents as one text."""
    return Side("document", example.document or "")
