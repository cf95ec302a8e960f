"""ESTIME by layer as a sheet and as the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.report import figures
from gistmeter.report.tables.numbers import format_count
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.insight import LayerCurves


def estime_layers_sheet(drawn: LayerCurves) -> Sheet:
    """A row for each layer, a column for each curve."""
    layers = sorted({layer for curve in drawn.curves for layer in curve.layers})
    rows: list[dict[str, Any]] = []
    for layer in layers:
        row: dict[str, Any] = {"layer": layer}
        for curve in drawn.curves:
            row[curve.name] = float(curve.values[curve.layers.index(layer)]) if layer in curve.layers else float("nan")
        rows.append(row)
    over = format_count(drawn.summaries, "summary")
    if drawn.level == "system":
        over = f"the means of {format_count(drawn.systems, 'system')} ({over})"
    best = ", ".join(f"{curve.name} {curve.best}" for curve in drawn.curves if not np.isnan(curve.values).all())
    return Sheet.of(
        rows,
        caption=f"{drawn.coefficient} correlation with people by layer, over {over}; where less is better the sign is "
        f"turned. Best layers: {best}.",
    )


def estime_layers_chart(drawn: LayerCurves) -> figures.Chart:
    """Correlation by layer, a line for each curve; models of unlike depth are set side by side by relative depth."""
    by_depth = len({curve.depth for curve in drawn.curves}) > 1
    rows = [
        {"name": curve.name, "x": layer / curve.depth if by_depth else layer, "value": float(value)}
        for curve in drawn.curves
        for layer, value in zip(curve.layers, curve.values, strict=True)
    ]
    title = f"ESTIME by layer, {format_count(drawn.summaries, 'summary')}, {drawn.level}"
    return figures.curves(
        rows, title=title, x="layer by depth" if by_depth else "layer", y=f"{drawn.coefficient} correlation with people"
    )
