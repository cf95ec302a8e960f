"""Results as pictures: altair charts that a notebook shows without a network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from pathlib import Path
from typing import Any

from gistmeter.errors import ArgumentError
from gistmeter.ranking.columns import main_columns
from gistmeter.ranking.compare import Comparison
from gistmeter.ranking.gate import GateResult
from gistmeter.ranking.rank import Ranking
from gistmeter.report import figures, insight_charts, meta_charts  # noqa: F401  (insight's pictures are registered)
from gistmeter.report.notebook.tables import rank_main
from gistmeter.report.tables.board import heading
from gistmeter.report.tables.differences import list_shown_differences
from gistmeter.scores import Scores


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture of a result. A notebook shows it as SVG; `chart` is the altair chart, to be changed or combined."""

    chart: Any

    def _repr_svg_(self) -> str:
        return figures.write_svg(self.chart)

    def write(self, path: str | Path) -> None:
        """Write it as .svg, .png, .pdf or a self-contained .html."""
        figures.write_figure(self.chart, Path(path))


def draw_plot(result: Any) -> Figure:
    """The picture of a result; a sentence where altair is missing, or where there is no picture."""
    figures.require_drawing()
    return Figure(_draw_chart(result))


@singledispatch
def _draw_chart(result: Any) -> Any:
    if meta_charts.chart.dispatch(type(result)) is meta_charts.chart.dispatch(object):
        raise ArgumentError(f"there is no picture of a {type(result).__name__}; its rows are in `to_polars()`")
    return meta_charts.chart(result)


@_draw_chart.register
def _(result: Scores) -> Any:
    return _draw_chart(rank_main(result))


@_draw_chart.register
def _(result: Ranking) -> Any:
    shown = main_columns(ranked.column for ranked in result.columns)
    rows = [
        {
            "name": system.system,
            "group": heading(ranked.column),
            "value": system.value,
            "low": system.low,
            "high": system.high,
        }
        for ranked in result.columns
        if ranked.column in shown
        for system in ranked.systems
    ]
    title = f"systems by score, {result.confidence:.0%} intervals over documents"
    return figures.intervals(rows, title=title, x="score", chance=None, shared=False)


@_draw_chart.register
def _(result: Comparison) -> Any:
    rows = [
        {
            "name": heading(difference.column),
            "group": "",
            "value": difference.difference,
            "low": difference.low,
            "high": difference.high,
        }
        for difference in list_shown_differences(result)
    ]
    title = f"{result.system_a} less {result.system_b}, {result.confidence:.0%} intervals over documents"
    return figures.intervals(rows, title=title, x="difference")


@_draw_chart.register
def _(result: GateResult) -> Any:
    rows = [
        {"name": row.system, "group": heading(row.column), "value": row.difference, "low": row.low, "high": row.high}
        for row in result.rows
    ]
    title = f"new less base, {1 - 2 * result.alpha:.0%} intervals over documents"
    return figures.intervals(rows, title=title, x="difference", shared=False)
