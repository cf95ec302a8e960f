"""Blanks: a question as the sentence with a gap where the answer was, as SummaQA and APES ask.

SummaQA's code writes MASKED for one entity of a sentence at a time, so a name said twice is asked twice with the other
left standing. APES writes @placeholder for every mention of the entity and a number for each other one; here it asks as
SummaQA does.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError
from gistmeter.text.sentences import find_sentences

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


def write_blanks(text: str, questions: Sequence[Question], language: str = "en") -> tuple[Question, ...]:
    """The questions of a text, each written as its sentence with a gap for the answer."""
    spans = find_sentences(text, language)
    return tuple(replace(question, text=_write_blank(text, question, spans)) for question in questions)


def _write_blank(text: str, question: Question, spans: Sequence[tuple[int, int]]) -> str:
    """The sentence that holds the answer of a question, with a gap for it; `spans` are the sentences of the text."""
    start, end = next(
        ((start, end) for start, end in spans if start <= question.start and question.end <= end),
        (0, len(text)),  # an answer that runs over a sentence's end
    )
    return " ".join(f"{text[start : question.start]}{GAP}{text[question.end : end]}".split())
