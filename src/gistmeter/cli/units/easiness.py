"""`gistmeter units easiness`: which reference sentences are worth a person's time."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.units.extract import Trees


def easiness(
    files: o.RunFiles = None,
    units: o.UnitFiles = None,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of sentences, the easiest, whose units a machine writes.")
    ] = 0.5,
    budget: Annotated[
        bool, typer.Option("--budget", help="Show what people have to do at each share instead.")
    ] = False,
    regressor: Annotated[str, typer.Option(metavar="FILE", help="embedded, or a regressor of XGBoost's.")] = "embedded",
    trees: Trees = "embedded",
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Predict how well a machine can cut each reference sentence into units, and say which ones people should cut."""
    from gistmeter.report.sheets.easiness import budget_sheet, easiness_sheet
    from gistmeter.units.plan import plan_sentences

    run = o.open_run_files(files, None, references, None, language, units=units)
    plan = plan_sentences(run.examples(), share, regressor=regressor, parser=trees)
    sheet = budget_sheet(plan) if budget else easiness_sheet(plan, share)
    output.show_sheet(sheet, latex=latex, html=html, markdown=markdown, json=json)
