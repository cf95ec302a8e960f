"""Control over summaries as a chart: question recall and spans for each word, by k (thesis, Fig. 23)."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from gistmeter.report import figures
from gistmeter.report.meta_charts import chart
from gistmeter.summarize.control.result import Control

if TYPE_CHECKING:
    from gistmeter.report.figures import Chart


@chart.register(Control)
def draw_control(result: Control) -> Chart:
    """Panels over k: the share of questions answered, with intervals, for each answerer, and spans for each word."""
    panels = [
        figures.curves(
            [
                {"name": row.writer, "x": row.k, "value": row.recall, "low": row.low, "high": row.high}
                for row in result.select(answerer)
            ],
            title=f"question recall ({answerer})",
            x="marked spans (k)",
            y="questions answered",
        )
        for answerer in result.answerers
    ]
    lengths = [
        {"name": row.writer, "x": row.k, "value": row.ratio, "low": nan, "high": nan}
        for row in result.select(result.answerers[0])
    ]
    panels.append(figures.curves(lengths, title="k to length", x="marked spans (k)", y="spans for each word"))
    return figures.side_by_side(panels, title=f"Control: {result.documents} documents")
