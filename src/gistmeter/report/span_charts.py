"""Spans as charts: control over summaries (thesis, Fig. 23), and agreement with people of the first k (Fig. 36)."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

from gistmeter.report import figures
from gistmeter.report.meta_charts import chart
from gistmeter.summarize.control.result import Control

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.report.figures import Chart
    from gistmeter.summarize.tracing import TracedAgreement


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


def draw_tracing(points: Sequence[TracedAgreement]) -> Chart:
    """Precision and recall of the first k spans of each document, in two panels, by file."""
    precision = [
        {"name": point.name, "x": point.k, "value": point.precision, "low": low, "high": high}
        for point in points
        for low, high in [(point.precision_low, point.precision_high)]
    ]
    recall = [
        {"name": point.name, "x": point.k, "value": point.recall, "low": point.recall_low, "high": point.recall_high}
        for point in points
    ]
    panels = [
        figures.curves(rows, title=f"{measure} of the first k spans", x="k", y=measure)
        for measure, rows in (("precision", precision), ("recall", recall))
    ]
    return figures.side_by_side(panels, title="Spans compared with those that people marked")
