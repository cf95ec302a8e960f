"""`gistmeter meta matrix`: how metrics relate to one another."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m
from gistmeter.errors import GistmeterError


def matrix(
    file: m.File,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", help="Twice: show each metric's correlation with these two and the difference."),
    ] = None,
    level: m.Level = "summary",
    coefficient: m.Coefficient = "pearson",
    undefined: m.UndefinedPolicy = "drop",
    figure: m.FigureFile = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Correlations of metrics with one another (Fig. 12), or with two anchors (Table 5)."""
    from gistmeter import stats
    from gistmeter.report import figures
    from gistmeter.report.sheets.meta import anchors_sheet, matrix_rows, matrix_sheet

    m.checked_figure(figure)
    if anchor and len(anchor) != 2:
        raise GistmeterError("give --anchor twice, for example --anchor rouge1.recall --anchor pyr_score")
    matrices = m.opened(file, judgments, metric, units)
    names = [
        *(metric or matrices.metrics),
        *(name for name in anchor or () if name not in (metric or matrices.metrics)),
    ]
    tables = {name: matrices[name] for name in names}
    if anchor:
        found = stats.anchor_correlations(
            tables, anchor[0], anchor[1], level=level, coefficient=coefficient, undefined=undefined
        )
        m.show(anchors_sheet(found), latex=latex, markdown=markdown, json=json)
        return
    table = stats.correlation_matrix(tables, level=level, coefficient=coefficient, undefined=undefined)
    m.show(matrix_sheet(table), latex=latex, markdown=markdown, json=json)
    m.draw(lambda: figures.cells(matrix_rows(table), title=f"{level} level, {coefficient}", x="", y=""), figure)
