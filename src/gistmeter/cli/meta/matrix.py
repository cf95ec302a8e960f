"""`gistmeter meta matrix`: how metrics relate to one another."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m
from gistmeter.errors import GistmeterError


def matrix(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option("--anchor", help="Twice: show each metric's correlation with these two and the difference."),
    ] = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    level: m.Level = "summary",
    coefficient: m.Coefficient = "pearson",
    undefined: m.UndefinedPolicy = "drop",
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How metrics correlate with one another, as a matrix, or each of them with two anchors.

    See Deutsch (2022), Fig. 12 and Table 5.
    """
    from gistmeter import meta

    output.check_figure(figure)
    if anchor and len(anchor) != 2:
        raise GistmeterError("give --anchor twice, for example --anchor rouge1.recall --anchor pyr_score")
    result = meta.matrix(
        m.open_study(files, judgments, metric, units, lower, higher, fields=fields),
        metrics=metric,
        anchors=anchor,
        level=level,
        coefficient=coefficient,
        undefined=undefined,
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
