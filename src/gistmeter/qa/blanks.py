"""Blanks: a question as the sentence with a gap where the answer was, as SummaQA and APES ask.

SummaQA's code writes MASKED for one entity of a sentence at a time, so a name said twice is asked twice with the other
left standing. APES writes @placeholder for every mention of the entity and a number for each other one; here it asks as
SummaQA does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError
from gistmeter.text.sentences import sentence_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.asking.asker import Question

GAP = "MASKED"
"""What SummaQA writes for the gap."""


def check_blanks(metric: str, form: str, model: str) -> None:
    """Refuse blanks for an answerer that looks for a question word, which a blank has not.

    >>> check_blanks("apes", "blank", "slots")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: apes(form=blank) asks without a question word, which model=slots looks for
    """
    if form == "blank" and model == "slots":
        raise MetricError(f"{metric}(form=blank) asks without a question word, which model=slots looks for")


def blanked(text: str, questions: Sequence[Question], language: str = "en") -> tuple[Question, ...]:
    """Questions of a text, each as its sentence with a gap for the answer."""
    spans = sentence_spans(text, language)
    return tuple(replace(question, text=_gapped(text, question, spans)) for question in questions)


def _gapped(text: str, question: Question, spans: Sequence[tuple[int, int]]) -> str:
    start, end = next(
        ((low, high) for low, high in spans if low <= question.start and question.end <= high),
        (0, len(text)),  # an answer that runs over a sentence's end
    )
    return " ".join(f"{text[start : question.start]}{GAP}{text[question.end : end]}".split())
