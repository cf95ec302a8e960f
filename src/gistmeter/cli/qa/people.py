"""`gistmeter qa people`: people in the place of a metric's models, four ways."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import READS
from gistmeter.cli.meta import options as m
from gistmeter.cli.qa.export import Metric


@m.with_option_names
def people(
    run: o.RunFiles = None,
    answers: Annotated[
        list[str] | None,
        typer.Option("--answers", "-a", metavar="FILE", help="What people answered and verified; repeat for more."),
    ] = None,
    metric: Metric = "qaeval",
    judgments: Annotated[
        Path | None, typer.Option("--judgments", metavar="FILE", help="What people said of the summaries."), READS
    ] = None,
    human: Annotated[
        list[str] | None,
        typer.Option("--human", metavar="NAME", help="The judgment to correlate with, also of the run itself."),
    ] = None,
    level: m.Level = "summary",
    undefined: m.UndefinedPolicy = "drop",
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Score with a model or people answering, and the metric or people verifying: four setups.

    They are those of Deutsch et al. (2021), Table 9.

    Takes what people answered and verified (`gistmeter qa export`, with --verify for the model's answers and once more
    for people's). With judgments of the summaries, says how well each setup agrees with them.
    """
    from gistmeter import api
    from gistmeter.cli.output import show_sheet
    from gistmeter.report.sheets.questions import human_setups_sheet

    setups = api.compare_answerers(
        o.open_run_files(run, summaries, references, documents, language, fields=fields),
        metric=metric,
        answers=answers or (),
        judgments=judgments,
        aspect=m.single_human(human),
        level=level,
        undefined=undefined,
    )
    show_sheet(human_setups_sheet(setups), latex=latex, html=html, markdown=markdown, json=json)
