"""How scores answer to errors, as a sheet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.probe import ColumnDetection, Detection

_GOLDEN = {
    "presence": "the golden score, 1 without and 0 with errors",
    "number": "the number of errors, negated",
}


def detection_sheet(detection: Detection) -> Sheet:
    """One row for each score, those that notice most first; those without a direction stand below."""
    ordered = sorted(detection.rows, key=_rank_by_notice, reverse=True)
    rows = [
        {
            "score": f"{row.column} {ARROWS[row.better]}".rstrip(),
            "spearman": row.spearman,
            "kendall-c": row.kendall,
            "pairs": row.pairs,
            **{_name_kind(kind): row.pairs_by_kind[kind] for kind in detection.kinds},
            "clean": row.clean,
            "corrupted": row.corrupted,
            "missing": row.missing,
        }
        for row in ordered
    ]
    caption = (
        f"Correlation with {_GOLDEN[detection.golden]}, over {detection.clean} clean and "
        f"{detection.corrupted} corrupted summaries; positive: those with errors score worse. "
        "pairs: how often the clean one of a pair scores better."
    )
    if detection.kinds:
        counts = ", ".join(f"{_name_kind(kind)} {count}" for kind, count in detection.kinds.items())
        caption += f" The same by what was replaced (summaries: {counts})."
    undirected = [row.column for row in ordered if row.better == "neither"]
    notes = []
    if undirected:
        notes.append(
            f"{', '.join(undirected)}: neither high nor low is better, so |r| is shown, below the scores with a "
            "direction (`lower` or `higher` gives a sign)"
        )
    return Sheet.of(rows, caption=caption, notes=notes)


def _name_kind(kind: str) -> str:
    return kind or "unnamed"


def _rank_by_notice(row: ColumnDetection) -> tuple[bool, float]:
    """Scores with a direction first; then how much a score notices, a missing correlation last."""
    return row.better != "neither", -math.inf if math.isnan(row.spearman) else row.spearman
