"""`gistmeter meta agreement`: how far raters agree with each other."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.door.files import READS
from gistmeter.errors import ArgumentError


def agreement(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", help="Judgments of single raters: records with `annotators`, `rater` or `votes`."
        ),
        READS,
    ],
    human: Annotated[
        list[str] | None, typer.Option("--human", metavar="NAME", help="Only this judgment; repeat for more.")
    ] = None,
    measurement: Annotated[
        Literal["nominal", "ordinal", "interval"], typer.Option(help="What differences between ratings mean.")
    ] = "interval",
    by: Annotated[
        str | None, typer.Option("--by", metavar="FIELD", help="Rows for each value of this field, e.g. language.")
    ] = None,
    group: Annotated[
        list[str] | None,
        typer.Option("--group", metavar="FIELD", help="A column for each value of this field, and their mean; repeat."),
    ] = None,
    fields: o.FieldMap = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Agreement of raters on each judgment, and on content units where records carry votes on them."""
    from gistmeter import meta

    if group and by is not None:
        raise ArgumentError("`by` (rows) and `group` (columns) do not go together: choose one")
    mapped = o.parse_fields(fields)
    result: meta.Result = (
        meta.agreement_by_group(file, group=group, aspects=human, measurement=measurement, fields=mapped)
        if group
        else meta.agreement(file, aspects=human, measurement=measurement, by=by, fields=mapped)
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
