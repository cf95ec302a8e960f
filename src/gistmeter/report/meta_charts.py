"""Answers of `gistmeter.meta` as charts: the pictures that people know from the papers, where there is one."""

from __future__ import annotations

from functools import singledispatch
from math import nan
from typing import TYPE_CHECKING, Any

from gistmeter import meta
from gistmeter.errors import ArgumentTypeError
from gistmeter.report import figures
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from gistmeter.report.figures import Chart


@singledispatch
def chart(result: meta.Result) -> Chart:
    """The picture of an answer."""
    raise ArgumentTypeError(
        f"there is no picture of {type(result).__name__}: give what a function of `gm.meta` or `gm.insight` gave"
    )


@chart.register(meta.Correlations)
def _(result: meta.Correlations) -> Chart:
    rows = [
        {
            "row": row.metric if len(result.aspects) == 1 else f"{row.metric}, {row.aspect}",
            "column": f"{row.correlation.level}, {row.correlation.coefficient}",
            "value": row.correlation.value,
        }
        for row in result.rows
    ]
    return figures.cells(rows, title=f"correlation with {result.aspect}", x="", y="")


@chart.register(meta.FoldCorrelations)
def _(result: meta.FoldCorrelations) -> Chart:
    rows = [
        {
            "name": row.metric,
            "group": f"{row.level}, {row.coefficient}",
            "value": row.correlation.value,
            "low": min(row.correlation.values),
            "high": max(row.correlation.values),
        }
        for row in result.rows
    ]
    return figures.intervals(rows, title=f"with {result.aspect}: mean, lowest and highest of the folds")


@chart.register(meta.CorrelationIntervals)
def _(result: meta.CorrelationIntervals) -> Chart:
    rows = [_interval_row(row, row.level) for row in result.rows]
    return figures.intervals(rows, title=f"{result.coefficient} with {result.aspect}")


@chart.register(meta.LabelScores)
def _(result: meta.LabelScores) -> Chart:
    rows = [_interval_row(row, row.interval.coefficient) for row in result.rows]
    title = f"telling good from bad by {result.aspect}; 0.5 is chance"
    return figures.intervals(rows, title=title, x="share", chance=0.5)


def _interval_row(row: meta.MetricInterval | meta.MetricLabels, group: str) -> dict[str, str | float]:
    """A metric's value with its bounds, as the chart of intervals takes it."""
    interval = row.interval
    return {"name": row.metric, "group": group, "value": interval.value, "low": interval.low, "high": interval.high}


@chart.register(meta.AllDocumentIntervals)
def _(result: meta.AllDocumentIntervals) -> Chart:
    rows = [
        {"name": row.metric, "panel": "", **_mean_row(series, bounds)}
        for row in result.rows
        for series, bounds in zip(_name_extents(result), (row.change.judged, row.change.everything), strict=True)
    ]
    title = f"system level with {result.aspect}, bootstrap by {result.method}"
    return figures.compared_intervals(rows, title=title, x=result.coefficient)


@chart.register(meta.SystemScores)
def _(result: meta.SystemScores) -> Chart:
    if result.scored is None:
        points = [
            {"name": row.system, "panel": row.score, "x": row.judged.value, "y": row.people} for row in result.rows
        ]
        return figures.scatter(points, title=f"systems by metrics and by {result.aspect}", y=result.aspect)
    rows = [
        {"name": row.system, "panel": row.score, **_mean_row(series, mean)}
        for row in result.rows
        for series, mean in zip(_name_extents(result), (row.judged, row.everything), strict=True)
    ]
    return figures.compared_intervals(rows, title="means of systems", x="mean")


def _name_extents(result: meta.AllDocumentIntervals | meta.SystemScores) -> tuple[str, str]:
    """What the two series of a chart on judged and on all documents are called."""
    return format_count(result.judged, "judged document"), f"all {result.scored:,} documents"


def _mean_row(series: str, bounds: Any) -> dict[str, str | float]:
    return {"series": series, "value": bounds.value, "low": bounds.low, "high": bounds.high}


@chart.register(meta.GroupedAnswer)
def _(result: meta.GroupedAnswer) -> Chart:
    kinds = [(row.aspect, row.level, row.coefficient) for row in result.rows]
    varied = [index for index in range(3) if len({kind[index] for kind in kinds}) > 1]
    rows = [
        {"row": ", ".join((row.metric, *(kind[index] for index in varied))), "column": column, "value": value}
        for row, kind in zip(result.rows, kinds, strict=True)
        for column, value in zip((*result.columns, "mean"), (*row.values, row.mean), strict=True)
        if row.metric not in ("difference", "p")
    ]
    title = f"correlation with {' and '.join(result.aspects)} by {' and '.join(result.fields)}"
    return figures.cells(rows, title=title, x="", y="")


@chart.register(meta.CorrelationTable)
def _(result: meta.CorrelationTable) -> Chart:
    if result.confidence is not None:
        cells = [
            {
                "name": metric,
                "group": f"{column.level}, {column.coefficient}",
                "value": column.values[row],
                "low": column.lows[row],
                "high": column.highs[row],
            }
            for metric, column, row in result.cells()
        ]
        return figures.intervals(cells, title=f"correlation with {result.aspect}")
    rows = [
        {"row": metric, "column": column.name, "value": value}
        for column in result.columns
        for metric, value in zip(result.metrics, column.values, strict=True)
    ]
    return figures.cells(rows, title=f"correlation with {result.aspect}", x="", y="")


@chart.register(meta.PairTest)
def _(result: meta.PairTest) -> Chart:
    column = f"{result.test.level}, {result.test.coefficient}"
    values = {result.x: result.test.of_x, result.y: result.test.of_y}
    rows = [{"row": name, "column": column, "value": value} for name, value in values.items()]
    title = f"correlation with {result.aspect}, {result.test.test} test: p = {result.pvalue:.3g}"
    return figures.cells(rows, title=title, x="", y="")


@chart.register(meta.AllPairsTest)
def _(result: meta.AllPairsTest) -> Chart:
    names, order = result.comparison.names, result.order
    rows = [
        {"row": names[better], "column": names[worse], "verdict": result.verdict(better, worse)}
        for better in order
        for worse in order
        if better != worse
    ]
    return figures.decisions(rows, title=f"{result.level} level, {result.coefficient}, {result.aspect}")


@chart.register(meta.PairAgreement)
def _(result: meta.PairAgreement) -> Chart:
    title = f"{result.coefficient} on the closest pairs of systems, {result.aspect}"
    heatmaps = {row.metric: row.heatmap for row in result.rows if row.heatmap is not None}
    if heatmaps:
        panels, title = [], f"{result.coefficient} with {result.aspect} on pairs of systems between two gaps"
        for name, heatmap in heatmaps.items():
            rows = [
                {"row": f"{low:.3f}", "column": f"{high:.3f}", "value": float(heatmap.values[i, j])}
                for i, low in enumerate(heatmap.lower)
                for j, high in enumerate(heatmap.upper)
            ]
            heading = name if len(heatmaps) > 1 else f"{name}: {title}"
            panels.append(figures.cells(rows, title=heading, x="up to this gap", y="from this gap", with_numbers=False))
        return figures.side_by_side(panels, title=title)
    rows = [
        {
            "name": row.metric,
            "x": 100 * share,
            "value": point.value,
            "low": point.low,
            "high": point.high,
            "label": f"{point.upper:.2g}",
        }
        for row in result.rows
        if row.closest is not None
        for share, point in zip(row.closest.shares, row.closest.points, strict=True)
    ]
    return figures.curves(
        rows,
        title=title,
        x="share of pairs, the closest first (%); at the points, their widest gap u",
        y=result.coefficient,
    )


@chart.register(meta.MetricRelations)
def _(result: meta.MetricRelations) -> Chart:
    names, values = result.matrix.names, result.matrix.values
    rows = [
        {"row": name, "column": other, "value": float(values[i, j])}
        for i, name in enumerate(names)
        for j, other in enumerate(names)
    ]
    return figures.cells(rows, title=f"{result.matrix.level} level, {result.matrix.coefficient}", x="", y="")


@chart.register(meta.AnchorRelations)
def _(result: meta.AnchorRelations) -> Chart:
    anchors = result.anchors
    rows = [
        {"row": row.name, "column": column, "value": value}
        for row in anchors.rows
        for column, value in ((anchors.first, row.first), (anchors.second, row.second), ("difference", row.difference))
    ]
    return figures.cells(rows, title=f"{anchors.level} level, {anchors.coefficient}", x="", y="")


@chart.register(meta.IntervalCoverage)
def _(result: meta.IntervalCoverage) -> Chart:
    rows = [
        {"row": row.method, "column": coverage.level, "value": row.share}
        for coverage in result.levels
        for row in coverage.rows
    ]
    title = f"share of intervals that hold the correlation, {result.metric} with {result.aspect}"
    return figures.cells(rows, title=title, x="", y="", diverging=False)


@chart.register(meta.TestPower)
def _(result: meta.TestPower) -> Chart:
    rows = [
        {"name": row.test, "x": share, "value": power.value, "low": power.low, "high": power.high}
        for row in result.curves.rows
        for share, power in zip(result.curves.shares, row.intervals, strict=True)
    ]
    title = f"power against worse versions of {result.metric}, {result.curves.level} level"
    return figures.curves(rows, title=title, x="share of tokens kept", y="power")


@chart.register(meta.NormalityTests)
def _(result: meta.NormalityTests) -> Chart:
    rows = [{"row": row.score, "column": row.level, "value": row.normality.share} for row in result.rows]
    title = "share of Shapiro-Wilk tests that reject normality"
    return figures.cells(rows, title=title, x="", y="", diverging=False)


@chart.register(meta.Stability)
def _(result: meta.Stability) -> Chart:
    rows = [
        {
            "name": row.score,
            "x": point.size,
            "value": point.mean,
            "low": max(-1.0, point.mean - point.deviation),
            "high": min(1.0, point.mean + point.deviation),
        }
        for row in result.rows
        for point in row.ranking.points
    ]
    title = f"how alike two rankings are ({result.coefficient}), each from so many documents"
    return figures.curves(rows, title=title, x="documents", y=result.coefficient)


@chart.register(meta.ReferenceCounts)
def _(result: meta.ReferenceCounts) -> Chart:
    rows = [
        {"name": curve.level, "x": point.references, "value": point.value, "low": point.low, "high": point.high}
        for curve in result.levels
        for point in curve.points
    ]
    title = f"{result.metric} with {result.aspect} by the number of references"
    return figures.curves(rows, title=title, x="references", y=result.levels[0].coefficient)


@chart.register(meta.StudyPlan)
def _(result: meta.StudyPlan) -> Chart:
    plan = result.plan
    rows = [
        {"name": name, "x": point.size, "value": value, "low": nan, "high": nan}
        for point in plan.curve
        for name, value in (("pilot, resampled", point.value), ("fitted", point.fitted))
    ]
    return figures.curves(rows, title=f"{plan.goal} by the number of {plan.unit}", x=plan.unit, y=plan.goal)


@chart.register(meta.RaterAgreements)
def _(result: meta.RaterAgreements) -> Chart:
    columns = ("alpha", "one against the rest")
    rows = [
        {"row": record["judgment"], "column": column, "value": record[column]}
        for record in result.records()
        for column in columns
    ]
    return figures.cells(rows, title="agreement of raters", x="", y="")


@chart.register(meta.GroupedAgreement)
def _(result: meta.GroupedAgreement) -> Chart:
    rows = [
        {"row": f"{record['judgment']}, {record['measure']}", "column": column, "value": record[column]}
        for record in result.records()
        for column in (*result.groups, "mean")
    ]
    return figures.cells(rows, title=f"agreement of raters by {' and '.join(result.fields)}", x="", y="")
