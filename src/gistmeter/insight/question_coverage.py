"""What questions cover: how many of them ask for a content unit, and how many units they ask for (Table 7 of QAEval).

A question maps to a unit when the unit holds what it asks for. Where the file of questions says which units these are
(`units`), people's word counts; elsewhere the metric's own answerer reads each unit of the document, and the question
maps to those that give its answer (a token F1 of one half at least).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.qa.compare import token_f1
from gistmeter.qa.examiner import MIN_CORRECT_F1
from gistmeter.qa.written_questions import read_written_questions
from gistmeter.result import Result
from gistmeter.text.languages import language_code
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gistmeter.example import Example, Unit
    from gistmeter.metrics.question.qaeval import QaEval
    from gistmeter.qa.written_questions import WrittenQuestion


@dataclass(frozen=True, slots=True)
class QuestionCoverage:
    """What the questions of one metric cover, averaged over documents (over references, where each has but one)."""

    metric: str
    documents: int
    questions: float
    """Questions of a document."""

    units: float
    """Units of a document."""

    precision: float
    """The share of questions that map to a unit."""

    coverage: float
    """The share of units that a question maps to."""

    by_people: int
    """Questions that people mapped; the answerer mapped the others."""

    skipped: int
    """Documents without units, or without a question."""


@dataclass(frozen=True, slots=True)
class QuestionCoverages(Result):
    """What the questions of several metrics cover."""

    rows: tuple[QuestionCoverage, ...]

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric: the columns of Table 7, and how much they rest on."""
        return [
            {
                "metric": row.metric,
                "documents": row.documents,
                "questions": row.questions,
                "units": row.units,
                "QA precision": row.precision,
                "SCU coverage": row.coverage,
            }
            for row in self.rows
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Who mapped questions to units, and what was left out."""
        notes = []
        for row in self.rows:
            total = round(row.questions * row.documents)
            if row.by_people == total:
                notes.append(f"{row.metric}: people mapped all questions to units")
            elif row.by_people:
                notes.append(
                    f"{row.metric}: people mapped {row.by_people} of {total} questions, its answerer the others"
                )
            if row.skipped:
                notes.append(
                    f"{row.metric}: left out {format_count(row.skipped, 'document')} without units or questions"
                )
        return tuple(notes)


class _Asked(NamedTuple):
    """A question about a document, and the units that people map it to, by their positions; None where they did not."""

    question: str
    answer: str
    units: frozenset[int] | None


def measure_question_coverage(metrics: Sequence[QaEval], examples: Iterable[Example]) -> QuestionCoverages:
    """How many questions about references ask for a content unit, and how many units they cover.

    Parameters
    ----------
    metrics
        Settings of qaeval: other phrases to ask for (`answers`), another answerer (`model`), people's `questions`.
    examples
        A run whose documents have references and content units; units of weight 0, which no reference states, do not
        count. Only the first summary of a document is looked at.

    Raises
    ------
    DataError
        No document has both references and units, or a file of questions names a unit that there is not.
    """
    documents = {example.doc_id: example for example in reversed(list(examples)) if example.references}
    run = list(reversed(documents.values()))
    if not any(_weighty_units(example) for example in run):
        raise DataError("no document has references and content units (`units`): give them in the run or with `units=`")
    return QuestionCoverages(tuple(_measure(metric, run) for metric in metrics))


def _measure(metric: QaEval, examples: Sequence[Example]) -> QuestionCoverage:
    documents = [
        (example, _weighty_units(example), asked)
        for example, asked in zip(examples, _ask(metric, examples), strict=True)
    ]
    counted = [(example, units, asked) for example, units, asked in documents if units and asked]
    skipped = len(documents) - len(counted)
    if not counted:
        nan = float("nan")
        return QuestionCoverage(
            metric=metric.spelling,
            documents=0,
            questions=nan,
            units=nan,
            precision=nan,
            coverage=nan,
            by_people=0,
            skipped=skipped,
        )
    answers = metric.examiner.answer_questions(
        (question.question, unit.text)
        for _, units, asked in counted
        for question in asked
        if question.units is None
        for unit in units
    )
    precisions, coverages = [], []
    for example, units, asked in counted:
        language = language_code(example.language)
        mapped = [
            question.units
            if question.units is not None
            else frozenset(
                number
                for number, unit in enumerate(units)
                if (answer := answers[question.question, unit.text]).answered
                and token_f1(question.answer, answer.text, language) >= MIN_CORRECT_F1
            )
            for question in asked
        ]
        precisions.append(np.mean([bool(numbers) for numbers in mapped]))
        coverages.append(len(frozenset().union(*mapped)) / len(units))
    return QuestionCoverage(
        metric=metric.spelling,
        documents=len(counted),
        questions=float(np.mean([len(asked) for _, _, asked in counted])),
        units=float(np.mean([len(units) for _, units, _ in counted])),
        precision=float(np.mean(precisions)),
        coverage=float(np.mean(coverages)),
        by_people=sum(question.units is not None for _, _, asked in counted for question in asked),
        skipped=skipped,
    )


def _ask(metric: QaEval, examples: Sequence[Example]) -> Iterator[list[_Asked]]:
    """The questions about the references of each document."""
    written = read_written_questions(metric.questions) if metric.questions is not None else None
    for example, exchanges in zip(examples, metric.examine(examples, answer=False), strict=True):
        by_person = {} if written is None else _index(written.by_document.get(example.doc_id, ()))
        yield [
            _Asked(
                verdict.question,
                verdict.expected,
                _find_units(by_person.get((verdict.question, verdict.expected)), example),
            )
            for _, verdicts in exchanges
            for verdict in verdicts
        ]


def _index(questions: Sequence[WrittenQuestion]) -> Mapping[tuple[str, str], WrittenQuestion]:
    return {(question.question, question.answer): question for question in questions}


def _find_units(written: WrittenQuestion | None, example: Example) -> frozenset[int] | None:
    """The positions of the units that people map a question to, among those that count."""
    if written is None or written.units is None:
        return None
    units = _weighty_units(example)
    numbers = {str(number): number - 1 for number in range(1, len(units) + 1)}
    numbers |= {unit.text.strip(): number for number, unit in enumerate(units)}
    for name in written.units:
        if name not in numbers:
            raise DataError(
                f"{written.source} maps to the unit {name!r}, but {example.doc_id} has units 1 to {len(units)}"
            )
    return frozenset(numbers[name] for name in written.units)


def _weighty_units(example: Example) -> tuple[Unit, ...]:
    """The units that a reference states."""
    return tuple(unit for unit in example.units if unit.weight > 0)
