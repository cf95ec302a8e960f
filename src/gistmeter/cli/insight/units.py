"""`gistmeter insight units`: how much of a score comes from phrases of one content unit."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output


def units(
    run: o.RunFiles = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", metavar="M,...", help="Metrics that match words or phrases; default rouge1."),
    ] = None,
    spans: Annotated[
        Literal["given", "guessed"],
        typer.Option(help="Where units are stated: by the spans of the run, or guessed from the words of the units."),
    ] = "given",
    tokens: Annotated[
        Literal["any", "every"],
        typer.Option(help="Two phrases state one unit when any of their tokens carry it, or when every token does."),
    ] = "any",
    reference: Annotated[
        Literal["first", "all"], typer.Option(help="Compare with the first reference alone, or with all.")
    ] = "all",
    published: Annotated[
        Literal["tac2008", "tac2009"] | None,
        typer.Option(help="Put published means beside, of TAC 2008 or 2009 (Deutsch, 2022, Figures 5 and 13)."),
    ] = None,
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    unit_files: o.UnitFiles = None,
    labels: o.LabelFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    device: o.Device = None,
    threads: o.Threads = None,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Say how much of a score comes from phrases that state the same content unit.

    The run has content units with spans: in its records ("spans" of a unit), or as .pan files of the Pyramid Method.
    """
    output.check_figure(figure)
    from gistmeter import insight
    from gistmeter.models.runtime.settings import use_settings
    from gistmeter.report.insight_charts import draw_units
    from gistmeter.report.sheets.insight.units import units_sheet

    opened = o.open_run_files(
        run, summaries, references, None, language, fields=fields, units=unit_files, labels=labels
    )
    with use_settings(o.runtime_settings(device=device, threads=threads)):
        shares = insight.units(
            opened, metrics or ["rouge1"], spans=spans, tokens=tokens, reference=reference, published=published
        )
    output.show_sheet(units_sheet(shares), latex=latex, html=html, markdown=markdown, json=json)
    output.draw_chart(lambda: draw_units(shares), figure)
