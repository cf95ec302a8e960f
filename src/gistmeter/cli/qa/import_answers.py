"""`gistmeter qa import`: what people answered, checked against the run, kept for scoring."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.cli.qa.export import Metric


def import_answers(
    answers: Annotated[
        list[str],
        typer.Option("--answers", "-a", metavar="FILE", help="A file that people filled in; repeat for more."),
    ],
    run: o.RunFiles = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the answers alone here, as JSON lines."), WRITES_FILE
    ] = None,
    metric: Metric = "qaeval",
    fields: o.FieldMap = None,
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Check people's answers against the run, say how well the model agrees with them, and keep them for scoring.

    Several files are merged. Refuses answers to questions that the run does not ask, and files that contradict each
    other. Then score with -m 'qaeval(people=FILE)'.
    """
    from gistmeter import api
    from gistmeter.cli.output import show_sheet
    from gistmeter.report.sheets.questions import answering_sheet

    opened = o.open_run_files(run, summaries, references, documents, language, fields=fields)
    imported = api.import_answers(answers, opened, metric=metric, output=output)
    o.say(imported.counts.describe())
    if output is not None:
        o.say(f"written: {output}")
    if imported.figures is not None:
        show_sheet(answering_sheet(imported.figures, metric), latex=latex, html=html, markdown=markdown, json=json)
