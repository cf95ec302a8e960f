"""What a gate says, as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.numbers import decimals_for, format_interval, format_number
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.ranking.gate import GateResult, GateRow

_MORE_DECIMALS = 1
"""Differences are smaller than scores, and margins are written with one decimal more."""


def gate_sheet(result: GateResult) -> Sheet:
    """One row for each system and score."""
    rows = [
        {
            "system": row.system,
            "score": f"{row.column.name} {ARROWS[row.column.better]}".rstrip(),
            "base": row.base,
            "new": row.new,
            "new - base": format_change(row),
            "interval": format_limits(row),
            "p": row.pvalue,
            "documents": row.documents,
            "verdict": row.verdict,
        }
        for row in result.rows
    ]
    margin = result.rows[0].margin
    rule = (
        "The gate opens when no score is shown to be worse"
        if not result.strict
        else "The gate opens when every score is shown not to be worse"
    )
    corrected = f"; p by Holm for {len(rows)} tests" if len(rows) > 1 else ""
    caption = (
        f"{rule} by more than {margin:g} at level {result.alpha:g}, one-sided, document by document "
        f"({result.permutations:,} permutations{corrected}); intervals of {1 - 2 * result.alpha:.0%} "
        f"({result.resamples:,} resamples); seed {result.seed}."
    )
    return Sheet.of(rows, caption=caption, notes=result.notes, passed=result.passed)


def format_change(row: GateRow) -> str:
    """The difference with its sign."""
    return format_number(row.difference, _decimals(row), sign=True)


def format_limits(row: GateRow) -> str:
    """The interval of the difference."""
    return format_interval(row.low, row.high, _decimals(row), sign=True)


def _decimals(row: GateRow) -> int:
    return decimals_for([row.base, row.new]) + _MORE_DECIMALS
