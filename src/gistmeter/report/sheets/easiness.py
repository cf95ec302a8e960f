"""Which reference sentences are worth a person's time, as sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet
from gistmeter.units.plan import cost_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.units.plan import PlanCost, PlannedSentence


def easiness_sheet(plan: Sequence[PlannedSentence], share: float) -> Sheet:
    """The sentences, the hardest first, with who writes the units of each."""
    has_units = any(planned.units is not None for planned in plan)
    rows = [
        {
            "document": planned.document,
            "sentence": planned.sentence,
            "easiness": planned.easiness,
            "units by": "machine" if planned.by_machine else "people",
            **({"people's units": planned.units} if has_units else {}),
            "text": planned.text,
        }
        for planned in plan
    ]
    (cost,) = cost_plan(plan, [share])
    total_units = sum(planned.units or 0 for planned in plan)
    unit_counts = "" if cost.units is None else f", {cost.units} of {total_units} units"
    caption = (
        f"At a share of {share:g} people write units for {cost.sentences} of {len(plan)} sentences{unit_counts}. "
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
