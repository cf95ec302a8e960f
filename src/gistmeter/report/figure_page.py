"""A figure as a page of its own: readable on a phone and in dark mode, without scripts and without the network.

The page holds the figure twice, for wide and for narrow windows, and shows the one that fits. What is still too wide
for a phone, such as a table of twenty metrics, is moved sideways within the figure; letters never shrink.
"""

from __future__ import annotations

import copy
import json
import textwrap
from html import escape
from typing import TYPE_CHECKING, Any

from gistmeter.wording import make_xml_text

if TYPE_CHECKING:
    from collections.abc import Callable

INK, QUIET, ACCENT, GRID = "#1f2328", "#6b7480", "#1f5fae", "#e8eaed"
"""Colours of figures that a dark page replaces; all others are readable on both."""

_VARIABLES = {INK: "var(--ink)", QUIET: "var(--quiet)", ACCENT: "var(--accent)", GRID: "var(--grid)"}
_NARROW_PANEL, _NARROW_PANEL_WITH_NAMES = 270, 200
"""The width of a panel on a phone, in pixels, so that it fits into 390 with numbers, or names, on its left."""
_NARROW_NAMES = 130
_NARROW_TITLE = 30
"""How many letters the title of an axis has in a line there."""

_STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1f2328; --quiet: #6b7480; --accent: #1f5fae; --grid: #e8eaed }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14171c; --ink: #e6e9ee; --quiet: #9aa4b1; --accent: #7db3f5; --grid: #2b313a }
}
body { margin: 0; padding: 16px; background: var(--paper); color: var(--ink); font: 15px/1.4 system-ui, sans-serif }
h1 { margin: 0 0 12px; font-size: 17px; font-weight: 600; overflow-wrap: anywhere }
figure { margin: 0; overflow-x: auto }
svg { display: block; max-width: none }
.narrow { display: none }
@media (max-width: 700px) { .wide { display: none } .narrow { display: block } }
"""


def figure_page(spec: dict[str, Any], draw_svg: Callable[[str], str]) -> str:
    """The page of a figure, given as Vega-Lite and drawn by a function that takes its JSON."""
    spec = copy.deepcopy(spec)
    title = _take_title(spec)
    spec["config"]["background"] = None
    spec["config"]["padding"] = 4
    wide = _use_variables(draw_svg(json.dumps(spec)), "wide", title)
    narrow = _use_variables(draw_svg(json.dumps(narrow_figure(spec))), "narrow", title)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n"
        f'<figure tabindex="0" aria-label="{escape(title)}">\n{wide}\n{narrow}\n</figure>\n</body>\n</html>\n'
    )


def replace_undrawable(value: Any) -> Any:
    """A part of a chart without characters that XML does not have: the library that draws would end the process.

    >>> replace_undrawable({"title": "a\\x07", "columns": 3})
    {'title': 'a␇', 'columns': 3}
    """
    if isinstance(value, str):
        return make_xml_text(value)
    if isinstance(value, dict):
        return {key: replace_undrawable(inside) for key, inside in value.items()}
    return [replace_undrawable(inside) for inside in value] if isinstance(value, list) else value


def narrow_figure(spec: dict[str, Any]) -> dict[str, Any]:
    """A figure for a phone: its panels below each other, and smaller; legends at the bottom, titles in several lines.

    >>> wide = {"config": {}, "concat": [{"mark": "line", "width": 460}], "columns": 3}
    >>> narrow = narrow_figure(wide)
    >>> narrow["columns"], narrow["concat"][0]["width"], wide["columns"]
    (1, 270, 3)
    """
    narrow = copy.deepcopy(spec)
    if "concat" in narrow:
        narrow["columns"] = 1
    narrow["config"]["legend"] = {**narrow["config"].get("legend", {}), "orient": "bottom", "columns": 2}
    narrow["config"].setdefault("axis", {})["labelLimit"] = _NARROW_NAMES
    for panel in narrow.get("concat", [narrow]):
        drawn = json.dumps({key: value for key, value in panel.items() if key != "datasets"})
        if "width" in panel and '"rect"' not in drawn:  # a table is as wide as its columns
            panel["width"] = _NARROW_PANEL_WITH_NAMES if _has_names(panel) else _NARROW_PANEL
        _wrap_titles(panel)
    return narrow


def _has_names(part: Any) -> bool:
    """Whether names stand on the left of a panel, and not numbers."""
    if isinstance(part, list):
        return any(map(_has_names, part))
    if not isinstance(part, dict):
        return False
    y = part.get("y")
    if isinstance(y, dict) and y.get("type") in ("nominal", "ordinal"):
        return True
    return any(_has_names(value) for key, value in part.items() if key not in ("data", "datasets"))


def _take_title(spec: dict[str, Any]) -> str:
    """The title of a figure, which the page shows in its place."""
    title = spec.pop("title", "")
    text = title.get("text", "") if isinstance(title, dict) else title
    return " ".join(text) if isinstance(text, list) else str(text)


def _wrap_titles(part: Any) -> None:
    """Break long titles of axes and panels into lines, in place."""
    if isinstance(part, list):
        for member in part:
            _wrap_titles(member)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key == "title" and isinstance(value, str) and len(value) > _NARROW_TITLE:
                part[key] = textwrap.wrap(value, _NARROW_TITLE)
            elif key not in ("data", "datasets"):
                _wrap_titles(value)


def _use_variables(svg: str, name: str, title: str) -> str:
    """A drawn figure whose colours follow the page, whose names are its own, and which says what it is."""
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(f'"{colour}"', f'"{variable}"')
    svg = svg.replace('id="', f'id="{name}-').replace("url(#", f"url(#{name}-").replace('href="#', f'href="#{name}-')
    return svg.replace("<svg ", f'<svg class="{name}" role="img" aria-label="{escape(title)}" ', 1)
