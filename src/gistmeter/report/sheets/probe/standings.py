"""What a metric likes best, beside the systems and the references, as a sheet."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.sheet import Sheet
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.probe import PickedAspect, Probe

_METHODS = {
    "optimise": "sentences of the document chosen for this score",
    "rerank": "the summary of a pool with the best score",
    "direct": "what the metric's own generator writes",
}


def probe_sheet(probe: Probe, judged: Sequence[PickedAspect] = ()) -> Sheet:
    """A row for the summaries found, the references and each system, the best first; `judged` is for JSON."""
    settings = ", ".join(f"{name} {value}" for name, value in probe.settings.items()) or "no settings"
    caption = (
        f"Mean {probe.name} {ARROWS[probe.better]} and number of words over "
        f"{format_count(len(probe.documents), 'document')}, the best first. (optimised): {_METHODS[probe.method]} "
        f"({settings}); (reference): the first one that people wrote."
    )
    more = {"judged": [asdict(row) for row in judged]} if judged else {}
    return Sheet.of(probe.records(), caption=caption, notes=probe.notes, **probe.details(), **more)
