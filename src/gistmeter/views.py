"""Views: what a result becomes in a notebook and in print. Results are low in the house, and what draws them is high.

`gistmeter/__init__` names the module that draws (`name_drawing_module`). It is imported when a result is first shown,
so that results know nothing of it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

_drawing_modules: list[str] = []


def name_drawing_module(module: str) -> None:
    """Say which module has `show_html`, `show_text`, `make_frame`, `make_pandas`, `write_latex` and `draw_plot`."""
    _drawing_modules[:] = [module]


def _import_drawings() -> Any:
    return import_module(_drawing_modules[0])


class HtmlView:
    """A result that a notebook shows as HTML, and `print` as the terminal would."""

    __slots__ = ()

    def __str__(self) -> str:
        text: str = _import_drawings().show_text(self)
        return text

    def _repr_html_(self) -> str:
        html: str = _import_drawings().show_html(self)
        return html


class TableView(HtmlView):
    """A result that is a table: shown as HTML, and given as a frame or for a paper."""

    __slots__ = ()

    def to_polars(self) -> pl.DataFrame:
        """The rows as a polars frame."""
        frame: pl.DataFrame = _import_drawings().make_frame(self)
        return frame

    def to_pandas(self) -> Any:
        """The rows as a pandas frame; a sentence says how to install pandas where it is missing."""
        return _import_drawings().make_pandas(self)

    def to_latex(self, **options: Any) -> str:
        """The table that the command prints with `--latex`; `caption` and `label` are among the options."""
        latex: str = _import_drawings().write_latex(self, **options)
        return latex


class ChartView(TableView):
    """A result that is a table and a picture; it is a table at the prompt, too."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)

    def plot(self) -> Any:
        """The picture: a `Figure`, which a notebook shows without a network, with the altair chart as `chart`."""
        return _import_drawings().draw_plot(self)
