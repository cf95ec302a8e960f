"""What a gate says, as a sheet."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gistmeter.io.json_lines import nan_to_null
from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.numbers import NumberCell, decimals_for
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.ranking.gate import GateResult, GateRow

_ROW_FIELDS = (
    "system",
    "base",
    "new",
    "difference",
    "low",
    "high",
    "pvalue",
    "no_worse_pvalue",
    "margin",
    "documents",
    "verdict",
)
_MORE_DECIMALS = 1
"""Differences are smaller than scores, and margins are written with one decimal more."""


def gate_sheet(result: GateResult) -> Sheet:
    """One row for each system and score."""
    several = len({row.margin for row in result.rows}) > 1
    margin = "its margin" if several else f"{result.rows[0].margin:g}"
    rows = [
        {
            "system": row.system,
            "score": f"{row.column.name} {ARROWS[row.column.better]}".rstrip(),
            "base": row.base,
            "new": row.new,
            "new - base": _describe_change(row),
            "interval": _describe_limits(row),
            "p": row.pvalue,
            "documents": row.documents,
            **({"margin": row.margin} if several else {}),
            "verdict": row.verdict,
        }
        for row in result.rows
    ]
    rule = (
        "The gate opens when no score is shown to be worse"
        if not result.strict
        else "The gate opens when every score is shown not to be worse"
    )
    corrected = f"; p by Holm for {len(rows)} tests" if len(rows) > 1 else ""
    caption = (
        f"{rule} by more than {margin} at level {result.alpha:g}, one-sided, document by document "
        f"({result.permutations:,} permutations{corrected}); intervals of {1 - 2 * result.alpha:.0%} "
        f"({result.resamples:,} resamples); seed {result.seed}."
    )
    sheet = Sheet.of(rows, caption=caption, notes=result.notes)
    return replace(sheet, one_scale=("base", "new", "new - base", "interval", "margin"))


def gate_json(result: GateResult) -> str:
    """The whole gate as JSON, numbers as numbers."""
    described: dict[str, Any] = {
        "passed": result.passed,
        "strict": result.strict,
        "alpha": result.alpha,
        "permutations": result.permutations,
        "resamples": result.resamples,
        "seed": result.seed,
        "rows": [
            {
                **{field: getattr(row, field) for field in _ROW_FIELDS},
                "score": row.column.name,
                "better": row.column.better,
                "signature": row.column.signature,
                "worst": [
                    {"doc_id": loss.doc_id, "base": loss.b, "new": loss.a, "difference": loss.difference}
                    for loss in row.worst
                ],
            }
            for row in result.rows
        ],
        "notes": list(result.notes),
    }
    return json.dumps(nan_to_null(described), ensure_ascii=False)


def format_change(row: GateRow) -> str:
    """The difference with its sign."""
    return _describe_change(row).write()


def format_limits(row: GateRow) -> str:
    """The interval of the difference."""
    return _describe_limits(row).write()


def _describe_change(row: GateRow) -> NumberCell:
    return NumberCell(row.difference, decimals=_decimals(row), sign=True)


def _describe_limits(row: GateRow) -> NumberCell:
    return NumberCell(low=row.low, high=row.high, decimals=_decimals(row), sign=True)


def _decimals(row: GateRow) -> int:
    return decimals_for([row.base, row.new]) + _MORE_DECIMALS
