"""Posing: the questions that a metric asks about a run, for people."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.errors import DataError, MetricError
from gistmeter.metrics.question.metric import QuestionMetric
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.metrics.registry import list_names_of, parse_metric, parse_metrics
from gistmeter.qa.export import PosedQuestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.example import Example


def parse_question_metric(spelling: str) -> QuestionMetric:
    """The metric that a spelling stands for, which must be one that asks questions.

    >>> parse_question_metric("bleu")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: bleu asks no questions: take qaeval, qags, feqa, apes, summaqa, questeval or salience
    """
    metric = parse_metric(spelling, imports=True)
    if not isinstance(metric, QuestionMetric):
        *names, last = list_names_of(QuestionMetric)
        raise MetricError(f"{metric} asks no questions: take {', '.join(names)} or {last}")
    return metric


def parse_reference_questions(spellings: Sequence[str]) -> list[QaEval]:
    """The settings of qaeval, whose references ask, that spellings stand for.

    >>> parse_reference_questions(["qaeval(most=3),qags"])
    Traceback (most recent call last):
    gistmeter.errors.MetricError: qags does not ask about references for content units: take settings of qaeval
    """
    metrics = list(parse_metrics(spellings).values())
    for metric in metrics:
        if not isinstance(metric, QaEval):
            raise MetricError(f"{metric} does not ask about references for content units: take settings of qaeval")
    return [metric for metric in metrics if isinstance(metric, QaEval)]


def pose_questions(
    metric: QuestionMetric, examples: Iterable[Example], *, answer: bool = True, people: bool = True
) -> list[PosedQuestion]:
    """The questions that a metric asks, with answers or (unless they decide what is asked) without.

    Without `people` the model answers everything, also what people answered.
    """
    run = list(examples)
    for example in run:
        if need := metric.lacking(example):
            raise DataError(f"{metric} needs `{need}`, but {example.name} has none")
    answered = (metric if people else replace(metric, people=None, from_people="all")).examine(run, answer=answer)
    return [
        PosedQuestion(doc_id=example.doc_id, system=example.system, exchange=exchange, verdict=verdict)
        for example, exchanges in zip(run, answered, strict=True)
        for exchange, verdicts in exchanges
        for verdict in verdicts
    ]
