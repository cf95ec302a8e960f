"""Agreement of raters as a sheet."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.human import RaterAgreement


def agreement_sheet(found: Sequence[RaterAgreement]) -> Sheet:
    """Krippendorff's alpha and the correlation of one rater with the rest, by judgment."""
    rows = [
        {
            "judgment": one.name,
            "alpha": nan if one.alpha is None else one.alpha.value,
            "measurement": "" if one.alpha is None else one.alpha.measurement,
            "items": 0 if one.alpha is None else one.alpha.items,
            "ratings": 0 if one.alpha is None else one.alpha.ratings,
            "one against the rest": nan if one.rest is None else one.rest.value,
        }
        for one in found
    ]
    notes = [f"{one.name}: {one.note}" for one in found if one.note]
    caption = "Krippendorff's alpha: 1 is perfect agreement, 0 what chance gives. Items have two ratings or more."
    return Sheet.of(rows, caption=caption, notes=notes)
