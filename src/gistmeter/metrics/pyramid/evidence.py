"""Evidence from content units: each with its weight, whether the summary states it, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.evidence.alignment import Alignment, Edge, Span, cut_tokens, locate_parts
from gistmeter.metrics.marks import shorten
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example, Unit

UNJUDGED = (
    "some of their units have no label, or none has a weight; give labels in the records (`labels`, `votes`, or "
    "`present` of a unit) or with `labels=`, or let a model judge (`gistmeter units judge`, lite2pyramid)"
)
"""What is missing where people's labels are."""

_STATED = 0.5
"""A unit is stated when its judgment is above this."""
_QUOTE_CHARACTERS = 40


def explain_labels(spelling: str, headline: str, example: Example, units: Sequence[Unit]) -> Evidence:
    """The summary beside a table of these units with people's labels, in the order given."""
    labels = {True: "present", False: "absent", None: "not judged"}
    rows = tuple((unit.text, f"{unit.weight:g}", labels[unit.present]) for unit in units)
    return Evidence(
        metric=spelling,
        headline=headline,
        blocks=(Pane("summary", example.summary), Table(("unit", "weight", "in the summary"), rows)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class UnitJudgments:
    """A summary in sentences, units, how far the whole summary states each, and how far each sentence alone does."""

    summary: str
    sentences: tuple[str, ...]
    units: tuple[Unit, ...]
    by_summary: FloatArray
    """One number from 0 to 1 for each unit."""
    by_sentence: FloatArray
    """A row for each unit, a column for each sentence."""
    conflicts: tuple[str, ...] = ()
    """For each unit what the judge counted against it: `900 / 90`, or nothing; empty where it counts no conflicts."""

    @property
    def unit_texts(self) -> list[str]:
        """The units in words."""
        return [unit.text for unit in self.units]

    @property
    def nearest_sentences(self) -> list[int | None]:
        """For each unit the sentence that states it most, None where the summary has no sentence."""
        return [int(row.argmax()) if len(row) else None for row in self.by_sentence]

    @property
    def stating_sentences(self) -> list[int | None]:
        """For each unit the sentence that states it most, None for a unit that the summary does not state."""
        return [
            sentence if judgment > _STATED else None
            for sentence, judgment in zip(self.nearest_sentences, self.by_summary, strict=True)
        ]


def align_units(judgments: UnitJudgments) -> Alignment:
    """Every unit with the sentence of the summary that states it most, by its weight and how far it is stated.

    The other text has a line for each unit. A sentence that the splitter changed has no place in the summary, and its
    units have no edge.
    """
    sentences = locate_parts(judgments.summary, judgments.sentences)
    units_text = "\n".join(judgments.unit_texts)
    units = locate_parts(units_text, judgments.unit_texts)
    summary = cut_tokens("summary", judgments.summary, [span for span in sentences if span])
    other = cut_tokens("content units", units_text, [span for span in units if span])
    edges = []
    for unit, span, judgment, nearest in zip(
        judgments.units, units, judgments.by_summary, judgments.nearest_sentences, strict=True
    ):
        sentence = None if nearest is None else sentences[nearest]
        run = None if sentence is None else summary.find_run(sentence)
        unit_run = None if span is None else other.find_run(span)
        if run is not None and unit_run is not None:
            edges.append(
                Edge(
                    summary=run.first,
                    other=unit_run.first,
                    weight=unit.weight * float(judgment),
                    summary_size=run.size,
                    other_size=unit_run.size,
                )
            )
    return Alignment(summary, other, tuple(edges))


def explain_judgments(spelling: str, judgments: UnitJudgments, *, mean: float, value: str) -> Evidence:
    """The summary beside the units, a unit and the sentence that states it marked alike, and a table of the units."""
    stating = judgments.stating_sentences
    alignment = align_units(judgments)
    order = sorted(range(len(judgments.units)), key=lambda unit: -judgments.by_summary[unit])
    rows = tuple(
        (
            judgments.units[unit].text,
            f"{judgments.units[unit].weight:g}",
            f"{judgments.by_summary[unit]:.3f}",
            _tell_conflict(judgments, unit) if (sentence := stating[unit]) is None else judgments.sentences[sentence],
        )
        for unit in order
    )
    count = sum(sentence is not None for sentence in stating)
    return Evidence(
        metric=spelling,
        headline=f"{mean:.3f}: the mean over {format_count(len(judgments.units), 'unit')}, of which {count} "
        f"{'is' if count == 1 else 'are'} found in the summary",
        blocks=(
            *_mark_stated(judgments, alignment),
            Table(("unit", "weight", value, "stated by"), rows, "units, the surest first"),
        ),
    )


def _tell_conflict(judgments: UnitJudgments, unit: int) -> str:
    """What of an absent unit is at odds with the summary, or a dash."""
    conflict = judgments.conflicts[unit] if judgments.conflicts else ""
    return f"- (at odds: {conflict})" if conflict else "-"


def _mark_stated(judgments: UnitJudgments, alignment: Alignment) -> tuple[Pane, Pane]:
    """The summary and the units as lines; an edge of a unit that the summary states is marked at both ends."""
    starts = [span.start if span else -1 for span in locate_parts(alignment.other.text, judgments.unit_texts)]
    units_of_sentences: dict[Span, list[int]] = {}
    unit_marks = []
    for edge in alignment.edges:
        span = alignment.other.cover(edge.other_run)
        number = starts.index(span.start)
        if judgments.by_summary[number] > _STATED:
            unit_marks.append(Mark(span.start, span.end, number, note=f"{judgments.by_summary[number]:.3f}"))
            units_of_sentences.setdefault(alignment.summary.cover(edge.summary_run), []).append(number)
    sentence_marks = []
    for span, units in sorted(units_of_sentences.items(), key=lambda item: item[0].start):
        quotes = ", ".join(f"“{shorten(judgments.units[unit].text, _QUOTE_CHARACTERS)}”" for unit in units)
        sentence_marks.append(Mark(span.start, span.end, units[0], also=tuple(units[1:]), note=f"states {quotes}"))
    return (
        Pane("summary", alignment.summary.text, tuple(sentence_marks)),
        Pane("content units", alignment.other.text, tuple(unit_marks)),
    )
