"""Evidence from content units: each with its weight, whether the summary states it, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.marks import mark_segments, shorten
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
    def stating_sentences(self) -> list[int | None]:
        """For each unit the sentence that states it most, None for a unit that the summary does not state."""
        return [
            int(row.argmax()) if judgment > _STATED and len(row) else None
            for row, judgment in zip(self.by_sentence, self.by_summary, strict=True)
        ]


def explain_judgments(spelling: str, judgments: UnitJudgments, *, mean: float, value: str) -> Evidence:
    """The summary beside the units, a unit and the sentence that states it marked alike, and a table of the units."""
    stating = judgments.stating_sentences
    units_of_sentences = [
        [unit for unit, sentence in enumerate(stating) if sentence == number]
        for number in range(len(judgments.sentences))
    ]
    notes = [
        "states " + ", ".join(f"“{shorten(judgments.units[unit].text, _QUOTE_CHARACTERS)}”" for unit in units)
        for units in units_of_sentences
    ]
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
            Pane(
                "summary",
                judgments.summary,
                mark_segments(judgments.summary, judgments.sentences, units_of_sentences, notes),
            ),
            _build_units_pane(judgments),
            Table(("unit", "weight", value, "stated by"), rows, "units, the surest first"),
        ),
    )


def _tell_conflict(judgments: UnitJudgments, unit: int) -> str:
    """What of an absent unit is at odds with the summary, or a dash."""
    conflict = judgments.conflicts[unit] if judgments.conflicts else ""
    return f"- (at odds: {conflict})" if conflict else "-"


def _build_units_pane(judgments: UnitJudgments) -> Pane:
    """The units as lines; those that the summary states are marked."""
    marks = []
    start = 0
    for number, (unit, sentence) in enumerate(zip(judgments.units, judgments.stating_sentences, strict=True)):
        end = start + len(unit.text)
        if sentence is not None:
            marks.append(Mark(start, end, number, note=f"{judgments.by_summary[number]:.3f}"))
        start = end + 1
    return Pane("content units", "\n".join(unit.text for unit in judgments.units), tuple(marks))
