"""Which reference sentences are worth a person's time, as sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet
from gistmeter.units.plan import costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.units.plan import Cost, Planned


def easiness_sheet(plan: Sequence[Planned], share: float) -> Sheet:
    """The sentences, the hardest first, with who writes the units of each."""
    known = any(one.units is not None for one in plan)
    rows = [
        {
            "document": one.document,
            "sentence": one.sentence,
            "easiness": one.easiness,
            "units by": "machine" if one.by_machine else "people",
            **({"people's units": one.units} if known else {}),
            "text": one.text,
        }
        for one in plan
    ]
    (cost,) = costs(plan, [share])
    counted = "" if cost.units is None else f", {cost.units} of {sum(one.units or 0 for one in plan)} units"
    caption = (
        f"At a share of {share:g} people write units for {cost.sentences} of {len(plan)} sentences{counted}. Easiness: "
        "predicted ROUGE-1 F1 of people's units with units by machine; sentences are counted from 0."
    )
    return Sheet.of(rows, caption=caption, budget=[_cost_row(one) for one in costs(plan)])


def budget_sheet(plan: Sequence[Planned]) -> Sheet:
    """What people have to do at each share of sentences by machine."""
    caption = (
        "Share: of sentences whose units a machine writes. Expected: mean easiness over all sentences, 1 for those "
        "that people write for."
    )
    return Sheet.of([_cost_row(one) for one in costs(plan)], caption=caption)


def _cost_row(one: Cost) -> dict[str, float | int]:
    row: dict[str, float | int] = {"share": one.share, "sentences by people": one.sentences}
    if one.units is not None:
        row["units by people"] = one.units
    return {**row, "expected": one.expected}
