"""Stability, references and plans as sheets and as rows for figures."""

from __future__ import annotations

from math import nan, sqrt
from typing import TYPE_CHECKING, Any

from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.stats import Plan, RankingStability, ReferenceCurve, ScoreSpread


def stability_sheet(found: Mapping[str, tuple[RankingStability, ScoreSpread]]) -> Sheet:
    """How alike rankings are, and how much scores vary, by the number of documents."""
    rows = []
    for name, (ranking, spread) in found.items():
        variance = dict(zip(spread.sizes, spread.mean_variance, strict=True))
        rows += [
            {
                "score": name,
                "documents": point.size,
                "alike": point.mean,
                "its deviation": point.deviation,
                "deviation of a score": sqrt(variance[point.size]),
            }
            for point in ranking.points
        ]
    first = next(iter(found.values()))[0]
    caption = f"{first.coefficient} of two rankings by documents drawn anew, {first.trials:,} trials."
    return Sheet.of(rows, caption=caption)


def stability_rows(found: Mapping[str, tuple[RankingStability, ScoreSpread]]) -> list[dict[str, Any]]:
    """For the curves of stability."""
    return [
        {
            "name": name,
            "x": point.size,
            "value": point.mean,
            "low": point.mean - point.deviation,
            "high": point.mean + point.deviation,
        }
        for name, (ranking, _) in found.items()
        for point in ranking.points
    ]


def reference_sheet(found: Sequence[ReferenceCurve], metric: str, human: str) -> Sheet:
    """Correlations by the number of references."""
    rows = [
        {
            "level": curve.level,
            "references": point.references,
            "value": point.value,
            "low": point.low,
            "high": point.high,
            "trials": point.trials,
        }
        for curve in found
        for point in curve.points
    ]
    first = found[0]
    notes = [f"{first.left_out} documents have fewer references and are left out"] if first.left_out else []
    caption = f"{metric} ({first.combine} over references) with {human}, {first.coefficient}; mean over random choices."
    return Sheet.of(rows, caption=caption, notes=notes)


def reference_rows(found: Sequence[ReferenceCurve]) -> list[dict[str, Any]]:
    """For the curves by the number of references."""
    return [
        {"name": curve.level, "x": point.references, "value": point.value, "low": point.low, "high": point.high}
        for curve in found
        for point in curve.points
    ]


def plan_sheet(found: Plan) -> Sheet:
    """What is needed, and the curve behind it."""
    row = {
        "goal": f"{found.goal} {found.target:g}",
        "unit": found.unit,
        "needed": found.needed,
        "low": found.low,
        "high": found.high,
        "pilot": found.pilot,
        "limit": found.limit,
    }
    curve = [{"size": point.size, "value": point.value, "fitted": point.fitted} for point in found.curve]
    return Sheet.of([row], caption=found.caveats, curve=curve)


def plan_rows(found: Plan) -> list[dict[str, Any]]:
    """For the curve behind a plan."""
    return [
        {"name": name, "x": point.size, "value": value, "low": nan, "high": nan}
        for point in found.curve
        for name, value in (("pilot, resampled", point.value), ("fitted", point.fitted))
    ]
