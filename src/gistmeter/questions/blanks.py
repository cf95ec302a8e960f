"""Blanks: a question as the sentence with a gap where the answer was, as SummaQA and APES ask."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.text.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.asking import Question

GAP = "MASKED"
"""What SummaQA writes for the gap."""


def blanked(text: str, questions: Sequence[Question], language: str = "en") -> tuple[Question, ...]:
    """Questions of a text, each as its sentence with a gap for the answer."""
    spans = sentence_spans(text, language)
    return tuple(replace(question, text=_gapped(text, question, spans)) for question in questions)


def sentence_spans(text: str, language: str = "en") -> list[tuple[int, int]]:
    """Where the sentences of a text stand in it.

    >>> sentence_spans("It rained. A lot.")
    [(0, 10), (11, 17)]
    """
    spans = []
    at = 0
    for sentence in sentences(text, "split", language):
        start = text.find(sentence, at)
        if start >= 0:  # else the splitter changed it
            at = start + len(sentence)
            spans.append((start, at))
    return spans


def _gapped(text: str, question: Question, spans: Sequence[tuple[int, int]]) -> str:
    start, end = next(
        ((low, high) for low, high in spans if low <= question.start and question.end <= high),
        (0, len(text)),  # an answer that runs over a sentence's end
    )
    return " ".join(f"{text[start : question.start]}{GAP}{text[question.end : end]}".split())
