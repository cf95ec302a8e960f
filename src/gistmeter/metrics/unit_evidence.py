"""Evidence from content units: each with its weight and whether the summary has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Pane, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.records import Example, Unit


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
