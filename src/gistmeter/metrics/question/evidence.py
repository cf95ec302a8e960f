"""Evidence from questions: each with the answer expected, the answer found, both spans marked, and the verdict."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.embedding.sts import shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.qa.verdicts import Exchange, Side, Verdict


class Asked(NamedTuple):
    """An exchange between two texts, and the verdicts on its questions."""

    exchange: Exchange
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text that belongs to a question; spans may overlap."""

    start: int
    end: int
    question: int
    note: str


def question_evidence(spelling: str, headline: str, asked: Sequence[Asked]) -> Evidence:
    """The texts with expected and found answers marked, beside the questions; what belongs together lights together."""
    sides: dict[Side, list[Span]] = {}
    for exchange, _ in asked:
        for side in sorted(exchange, key=lambda side: side.title != "summary"):
            sides.setdefault(side, [])
    rows: list[Verdict] = []
    for exchange, verdicts in asked:
        for one in verdicts:
            number, question = len(rows), shortened(one.question, 80)
            sides[exchange.asks].append(Span(one.start, one.end, number, f"expected for “{question}”"))
            if one.answer.answered:
                note = f"{one.word}: answers “{question}”, “{shortened(one.expected, 40)}” was expected"
                sides[exchange.answers].append(Span(one.answer.start, one.answer.end, number, note))
            rows.append(one)
    panes = tuple(Pane(side.title, side.text, marks(spans)) for side, spans in sides.items())
    return Evidence(spelling, headline, (*panes, _questions_pane(rows)) if rows else panes, _table(rows))


def marks(spans: Iterable[Span]) -> tuple[Mark, ...]:
    """Marks that do not overlap for spans that may: where several meet, a mark belongs to all of them.

    >>> [(one.start, one.end, one.group, one.also) for one in marks([Span(0, 9, 0, ""), Span(4, 9, 1, "")])]
    [(0, 4, 0, ()), (4, 9, 1, (0,))]
    """
    given = [span for span in spans if span.end > span.start]
    ends = sorted({place for span in given for place in (span.start, span.end)})
    found = []
    for start, end in itertools.pairwise(ends):
        here = [span for span in given if span.start <= start and end <= span.end]
        here.sort(key=lambda span: (span.end - span.start, span.question))
        if here:
            notes = dict.fromkeys(span.note for span in here if span.note)
            groups = list(dict.fromkeys(span.question for span in here))
            found.append(Mark(start, end, groups[0], tuple(groups[1:]), "; ".join(notes)))
    return tuple(found)


def _questions_pane(verdicts: Sequence[Verdict]) -> Pane:
    """The questions as lines, each a mark that lights its answers."""
    lines = [" ".join(one.question.split()) for one in verdicts]
    placed = []
    start = 0
    for number, (line, one) in enumerate(zip(lines, verdicts, strict=True)):
        given = f", answered “{shortened(one.answer.text, 40)}”" if one.answer.answered else ""
        note = f"{one.word}: expected “{shortened(one.expected, 40)}”{given}"
        placed.append(Mark(start, start + len(line), number, note=note))
        start += len(line) + 1
    return Pane("questions", "\n".join(lines), tuple(placed))


def _table(verdicts: Sequence[Verdict]) -> Table:
    soft = any(one.soft == one.soft for one in verdicts)
    people = any(one.by != "model" for one in verdicts)
    header = ("question", "expected", "answer", "verdict", "f1", *(["soft"] if soft else []), "probability")
    rows = tuple(
        (
            one.question,
            one.expected,
            one.answer.text if one.answer.answered else "-",
            one.word,
            f"{one.f1:.3f}",
            *([f"{one.soft:.3f}"] if soft else []),
            f"{one.answer.probability:.3f}",
            *([one.by] if people else []),
        )
        for one in verdicts
    )
    return Table((*header, *(["answered by"] if people else [])), rows, "questions")
