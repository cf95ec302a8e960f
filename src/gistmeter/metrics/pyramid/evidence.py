"""Evidence from content units: each with its weight, whether the summary has it, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.embedding.sts import places, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example, Unit

UNJUDGED = (
    "some of their units have no label, or none has a weight; give labels in the records (`labels`, `votes`, or "
    "`present` of a unit) or with --labels, or let a model judge (`gistmeter units judge`, lite2pyramid)"
)
"""What is missing where people's labels are."""

_FOUND = 0.5


def unit_evidence(spelling: str, headline: str, example: Example, units: Sequence[Unit]) -> Evidence:
    """The summary beside a table of these units, in the order given."""
    found = {True: "present", False: "absent", None: "not judged"}
    rows = tuple((unit.text, f"{unit.weight:g}", found[unit.present]) for unit in units)
    return Evidence(
        metric=spelling,
        headline=headline,
        panes=(Pane("summary", example.summary),),
        table=Table(("unit", "weight", "in the summary"), rows),
    )


@dataclass(frozen=True, slots=True, eq=False)
class JudgedPair:
    """A summary in sentences, units, how far the whole states each, and how far each sentence alone does."""

    summary: str
    sentences: tuple[str, ...]
    units: tuple[Unit, ...]
    whole: FloatArray
    alone: FloatArray

    def found(self) -> list[int | None]:
        """For each unit the sentence that states it most, None for a unit that the summary does not state."""
        return [
            int(row.argmax()) if said > _FOUND and len(row) else None
            for row, said in zip(self.alone, self.whole, strict=True)
        ]


def judged_evidence(spelling: str, judged: JudgedPair, *, mean: float, value: str) -> Evidence:
    """The summary beside the units, a unit and the sentence that states it marked alike, and a table of the units."""
    found = judged.found()
    stated = [[unit for unit, place in enumerate(found) if place == s] for s in range(len(judged.sentences))]
    notes = ["states " + ", ".join(f"“{shortened(judged.units[unit].text, 40)}”" for unit in ones) for ones in stated]
    order = sorted(range(len(judged.units)), key=lambda unit: -judged.whole[unit])
    rows = tuple(
        (
            judged.units[unit].text,
            f"{judged.units[unit].weight:g}",
            f"{judged.whole[unit]:.3f}",
            "-" if (place := found[unit]) is None else judged.sentences[place],
        )
        for unit in order
    )
    count = sum(place is not None for place in found)
    return Evidence(
        metric=spelling,
        headline=f"{mean:.3f}: the mean over {len(judged.units)} units, of which {count} are found in the summary",
        panes=(
            Pane("summary", judged.summary, places(judged.summary, judged.sentences, stated, notes)),
            _units_pane(judged, found),
        ),
        table=Table(("unit", "weight", value, "stated by"), rows, "units, the surest first"),
    )


def _units_pane(judged: JudgedPair, found: Sequence[int | None]) -> Pane:
    """The units as lines; those found are marked."""
    marks = []
    start = 0
    for number, unit in enumerate(judged.units):
        end = start + len(unit.text)
        if found[number] is not None:
            marks.append(Mark(start, end, number, note=f"{judged.whole[number]:.3f}"))
        start = end + 1
    return Pane("content units", "\n".join(unit.text for unit in judged.units), tuple(marks))
