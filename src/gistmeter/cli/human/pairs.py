"""`gistmeter human pairs`: how far raters agree two by two."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output as out
from gistmeter.cli.human import options as h
from gistmeter.cli.meta import options as m


def pairs(
    file: h.RatingFile,
    human: h.HumanNames = None,
    fields: o.FieldMap = None,
    coefficient: m.Coefficient = "pearson",
    columns: Annotated[
        Literal["assignment", "rater"], typer.Option(help="Pair raters within a task, or all that they did.")
    ] = "assignment",
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """The correlation of each rater with each other on the items that both judged, lowest first."""
    from gistmeter.human import pairwise_agreement

    result = pairwise_agreement(h.open_ratings(file, fields), aspects=human, coefficient=coefficient, columns=columns)
    out.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
