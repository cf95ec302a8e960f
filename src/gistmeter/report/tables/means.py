"""Means of systems as a sheet, for runs too long to rank at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.board import heading
from gistmeter.report.tables.numbers import format_count
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.ranking.means import SystemMeans


def means_sheet(means: SystemMeans) -> Sheet:
    """The mean of each shown score by system."""
    rows = [
        {"system": system, **dict(zip(map(heading, means.columns), values, strict=True))}
        for system, values in means.by_system.items()
    ]
    caption = f"Means of {format_count(means.summaries, 'summary')}; `gistmeter rank` adds intervals."
    return Sheet.of(rows, caption=caption)
