"""Metrics that ask questions about one text and answer them on another: what qaeval, qags and their kin share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.linguistics.phrases import PhraseKind  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.metric import Metric, Need, check_choices
from gistmeter.metrics.question.alignment import SUMMARY, AnsweredExchange, align_exchanges
from gistmeter.metrics.question.evidence import explain_questions
from gistmeter.metrics.question.extracts import QuestionExtracts
from gistmeter.metrics.question.files import SEVERAL_FILES, FileNames, list_files
from gistmeter.metrics.question.narrowing import examine_optimistically, narrow_exchanges
from gistmeter.metrics.settings import Count, Probability  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.models.asking.writer import check_template
from gistmeter.qa.examiner import Examiner, KeepRule, QuestionForm
from gistmeter.qa.human_answers import HumanPart, question_id
from gistmeter.qa.verdicts import Exchange, TitledText
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.metrics.extracts import ExtractScorer
    from gistmeter.qa.verdicts import AnswerVerdict

_PHRASE_NAMES: dict[PhraseKind, str] = {"chunks": "noun phrase", "entities": "named entity", "maximal": "noun phrase"}


@dataclass(frozen=True, slots=True)
class QuestionMetric(Metric):
    """The mean over questions, then over the texts that a summary is compared with."""

    model: str = "embedded"
    asker: str = "embedded"
    answers: PhraseKind = "chunks"
    threshold: Probability | None = None
    most: Count | None = None
    people: FileNames = field(default=None, metadata={"takes": SEVERAL_FILES})
    from_people: HumanPart = "all"
    template: str | None = None

    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"asking", "answering", "answering-slots"})

    def __post_init__(self) -> None:
        object.__setattr__(self, "people", list_files(self.people, self.name, "people"))
        check_choices(self)
        if self.from_people != "all" and self.people is None:
            raise MetricError(
                f"{self.name} cannot have from_people={self.from_people} without people: name their files"
            )
        if self.template is not None:
            if self.asker == EMBEDDED:
                raise MetricError(f"{self.name} cannot have a template without an asker by name: rules need no marks")
            check_template(self.template)

    @property
    def examiner(self) -> Examiner:
        """What asks and answers the questions."""
        return self._build_examiner()

    def _build_examiner(
        self, *, keep: KeepRule = "all", form: QuestionForm = "question", against_own: bool = False, soft: bool = False
    ) -> Examiner:
        return Examiner(
            model=self.model,
            asker=self.asker,
            answers=self.answers,
            threshold=self.threshold,
            most=self.most,
            people=list_files(self.people, self.name, "people"),
            from_people=self.from_people,
            template=self.template,
            keep=keep,
            form=form,
            against_own=against_own,
            soft=soft,
        )

    @abstractmethod
    def build_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """Which text asks and which answers, as often as there are texts to compare with."""

    def build_estimated_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """The exchanges of a sentence of the document, for an estimate of extracts that have it."""
        return self.build_exchanges(example)

    @abstractmethod
    def score_verdict(self, verdict: AnswerVerdict) -> tuple[float, ...]:
        """What a question brings to each column."""

    def average_exchanges(self, answered: Sequence[AnsweredExchange]) -> FloatArray:
        """The columns: means over questions, then over the exchanges that have any; missing (NaN) where none has."""
        rows = np.array([self.average_questions(exchange) for exchange in answered]).reshape(len(answered), -1)
        present = rows[~np.isnan(rows).any(axis=1)]
        return present.mean(axis=0) if len(present) else np.full(len(self.columns), np.nan)

    def average_questions(self, answered: AnsweredExchange) -> FloatArray:
        """The means over the questions of one exchange; an empty summary that should ask has 0."""
        exchange, verdicts = answered
        if (
            exchange.asking.title == SUMMARY
            and has_words(exchange.answering_text)
            and not has_words(exchange.asking_text)
        ):
            return np.zeros(len(self.columns))
        if not verdicts or (exchange.answering.title != SUMMARY and not has_words(exchange.answering_text)):
            return np.full(len(self.columns), np.nan)
        return np.asarray(np.mean([self.score_verdict(verdict) for verdict in verdicts], axis=0))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The columns of each example; missing (NaN) where there is nothing to ask."""
        rows = [self.average_exchanges(answered) for answered in self.examine(examples)]
        return np.array(rows).reshape(len(examples), len(self.columns))

    def examine(
        self, examples: Sequence[Example], *, answer: bool = True, skip_hopeless: bool = False
    ) -> list[tuple[AnsweredExchange, ...]]:
        """For each example its exchanges with their verdicts; each text asks once, each pair of texts answers once.

        Without `answer` questions are asked and not answered, unless answers decide which questions count; with
        `skip_hopeless` those are not answered whose F1 is 0 whatever the answer is.
        """
        answered: list[tuple[AnsweredExchange, ...]] = [()] * len(examples)
        for language, rows in group_by_language(examples).items():
            self.examiner.check_language(examples[rows[0]].language, self.name)
            exchanges = [self.build_exchanges(examples[row]) for row in rows]
            examined = self._examine_exchanges(exchanges, language, answer=answer, skip_hopeless=skip_hopeless)
            for row, row_answered in zip(rows, examined, strict=True):
                answered[row] = row_answered
        self._check_people(examples, answered)
        return answered

    def _examine_exchanges(
        self,
        exchanges: Sequence[tuple[Exchange, ...]],
        language: str,
        *,
        answer: bool = True,
        skip_hopeless: bool = False,
    ) -> list[tuple[AnsweredExchange, ...]]:
        """The exchanges of each summary with their verdicts."""
        listed = [(row, exchange) for row, own in enumerate(exchanges) for exchange in own]
        verdicts = self.examiner.examine(
            [exchange for _, exchange in listed], language, answer=answer, skip_hopeless=skip_hopeless
        )
        answered: list[tuple[AnsweredExchange, ...]] = [()] * len(exchanges)
        for (row, exchange), exchange_verdicts in zip(listed, verdicts, strict=True):
            answered[row] += (AnsweredExchange(exchange, exchange_verdicts),)
        return answered

    def read_extracts(self, example: Example, sentences: Sequence[str]) -> ExtractScorer | None:
        """Estimates: each sentence asks and answers as a summary of its own; None where people answer."""
        if self.people is not None:
            return None
        language, examiner = language_code(example.language), self.examiner
        alone = [replace(example, summary=text) for text in sentences]
        exchanges = [self.build_estimated_exchanges(sentence) for sentence in alone]
        return QuestionExtracts(
            sentences=tuple(sentences),
            optimistic=tuple(examine_optimistically(examiner, exchanges, language, unanswered=SUMMARY)),
            title=SUMMARY,
            most=self.most,
            average=self.average_exchanges,
            answer=lambda own: self._examine_exchanges([tuple(part.exchange for part in own)], language)[0],
            narrow_text=lambda text, expected_f1: self._narrow(replace(example, summary=text), expected_f1),
        )

    def _narrow(self, example: Example, expected_f1: Mapping[str, float]) -> Iterator[FloatArray]:
        """The columns that an example can still have, with more and more of its questions answered."""
        narrowed = narrow_exchanges(
            self.examiner,
            self.build_exchanges(example),
            language_code(example.language),
            expected_f1=expected_f1,
        )
        return map(self.average_exchanges, narrowed)

    def check_language(self, code: str) -> None:
        """Refuse a language that the models do not know."""
        self.examiner.check_language(code, self.name)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language."""
        return {"language": language_code(example.language)}

    def facts(self) -> Mapping[str, str]:
        """Who asked and who answered."""
        return self.examiner.facts()

    def explain(self, example: Example) -> Evidence:
        """Every question with the answer expected, the answer given, and the verdict."""
        (answered,) = self.examine([example])
        return explain_questions(self.spelling, self._write_headline(answered), answered)

    def align(self, examples: Sequence[Example]) -> list[tuple[Alignment, ...]]:
        """Every phrase that a question asks for, with the answer that the other text gives, by the first column.

        Where the score of a text is a mean over questions, its edges add up to it. Questions whose answer can add
        nothing are not put to a model, unless people verified what it says.
        """
        return [
            align_exchanges(answered, lambda verdict: self.score_verdict(verdict)[0])
            for answered in self.examine(examples, skip_hopeless=self.people is None)
        ]

    def _write_headline(self, answered: Sequence[AnsweredExchange]) -> str:
        """The scores in a sentence."""
        verdicts = [verdict for exchange in answered for verdict in exchange.verdicts]
        values = self.average_exchanges(answered)
        if not verdicts or np.isnan(values).all():
            return f"nothing to ask: {self._explain_missing([exchange for exchange, _ in answered])}"
        scores = ", ".join(f"{column.name} {value:.3f}" for column, value in zip(self.columns, values, strict=True))
        right = sum(verdict.exact == 1 for verdict in verdicts)
        return f"{scores}: {right} of {format_count(len(verdicts), 'question')} answered right"

    def why_missing(self, example: Example) -> str:
        """Which text has nothing to ask about, or answers nothing."""
        return self._explain_missing(self.build_exchanges(example), language_code(example.language))

    def _explain_missing(self, exchanges: Sequence[Exchange], language: str = "en") -> str:
        """Why no question counts: what is wrong with the texts that ask, or with the one that cannot answer."""
        asking = list(dict.fromkeys(exchange.asking for exchange in exchanges))
        answering = list(
            dict.fromkeys(exchange.answering for exchange in exchanges if exchange.answering.title != SUMMARY)
        )
        for texts in (answering, asking):
            if texts and not any(has_words(text.text) for text in texts):
                return _describe_texts(texts, "has no words", "have no words")
        if any(exchange.questions is not None for exchange in exchanges):
            return "the file of questions has none for its references"
        if not any(self.examiner.ask_questions((text.text for text in asking), language).values()):
            lacking = f"no {_PHRASE_NAMES[self.answers]} to ask about"
            return _describe_texts(asking, f"has {lacking}", f"have {lacking}")
        return _describe_texts(asking, "answers none of its own questions", "answer none of their own questions")

    def _check_people(self, examples: Sequence[Example], answered: Sequence[Sequence[AnsweredExchange]]) -> None:
        """Refuse people's answers to questions that their summary does not ask."""
        people = self.examiner.human_answers()
        if people is None:
            return
        for example, example_exchanges in zip(examples, answered, strict=True):
            ids = {
                question_id(verdict.question, verdict.expected, exchange.answering_text)
                for exchange, verdicts in example_exchanges
                for verdict in verdicts
            }
            people.check_asked((example.doc_id, example.system), ids)


def _describe_texts(texts: Sequence[TitledText], singular: str, plural: str) -> str:
    """A sentence about one text (`singular`) or several (`plural`), which are named by their titles."""
    titles = list(dict.fromkeys(text.title.split()[0] for text in texts))
    if len(texts) == 1:
        return f"the {titles[0]} {singular}"
    return f"the {' and the '.join(titles) if len(titles) > 1 else f'{titles[0]}s'} {plural}"


REFERENCES = frozenset[Need]({"references"})
DOCUMENT = frozenset[Need]({"document"})


def title_summary(example: Example) -> TitledText:
    """The summary of an example."""
    return TitledText(SUMMARY, example.summary)


def title_references(example: Example) -> tuple[TitledText, ...]:
    """The references of an example, numbered when there are several."""
    if len(example.references) == 1:
        return (TitledText("reference", example.references[0]),)
    return tuple(TitledText(f"reference {number}", text) for number, text in enumerate(example.references, start=1))


def let_references_ask(example: Example) -> tuple[Exchange, ...]:
    """Each reference asks, the summary answers."""
    return tuple(Exchange(text, title_summary(example)) for text in title_references(example))


def title_document(example: Example) -> TitledText:
    """The document of an example, or its documents as one text."""
    return TitledText("document", example.document or "")
