"""What people gave to the summaries that a metric picks, as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from gistmeter.probe import Reranking


def picks_sheet(reranking: Reranking) -> Sheet:
    """A row for each aspect that people judged."""
    documents = max(row.documents for row in reranking.aspects)
    caption = (
        f"What people gave to the summaries that {reranking.probe.name} picks, over "
        f"{format_count(documents, 'document')}, higher taken as better. pool: the mean of all that could be picked; "
        "best possible: the mean of the best-liked summary of each document; rank: the picks among the systems."
    )
    return Sheet.of(reranking.records(), caption=caption)
