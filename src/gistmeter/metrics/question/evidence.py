"""Evidence from questions: each with the answer expected, the answer given, both spans marked, and the verdict."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.marks import shorten
from gistmeter.metrics.question.alignment import align_answers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.metrics.question.alignment import AnsweredExchange
    from gistmeter.qa.verdicts import AnswerVerdict, TitledText

_QUESTION_CHARACTERS = 80
_ANSWER_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class QuestionSpan:
    """A stretch of a text that belongs to a question; spans may overlap."""

    start: int
    end: int
    question: int
    note: str


def explain_questions(spelling: str, headline: str, answered: Sequence[AnsweredExchange]) -> Evidence:
    """The texts with expected and given answers marked, beside the questions; what belongs together lights together."""
    spans_of_texts: dict[TitledText, list[QuestionSpan]] = {}
    for exchange, _ in answered:
        texts = (exchange.asking, exchange.answering)
        for text in sorted(texts, key=lambda text: text.title != "summary"):
            spans_of_texts.setdefault(text, [])
    listed: list[AnswerVerdict] = []
    for answered_exchange in answered:
        exchange, verdicts = answered_exchange
        aligned = align_answers(answered_exchange, lambda verdict: verdict.f1)
        for verdict, phrase, answer in zip(verdicts, aligned.expected, aligned.given, strict=True):
            number, question = len(listed), shorten(verdict.question, _QUESTION_CHARACTERS)
            if phrase is not None:
                span = aligned.asking.cover(phrase)
                spans_of_texts[exchange.asking].append(
                    QuestionSpan(span.start, span.end, number, note=f"expected for “{question}”")
                )
            if answer is not None:
                span = aligned.answering.cover(answer)
                expected = shorten(verdict.expected, _ANSWER_CHARACTERS)
                note = f"{verdict.word}: answers “{question}”, “{expected}” was expected"
                spans_of_texts[exchange.answering].append(QuestionSpan(span.start, span.end, number, note=note))
            listed.append(verdict)
    panes = [Pane(text.title, text.text, mark_spans(spans)) for text, spans in spans_of_texts.items()]
    if listed:
        panes.append(_build_questions_pane(listed))
    return Evidence(spelling, headline, (*panes, _build_table(listed)))


def mark_spans(spans: Iterable[QuestionSpan]) -> tuple[Mark, ...]:
    """Marks that do not overlap for spans that may: where several meet, a mark belongs to all of them.

    >>> spans = [QuestionSpan(0, 9, 0, ""), QuestionSpan(4, 9, 1, "")]
    >>> [(mark.start, mark.end, mark.group, mark.also) for mark in mark_spans(spans)]
    [(0, 4, 0, ()), (4, 9, 1, (0,))]
    """
    non_empty = [span for span in spans if span.end > span.start]
    borders = sorted({border for span in non_empty for border in (span.start, span.end)})
    marks = []
    for start, end in itertools.pairwise(borders):
        covering = [span for span in non_empty if span.start <= start and end <= span.end]
        covering.sort(key=lambda span: (span.end - span.start, span.question))
        if covering:
            notes = dict.fromkeys(span.note for span in covering if span.note)
            groups = list(dict.fromkeys(span.question for span in covering))
            marks.append(Mark(start=start, end=end, group=groups[0], also=tuple(groups[1:]), note="; ".join(notes)))
    return tuple(marks)


def _build_questions_pane(verdicts: Sequence[AnswerVerdict]) -> Pane:
    """The questions as lines, each a mark that lights its answers."""
    lines = [" ".join(verdict.question.split()) for verdict in verdicts]
    marks = []
    start = 0
    for number, (line, verdict) in enumerate(zip(lines, verdicts, strict=True)):
        answer = f", answered “{shorten(verdict.answer.text, _ANSWER_CHARACTERS)}”" if verdict.answer.answered else ""
        note = f"{verdict.word}: expected “{shorten(verdict.expected, _ANSWER_CHARACTERS)}”{answer}"
        marks.append(Mark(start, start + len(line), number, note=note))
        start += len(line) + 1
    return Pane("questions", "\n".join(lines), tuple(marks))


def _build_table(verdicts: Sequence[AnswerVerdict]) -> Table:
    has_soft = any(verdict.soft == verdict.soft for verdict in verdicts)
    has_learned = any(verdict.learned == verdict.learned for verdict in verdicts)
    has_people = any(verdict.by != "model" for verdict in verdicts)
    others = [*(["soft"] if has_soft else []), *(["learned"] if has_learned else [])]
    header = ("question", "expected", "answer", "verdict", "f1", *others, "probability")
    rows = tuple(
        (
            verdict.question,
            verdict.expected,
            verdict.answer.text if verdict.answer.answered else "-",
            verdict.word,
            f"{verdict.f1:.3f}",
            *([f"{verdict.soft:.3f}"] if has_soft else []),
            *([f"{verdict.learned:.3f}"] if has_learned else []),
            f"{verdict.answer.probability:.3f}",
            *([verdict.by] if has_people else []),
        )
        for verdict in verdicts
    )
    return Table((*header, *(["answered by"] if has_people else [])), rows, "questions")
