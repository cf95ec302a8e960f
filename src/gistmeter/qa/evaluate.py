"""How good an answerer is: the columns of Table 8 of QAEval, and how well it tells what can be answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.runtime.settings import use_settings
from gistmeter.qa.compare import exact_match, token_f1
from gistmeter.qa.squad import read_squad, sample_questions
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from gistmeter.models.answering.spans import Answer
    from gistmeter.models.runtime.settings import RuntimeSettings

_BATCH_QUESTIONS = 512


@dataclass(frozen=True, slots=True)
class AnsweringFigures:
    """How good an answerer is, in shares from 0 to 1; NaN where there is nothing to take them of."""

    questions: int
    answerable: float
    """The share of questions that can be answered."""

    is_answerable_f1: float
    """F1 of telling which questions can be answered."""

    auc: float
    """Area under the curve of telling them by the probability of "not answerable", whatever the threshold."""

    em: float
    """Exact match over questions that can be answered and that the model answered."""

    f1: float
    """Token F1 over the questions that `em` counts."""

    accuracy: float = np.nan
    """The share of answers that people call correct, over the questions that `em` counts and people verified."""

    verified: int = 0
    """How many questions `accuracy` is over."""

    expected_em: float = np.nan
    """Exact match with the phrases that were asked for, over the questions that `accuracy` is over."""

    expected_f1: float = np.nan
    """Token F1 with the phrases that were asked for, over the questions that `accuracy` is over."""


def evaluate_answerer(
    data: str | Path,
    *,
    model: str = EMBEDDED,
    threshold: float | None = None,
    limit: int | None = None,
    seed: int = 0,
    language: str = "en",
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> AnsweringFigures:
    """How good an answerer is on questions in SQuAD's format.

    Parameters
    ----------
    data
        The file of questions: .json, .json.gz.
    model
        Who answers: embedded, slots, weights (.safetensors), or a question-answering checkpoint.
    threshold
        Answer up to this probability of "not answerable"; by default the model's own.
    limit
        So many questions, drawn at random; by default all.
    seed
        Of the draw.
    language
        Of the answers, for their articles.
    progress
        Called with how many questions are answered, and how many there are.
    runtime
        How the model runs; by default as the environment says.

    Raises
    ------
    DataError
        If the file is not in SQuAD's format or has no questions.
    """
    from gistmeter.models.answering.answerer import load_answerer

    questions = sample_questions(read_squad(str(data)), limit, seed)
    answers: list[Answer] = []
    with use_settings(runtime):
        answerer = load_answerer(model, null_threshold=threshold)
        for start in range(0, len(questions), _BATCH_QUESTIONS):
            batch = questions[start : start + _BATCH_QUESTIONS]
            answers += answerer.answers([(question.question, question.passage) for question in batch])
            if progress is not None:
                progress(len(answers), len(questions))
    return evaluate_answers([question.answers for question in questions], answers, language=language)


def evaluate_answers(
    gold: Sequence[Sequence[str]], answers: Sequence[Answer], *, language: str = "en"
) -> AnsweringFigures:
    """How answers compare with the right ones; `gold` has several for a question, or none where there is none.

    >>> from gistmeter.models.answering.spans import Answer
    >>> right, wrong = Answer("the mayor", 0, 9, 0.9, 0.1, True), Answer("Ann", 0, 3, 0.6, 0.4, True)
    >>> evaluate_answers([["mayor"], []], [right, wrong])
    AnsweringFigures(questions=2, answerable=0.5, is_answerable_f1=0.6666666666666666, auc=1.0, em=1.0, f1=1.0, ...)
    """
    answerable = np.array([bool(texts) for texts in gold])
    answered = np.array([answer.answered for answer in answers], dtype=bool)
    compared = [(texts, answer.text) for texts, answer in zip(gold, answers, strict=True) if texts and answer.answered]
    total = answerable.sum() + answered.sum()
    return AnsweringFigures(
        questions=len(gold),
        answerable=float(answerable.mean()) if len(answerable) else np.nan,
        is_answerable_f1=float(2 * (answerable & answered).sum() / total) if total else np.nan,
        auc=area_under_curve(answerable, -np.array([answer.null for answer in answers])),
        em=mean_or_nan([max(exact_match(right, text, language) for right in texts) for texts, text in compared]),
        f1=mean_or_nan([max(token_f1(right, text, language) for right in texts) for texts, text in compared]),
    )


def area_under_curve(truth: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """How often a score that belongs to True is above one that belongs to False, ties counting half.

    NaN where there are not both.

    >>> area_under_curve(np.array([True, False, True]), np.array([0.9, 0.5, 0.5]))
    0.75
    """
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return float("nan")
    from scipy.stats import rankdata

    rank_sum = rankdata(scores)[truth].sum()
    return float((rank_sum - positives * (positives + 1) / 2) / (positives * negatives))


def mean_or_nan(values: Sequence[float]) -> float:
    """The mean, or NaN where there is nothing to take it of."""
    return float(np.mean(values)) if values else float("nan")
