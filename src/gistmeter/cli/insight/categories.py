"""`gistmeter insight categories`: which kinds of words a score is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.door.files import READS


def categories(
    run: o.RunFiles = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", metavar="M,...", help="Metrics that match words; default rouge1."),
    ] = None,
    table: Annotated[
        Path | None,
        typer.Option(
            "--categories", metavar="FILE", help="Your own categories: a TOML file in the form of gistmeter's."
        ),
        READS,
    ] = None,
    reference: Annotated[
        Literal["first", "all"], typer.Option(help="Compare with the first reference alone, or with all.")
    ] = "first",
    auxiliaries: Annotated[
        Literal["verb", "own"], typer.Option(help='Whether "has" and "was" count as verbs, or as a kind of their own.')
    ] = "own",
    by: Annotated[
        Literal["all", "system"], typer.Option(help="Shares over all summaries, or for each system as well.")
    ] = "all",
    published: Annotated[
        Literal["cnndm", "tac2008"] | None,
        typer.Option(help="Put published shares beside, of CNN/DailyMail or TAC 2008 (Deutsch, 2022, Tables 3 and 4)."),
    ] = None,
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    fields: o.FieldMap = None,
    device: o.Device = None,
    threads: o.Threads = None,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Say how much of a score comes from stop words, from words of the topic, and from who did what.

    A match counts for a category when both words belong to it, so shares overlap and do not add up to 1.
    """
    output.check_figure(figure)
    from gistmeter import insight
    from gistmeter.models.runtime.settings import use_settings
    from gistmeter.report.insight_charts import draw_categories
    from gistmeter.report.sheets.insight.categories import categories_sheet

    opened = o.open_run_files(run, summaries, references, documents, "en", fields=fields)
    with use_settings(o.runtime_settings(device=device, threads=threads)):
        shares = insight.categories(
            opened,
            metrics or ["rouge1"],
            table=table,
            reference=reference,
            auxiliaries=auxiliaries,
            by_system=by == "system",
            published=published,
        )
    output.show_sheet(categories_sheet(shares), latex=latex, html=html, markdown=markdown, json=json)
    output.draw_chart(lambda: draw_categories(shares), figure)
