"""Which reference sentences are worth a person's time, as sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet
from gistmeter.units.plan import cost_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.units.plan import PlanCost, PlannedSentence


def easiness_sheet(plan: Sequence[PlannedSentence]) -> Sheet:
    """The sentences, the hardest first, with who writes the units of each."""
    has_units = any(planned.units is not None for planned in plan)
    rows = [
        {
            "document": planned.document,
            "sentence": planned.sentence,
            "easiness": planned.easiness,
            "units by": "machine" if planned.by_machine else "people",
            **({"people's units": planned.units} if has_units else {"expected units": round(planned.expected_units)}),
            "text": planned.text,
        }
        for planned in plan
    ]
    by_people = [planned for planned in plan if not planned.by_machine]
    people_units, total_units = (sum(entry.expected_units for entry in part) for part in (by_people, plan))
    about = "" if has_units else "about "
    caption = (
        f"By this plan people write units for {len(by_people)} of {len(plan)} sentences, {about}{people_units:.0f} of "
        f"{total_units:.0f} units. "
        "Easiness: predicted ROUGE-1 F1 of people's units with units by machine; sentences are counted from 0."
    )
    return Sheet.of(rows, caption=caption, budget=[_cost_row(cost) for cost in cost_plan(plan)])


def budget_sheet(plan: Sequence[PlannedSentence]) -> Sheet:
    """What people have to do at each share of sentences by machine."""
    caption = (
        "Share: of sentences whose units a machine writes. Expected: mean easiness over all sentences, 1 for those "
        "that people write for."
    )
    return Sheet.of([_cost_row(cost) for cost in cost_plan(plan)], caption=caption)


def _cost_row(cost: PlanCost) -> dict[str, float | int]:
    row: dict[str, float | int] = {"share": cost.share, "sentences by people": cost.sentences}
    if cost.units is not None:
        row["units by people"] = cost.units
    return {**row, "expected": cost.expected}
