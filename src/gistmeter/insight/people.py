"""People in the place of a metric's models: who answers and who verifies, four ways (Table 9 of QAEval).

A metric that asks questions has two parts that people can play: answering, and saying whether an answer is right. With
what people answered and verified, the metric is scored with a model or people in either part, on the summaries whose
questions people judged, and the four are correlated with human judgments of the summaries: the most that better models
could gain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError
from gistmeter.judgments import choose_aspect
from gistmeter.missing import average_present
from gistmeter.qa.answer_files import read_human_answers
from gistmeter.qa.export import PosedQuestion
from gistmeter.result import Result
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.judgments import Judgments
    from gistmeter.metrics.question.alignment import AnsweredExchange
    from gistmeter.metrics.question.metric import QuestionMetric
    from gistmeter.qa.human_answers import HumanAnswers, HumanPart
    from gistmeter.stats.tables import Coefficient, Level, Undefined

_COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")


class _Setup(NamedTuple):
    """Who plays which part, and what of people's word that takes; None where it takes nothing."""

    answers_by: Literal["model", "people"]
    verified_by: Literal["metric", "people"]
    part: HumanPart | None


_SETUPS = (
    _Setup("model", "metric", None),
    _Setup("people", "metric", "answers"),
    _Setup("model", "people", "verdicts"),
    _Setup("people", "people", "all"),
)


@dataclass(frozen=True, slots=True)
class HumanSetup:
    """A metric whose questions a model or people answered, and itself or people verified."""

    answers_by: Literal["model", "people"]
    verified_by: Literal["metric", "people"]
    questions: int
    """Questions that were put, each for every summary that is asked it."""

    by_people: int
    """Questions that people answered, or said that there is no answer; a model answered the others."""

    verified: int
    """Answers that people called right or wrong; of those that are left, the metric judged."""

    answered: int
    """Questions that have an answer, by whomever."""

    score: float
    """The mean over summaries."""

    pearson: float = np.nan
    spearman: float = np.nan
    kendall: float = np.nan


@dataclass(frozen=True, slots=True)
class HumanSetups(Result):
    """The four setups, as far as people answered and verified, on the summaries that people judged questions of."""

    column: str
    rows: tuple[HumanSetup, ...]
    summaries: int
    left_out: int
    """Summaries of the run none of whose questions people judged."""

    aspect: str | None = None
    level: Level = "summary"

    def records(self) -> list[dict[str, Any]]:
        """A row for each setup."""
        return [
            {
                "QA": row.answers_by,
                "verification": self.column.rpartition(".")[2] if row.verified_by == "metric" else "people",
                "questions": row.questions,
                "by people": row.by_people,
                "answered": row.answered,
                "verified": row.verified,
                "score": row.score,
                **({"r": row.pearson, "rho": row.spearman, "tau": row.kendall} if self.aspect is not None else {}),
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """What was scored and compared."""
        return {"column": self.column, "human": self.aspect, "level": self.level, "summaries": self.summaries}

    @property
    def notes(self) -> tuple[str, ...]:
        """What people have not done."""
        notes = []
        if self.left_out:
            notes.append(f"left out {format_count(self.left_out, 'summary')}: people judged none of the questions")
        setups = {(row.answers_by, row.verified_by): row for row in self.rows}
        if ("people", "metric") not in setups:
            notes.append("people answered no question: the model answers all")
        elif (missing := setups["people", "metric"].questions - setups["people", "metric"].by_people) > 0:
            notes.append(f"people did not answer {format_count(missing, 'question')}: there the model answers")
        for row in self.rows:
            if row.verified_by == "people" and row.verified < row.answered:
                whose = "the model's" if row.answers_by == "model" else "people's"
                notes.append(
                    f"of {whose} {row.answered} answers people verified {row.verified}: the metric judges the others"
                )
        for answerer, answers in (("model", "the model's answers"), ("people", "people's answers")):
            if (answerer, "metric") in setups and (answerer, "people") not in setups:
                notes.append(f"nobody verified {answers} (export them with `verify=True`)")
        return tuple(notes)


def compare_human_setups(
    metric: QuestionMetric,
    examples: Iterable[Example],
    judgments: Judgments | None = None,
    *,
    aspect: str | None = None,
    level: Level = "summary",
    undefined: Undefined = "drop",
) -> HumanSetups:
    """Score a metric with a model or people answering, and itself or people verifying; compare with human judgments.

    Parameters
    ----------
    metric
        A metric that asks questions, with the files of people's answers and verdicts as its `people`.
    examples
        The run. Summaries none of whose questions people judged are left out.
    judgments
        What people said of the summaries; without them there are scores and no correlations.
    aspect
        The judgment to compare with; by default the only one there is.
    level, undefined
        As for `gistmeter.meta.correlate`.

    Raises
    ------
    ArgumentError
        The metric has no `people`.
    DataError
        People judged no question of the run, or there is too little to correlate.
    """
    if metric.people is None:
        raise ArgumentError(
            f"{metric} has no people: name the files with what they said (`answers`, or qaeval(people=FILE))"
        )
    people = read_human_answers(metric.people)
    run = list(examples)
    plain = replace(metric, people=None, from_people="all").examine(run)
    judged = [example for example, answered in zip(run, plain, strict=True) if _is_judged(example, answered, people)]
    if not judged:
        raise DataError("people judged no question of this run (give the run that `gistmeter qa export` was given)")
    setups: list[HumanSetup] = []
    tables: list[FloatArray] = []
    for setup in _SETUPS:
        files = None if setup.part is None else metric.people
        setup_metric = replace(metric, people=files, from_people=setup.part or "all")
        answered = setup_metric.examine(judged)
        scores = [float(setup_metric.average_exchanges(exchanges)[0]) for exchanges in answered]
        row = _count(setup, answered, scores)
        if (setup.answers_by == "model" or row.by_people) and (setup.verified_by == "metric" or row.verified):
            setups.append(row)
            tables.append(_arrange(judged, scores))
    column = f"{metric.name}.{metric.columns[0].name}"
    if judgments is None:
        return HumanSetups(column=column, rows=tuple(setups), summaries=len(judged), left_out=len(run) - len(judged))
    aspect = choose_aspect(judgments.aspects, aspect)
    human = _arrange_judgments(judged, judgments, aspect)
    rows = [
        _correlate(row, table, human, level=level, undefined=undefined)
        for row, table in zip(setups, tables, strict=True)
    ]
    if all(np.isnan(row.pearson) for row in rows):  # no setup can be correlated: say why
        stats.correlate(tables[0], human, level=level, undefined=undefined)
    return HumanSetups(
        column=column,
        rows=tuple(rows),
        summaries=len(judged),
        left_out=len(run) - len(judged),
        aspect=aspect,
        level=level,
    )


def _correlate(
    row: HumanSetup, scores: FloatArray, human: FloatArray, *, level: Level, undefined: Undefined
) -> HumanSetup:
    """A setup with its correlations; NaN where its scores are constant, which other setups need not be."""
    try:
        values = [
            stats.correlate(scores, human, level=level, coefficient=coefficient, undefined=undefined).value
            for coefficient in _COEFFICIENTS
        ]
    except DataError:
        if undefined == "error":
            raise
        return row
    pearson, spearman, kendall = values
    return replace(row, pearson=pearson, spearman=spearman, kendall=kendall)


def _is_judged(example: Example, answered: Sequence[AnsweredExchange], people: HumanAnswers) -> bool:
    """Whether people answered or verified a question of a summary."""
    ids = (
        PosedQuestion(doc_id=example.doc_id, system=example.system, exchange=exchange, verdict=verdict).id
        for exchange, verdicts in answered
        for verdict in verdicts
    )
    return any(question in people.by_id and not people.by_id[question].is_silent for question in ids)


def _count(setup: _Setup, answered: Sequence[Sequence[AnsweredExchange]], scores: Sequence[float]) -> HumanSetup:
    verdicts = [verdict for exchanges in answered for exchange in exchanges for verdict in exchange.verdicts]
    return HumanSetup(
        answers_by=setup.answers_by,
        verified_by=setup.verified_by,
        questions=len(verdicts),
        by_people=sum(verdict.by.startswith("people") for verdict in verdicts),
        verified=sum(verdict.verified and verdict.answer.answered for verdict in verdicts),
        answered=sum(verdict.answer.answered for verdict in verdicts),
        score=average_present(scores),
    )


def _arrange(examples: Sequence[Example], scores: Sequence[float]) -> FloatArray:
    """Scores as a table, systems x documents, in the order in which they first appear."""
    systems = list(dict.fromkeys(example.system for example in examples))
    documents = list(dict.fromkeys(example.doc_id for example in examples))
    table = np.full((len(systems), len(documents)), np.nan)
    for example, score in zip(examples, scores, strict=True):
        table[systems.index(example.system), documents.index(example.doc_id)] = score
    return table


def _arrange_judgments(examples: Sequence[Example], judgments: Judgments, aspect: str) -> FloatArray:
    """What people said of the summaries, as a table like that of their scores."""
    values = {(doc_id, system): value for doc_id, system, value in judgments.means(aspect).iter_rows()}
    human = _arrange(examples, [values.get((example.doc_id, example.system), np.nan) for example in examples])
    if np.isnan(human).all():
        raise DataError(f"nobody judged {aspect!r} of the summaries whose questions people answered or verified")
    return human
