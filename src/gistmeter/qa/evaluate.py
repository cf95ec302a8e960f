"""How good an answerer is: the columns of Table 8 of QAEval, and how well it tells what can be answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata

from gistmeter.qa.compare import exact, token_f1

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.models.answering.spans import Answer


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares from 0 to 1; NaN where there is nothing to take them of."""

    questions: int
    answerable: float
    """The share of questions that can be answered."""

    is_answerable_f1: float
    """F1 of telling which ones."""

    auc: float
    """Area under the curve of telling which ones by the probability of "not answerable", whatever the threshold."""

    em: float
    """Exact match over questions that can be answered and that the model answered."""

    f1: float
    """Token F1 over the same."""


def figures(gold: Sequence[Sequence[str]], answers: Sequence[Answer], *, language: str = "en") -> Figures:
    """How answers compare with the right ones; `gold` has several for a question, or none where there is none.

    >>> from gistmeter.models.answering.spans import Answer
    >>> right, wrong = Answer("the mayor", 0, 9, 0.9, 0.1, True), Answer("Ann", 0, 3, 0.6, 0.4, True)
    >>> figures([["mayor"], []], [right, wrong])
    Figures(questions=2, answerable=0.5, is_answerable_f1=0.6666666666666666, auc=1.0, em=1.0, f1=1.0)
    """
    can = np.array([bool(some) for some in gold])
    did = np.array([answer.answered for answer in answers], dtype=bool)
    both = [(some, answer.text) for some, answer in zip(gold, answers, strict=True) if some and answer.answered]
    told = can.sum() + did.sum()
    return Figures(
        questions=len(gold),
        answerable=float(can.mean()) if len(can) else np.nan,
        is_answerable_f1=float(2 * (can & did).sum() / told) if told else np.nan,
        auc=area_under_curve(can, -np.array([answer.null for answer in answers])),
        em=_mean([max(exact(one, text, language) for one in some) for some, text in both]),
        f1=_mean([max(token_f1(one, text, language) for one in some) for some, text in both]),
    )


def area_under_curve(truth: NDArray[np.bool_], scores: NDArray[np.float64]) -> float:
    """How often a true one scores above a false one, ties counting half; NaN where there are not both.

    >>> area_under_curve(np.array([True, False, True]), np.array([0.9, 0.5, 0.5]))
    0.75
    """
    yes, no = int(truth.sum()), int((~truth).sum())
    if not yes or not no:
        return float("nan")
    return float((rankdata(scores)[truth].sum() - yes * (yes + 1) / 2) / (yes * no))


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else float("nan")
