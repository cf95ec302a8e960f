"""The worst summaries as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from gistmeter.ranking.worst import WorstSummaries


def worst_sheet(worst: WorstSummaries) -> Sheet:
    """A row for each summary, the worst first."""
    way = "the highest first, as lower is better" if worst.column.better == "lower" else "the lowest first"
    missing = f", and {worst.missing:,} have none" if worst.missing else ""
    caption = (
        f"{len(worst.rows):,} of {format_count(worst.summaries, 'summary')} with {worst.column.name}{missing}; {way}. "
        "Worse by: than the mean of its system."
    )
    rows = [
        {
            "document": row.doc_id,
            "system": row.system,
            worst.column.name: row.score,
            "mean of system": row.mean,
            "worse by": row.below,
        }
        for row in worst.rows
    ]
    return Sheet.of(rows, caption=caption, notes=worst.notes)
