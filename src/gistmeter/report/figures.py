"""Figures: the pictures people expect from the papers, as .svg, .png, .pdf or a self-contained .html."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.extras import missing_extra
from gistmeter.io.atomic import write_atomically
from gistmeter.report.figure_page import ACCENT, GRID, INK, QUIET, figure_page, replace_undrawable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    Chart = Any

SUFFIXES = (".svg", ".png", ".pdf", ".html")
MOST_PANELS = 3
"""How many panels stand in a row."""

_MOST_TICKS = 12
"""How many marks an axis of counts has at most before it gets round numbers."""

_LABEL_HEIGHT = 0.04
"""The height of a label as a share of a picture's."""

_SECOND = "#d9822b"
_ON_CELL = "#1f2329"
"""Numbers on light cells, which stay light on a dark page."""


def check_figure_path(path: Path) -> None:
    """Refuse a figure that could not be written, before any long work."""
    if path.suffix not in SUFFIXES:
        raise DataError(f"cannot draw {path}: name it .svg, .png, .pdf or .html")
    _altair()


def intervals(
    rows: Sequence[Mapping[str, Any]],
    *,
    title: str,
    x: str = "correlation",
    chance: float | None = 0.0,
    shared: bool = True,
) -> Chart:
    """Dots with intervals (thesis, Fig. 28), a panel for each group: rows have name, group, value, low, high.

    `chance`, what a metric that knows nothing has, is a dotted line; None draws none. Panels have one scale if it is
    `shared`.
    """
    alt = _altair()
    order = list(dict.fromkeys(str(row["name"]) for row in rows))
    groups = list(dict.fromkeys(str(row["group"]) for row in rows))
    scale = alt.Undefined if chance is not None else alt.Scale(zero=False)
    panels = []
    for group in groups:
        base = alt.Chart(_data([row for row in rows if row["group"] == group]))
        base = base.encode(y=alt.Y("name:N", sort=order, title=None))
        bars = base.mark_rule(color=QUIET, strokeWidth=2).encode(x=alt.X("low:Q", title=x, scale=scale), x2="high:Q")
        layers = [bars, base.mark_point(filled=True, size=60, color=ACCENT, opacity=1).encode(x="value:Q")]
        if chance is not None:
            line = alt.Chart(_data([{"chance": chance}])).mark_rule(color=QUIET, strokeDash=[2, 3])
            layers.insert(0, line.encode(x="chance:Q"))
        panels.append(alt.layer(*layers).properties(width=320, height=20 * len(order), title=group))
    return _join_panels(panels, title, shared=shared)


def compared_intervals(rows: Sequence[Mapping[str, Any]], *, title: str, x: str) -> Chart:
    """Dots with intervals, those of several series side by side (thesis, Fig. 30, 32, 39 and 40).

    Rows have name, series, panel, value, low and high; each panel has a scale of its own.
    """
    alt = _altair()
    order = list(dict.fromkeys(str(row["name"]) for row in rows))
    series = list(dict.fromkeys(str(row["series"]) for row in rows))
    colour = alt.Color(
        "series:N",
        title=None,
        scale=alt.Scale(domain=series, range=[_SECOND, ACCENT][: len(series)]),
        legend=alt.Legend(orient="bottom"),
    )
    panels = []
    for panel in dict.fromkeys(str(row["panel"]) for row in rows):
        base = alt.Chart(_data([row for row in rows if row["panel"] == panel])).encode(
            y=alt.Y("name:N", sort=order, title=None), yOffset=alt.YOffset("series:N", sort=series), color=colour
        )
        bars = base.mark_rule(strokeWidth=2).encode(x=alt.X("low:Q", title=x, scale=alt.Scale(zero=False)), x2="high:Q")
        dots = base.mark_point(filled=True, size=45, opacity=1).encode(x="value:Q")
        size = {"width": 340, "height": max(80, 13 * len(series) * len(order))}
        panels.append(alt.layer(bars, dots).properties(**size, title=panel))
    return _join_panels(panels, title)


def scatter(rows: Sequence[Mapping[str, Any]], *, title: str, y: str) -> Chart:
    """A point for each named thing, a panel for each score (thesis, Fig. 33): rows have name, panel, x and y."""
    alt = _altair()
    panels = []
    for panel in dict.fromkeys(str(row["panel"]) for row in rows):
        base = alt.Chart(_data([row for row in rows if row["panel"] == panel])).encode(
            x=alt.X("x:Q", title=panel, scale=alt.Scale(zero=False, padding=12)),
            y=alt.Y("y:Q", title=y, scale=alt.Scale(zero=False, padding=12)),
        )
        dots = base.mark_point(filled=True, size=55, color=ACCENT, opacity=0.9).encode(tooltip="name:N")
        names = base.mark_text(align="left", dx=6, dy=-4, fontSize=9, color=QUIET).encode(text="name:N")
        panels.append(alt.layer(dots, names).properties(width=300, height=260))
    return _join_panels(panels, title)


def curves(rows: Sequence[Mapping[str, Any]], *, title: str, x: str, y: str) -> Chart:
    """Lines, each with a band where low and high are known: rows have name, x, value, low, high; a label, if any."""
    alt = _altair()
    positions = sorted({float(row["x"]) for row in rows})
    # There is no half document: few counts are marked themselves.
    counted = len(positions) <= _MOST_TICKS and all(position.is_integer() for position in positions)
    axis = alt.Axis(values=positions, format="d") if counted else alt.Axis()
    labelled = any("label" in row for row in rows)
    base = alt.Chart(_data(_stack_labels(rows) if labelled else rows)).encode(
        x=alt.X("x:Q", title=x, scale=alt.Scale(zero=False), axis=axis),
        color=alt.Color(
            "name:N",
            title=None,
            sort=None,
            scale=alt.Scale(scheme="tableau10"),
            legend=alt.Legend(symbolOpacity=1),
        ),
    )
    lines = base.mark_line(point=alt.OverlayMarkDef(size=35)).encode(
        y=alt.Y("value:Q", title=y, scale=alt.Scale(zero=False))
    )
    if labelled:
        labels = [
            base.transform_filter(alt.datum.stack == below)
            .mark_text(dy=-9 - 9 * below, fontSize=8)
            .encode(y="value:Q", text="label:N")
            for below in range(len({row["name"] for row in rows}))
        ]
        lines = alt.layer(lines, *labels)
    banded = any(not math.isnan(float(row.get("low", math.nan))) for row in rows)
    band = base.mark_area(opacity=0.18).encode(y="low:Q", y2="high:Q")
    return _add_title((alt.layer(band, lines) if banded else lines).properties(width=460, height=280), title)


def _stack_labels(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows with `stack`: how many labels stand below a row's own, as curves often run into each other.

    >>> [row["stack"] for row in _stack_labels([{"x": 1, "value": value} for value in (0.0, 1.0, 0.99)])]
    [0, 0, 1]
    """
    values = [float(row["value"]) for row in rows if math.isfinite(float(row["value"]))]
    near = _LABEL_HEIGHT * (max(values) - min(values)) if values else 0.0
    return [
        {
            **row,
            "stack": sum(
                other["x"] == row["x"] and abs(other["value"] - row["value"]) <= near for other in rows[:number]
            ),
        }
        for number, row in enumerate(rows)
    ]


def cells(
    rows: Sequence[Mapping[str, Any]], *, title: str, x: str, y: str, diverging: bool = True, with_numbers: bool = True
) -> Chart:
    """A table of coloured cells (Fig. 12, 29, 42): rows have row, column, value; a missing value leaves a gap."""
    alt = _altair()
    down = list(dict.fromkeys(row["row"] for row in rows))
    across = list(dict.fromkeys(row["column"] for row in rows))
    scale = alt.Scale(scheme="blueorange", domain=[-1, 1], reverse=True) if diverging else alt.Scale(scheme="blues")
    base = alt.Chart(_data(rows)).encode(
        x=alt.X("column:O", sort=across, title=x, axis=alt.Axis(labelAngle=-45, orient="top")),
        y=alt.Y("row:O", sort=down, title=y),
    )
    grid = base.mark_rect(stroke="white").encode(color=alt.Color("value:Q", scale=scale, title=None))
    size = {"width": max(160, 34 * len(across)), "height": max(120, 26 * len(down))}
    if not with_numbers:
        return _add_title(grid.properties(**size), title)
    middle = 0.6 if diverging else 0.5
    text = base.mark_text(fontSize=10).encode(
        text=alt.Text("value:Q", format=".2f"),
        color=alt.condition(f"abs(datum.value) > {middle}", alt.value("white"), alt.value(_ON_CELL)),
    )
    return _add_title((grid + text).properties(**size), title)


def decisions(rows: Sequence[Mapping[str, Any]], *, title: str) -> Chart:
    """Which metric beats which (thesis, Fig. 29): rows have row, column and `verdict`."""
    alt = _altair()
    down = list(dict.fromkeys(row["row"] for row in rows))
    verdicts = ["significant, corrected", "significant alone", "not significant"]
    chart = (
        alt.Chart(_data(rows))
        .mark_rect(stroke="white")
        .encode(
            x=alt.X("column:O", sort=down, title="than this one", axis=alt.Axis(labelAngle=-45, orient="top")),
            y=alt.Y("row:O", sort=down, title="this metric agrees better with people"),
            color=alt.Color(
                "verdict:N",
                title=None,
                scale=alt.Scale(domain=verdicts, range=["#1f5fae", "#a9c8ec", "#ececec"]),
                legend=alt.Legend(orient="bottom"),
            ),
        )
        .properties(width=max(120, 30 * len(down)), height=max(200, 24 * len(down)))  # room for the axes' titles
    )
    return _add_title(chart, title)


def bars(rows: Sequence[Mapping[str, Any]], *, title: str, x: str) -> Chart:
    """Bars with intervals, those of several series side by side, and a mark for what was published.

    Rows have name, series, value, low, high, and published, which may be missing (NaN).
    """
    alt = _altair()
    order, series = (list(dict.fromkeys(str(row[key]) for row in rows)) for key in ("name", "series"))
    scale = alt.Scale(domain=series, range=[ACCENT, _SECOND, "#3d9970", "#8e6bb8", "#b5544d"])
    base = alt.Chart(_data(rows)).encode(
        y=alt.Y("name:N", sort=order, title=None),
        yOffset=alt.YOffset("series:N", sort=series),
        color=alt.Color("series:N", title=None, scale=scale, legend=alt.Legend(orient="bottom")),
    )
    drawn = base.mark_bar(opacity=0.85).encode(x=alt.X("value:Q", title=x, axis=alt.Axis(format="%")))
    spread = base.mark_rule(color=INK, strokeWidth=1).encode(x="low:Q", x2="high:Q", color=alt.Color())
    printed = base.mark_point(shape="diamond", size=40, filled=False, color=INK, opacity=1).encode(
        x="published:Q", color=alt.Color()
    )
    return _add_title(alt.layer(drawn, spread, printed).properties(width=360, height=16 * len(rows) + 20), title)


def histograms(rows: Sequence[Mapping[str, Any]], *, title: str, x: str, y: str) -> Chart:
    """Histograms with their means (thesis, Fig. 5 and 13): rows have panel, start, end, count and mean."""
    alt = _altair()
    panels = []
    for panel in dict.fromkeys(str(row["panel"]) for row in rows):
        base = alt.Chart(_data([row for row in rows if row["panel"] == panel]))
        across = alt.X("start:Q", bin="binned", title=x, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%"))
        boxes = base.mark_bar(color=ACCENT, opacity=0.85).encode(x=across, x2="end:Q", y=alt.Y("count:Q", title=y))
        mean = base.mark_rule(color=_SECOND, strokeWidth=2, strokeDash=[5, 3]).encode(x="mean(mean):Q")
        panels.append(alt.layer(boxes, mean).properties(width=280, height=160, title=panel))
    if len(panels) == 1:  # its own title says what the mean is
        return _add_title(panels[0], title, below=panel)
    return _join_panels(panels, title)


def side_by_side(charts: Sequence[Chart], *, title: str, own_colours: bool = False) -> Chart:
    """Several charts, in rows; with `own_colours` each has a legend of its own."""
    if len(charts) == 1:
        return charts[0]
    joined = _join_panels(charts, title)
    return joined.resolve_scale(color="independent", yOffset="independent") if own_colours else joined


def write_figure(chart: Chart, path: Path) -> None:
    """Write a chart; .html opens offline, on a phone and in the dark, .pdf has fonts and lines for a paper."""
    check_figure_path(path)
    import vl_convert

    with write_atomically(path) as part:
        if path.suffix == ".svg":
            part.write_text(write_svg(chart), encoding="utf-8")
        elif path.suffix == ".png":
            part.write_bytes(vl_convert.vegalite_to_png(_write_json(chart), scale=2))
        elif path.suffix == ".pdf":
            part.write_bytes(vl_convert.vegalite_to_pdf(_write_json(chart)))
        else:
            page = figure_page(_describe(chart), vl_convert.vegalite_to_svg)
            part.write_text(page, encoding="utf-8")


def write_svg(chart: Chart) -> str:
    """A chart as SVG text, in the house style."""
    require_drawing()
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(_write_json(chart))
    return svg


def require_drawing() -> None:
    """Say in a sentence that the packages that draw are missing, where they are."""
    _altair()


def _join_panels(panels: Sequence[Chart], title: str, *, shared: bool = False) -> Chart:
    """Panels in rows, each with a scale of its own unless it is `shared`."""
    if len(panels) == 1:
        return _add_title(panels[0], title)
    joined = _altair().concat(*panels, columns=MOST_PANELS)
    return _add_title(joined.resolve_scale(x="shared") if shared else joined, title)


def _add_title(chart: Chart, title: str, *, below: str = "") -> Chart:
    subtitle = {"subtitle": below} if below else {}
    return chart.properties(title=_altair().Title(title, anchor="start", offset=10, **subtitle))


def _describe(chart: Chart) -> dict[str, Any]:
    """A chart in the house style as Vega-Lite, with names of files as they can be drawn."""
    described: dict[str, Any] = replace_undrawable(_add_style(chart).to_dict())
    return described


def _write_json(chart: Chart) -> str:
    return json.dumps(_describe(chart), indent=2, sort_keys=True)


def _add_style(chart: Chart) -> Chart:
    """The house style, which a chart can carry only once, around all its parts."""
    return chart.configure(
        background="white",
        font="sans-serif",
        padding=14,
        view={"stroke": None},
        title={"fontSize": 13, "fontWeight": "normal", "color": INK},
        legend={"labelColor": INK, "titleColor": INK, "labelLimit": 260},
        header={"labelColor": INK, "titleColor": INK},
        axis={
            "labelColor": INK,
            "titleColor": INK,
            "titleFontWeight": "normal",
            "gridColor": GRID,
            "domainColor": QUIET,
            "tickColor": QUIET,
            "labelLimit": 260,
            "labelFlush": False,  # else the first and the last label are moved onto their neighbours
        },
    )


def _data(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows for a chart; JSON knows no NaN."""
    plain = [
        {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()}
        for row in rows
    ]
    return _altair().Data(values=plain)


def _altair() -> Any:
    try:
        import altair
        import vl_convert  # noqa: F401
    except ImportError:
        raise missing_extra("figures need altair and vl-convert", "figures") from None
    return altair
