"""`gistmeter units easiness`: which reference sentences are worth a person's time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output as out
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.cli.units.options import (
    Coreference,
    ReferenceRecords,
    Regressor,
    Roles,
    Trees,
    read_reference_documents,
)


def easiness(
    files: ReferenceRecords = None,
    units: o.UnitFiles = None,
    share: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Share of sentences, the easiest, whose units a machine writes; default .5."),
    ] = None,
    most_units: Annotated[
        float | None, typer.Option(min=0, help="People write at most so many units, for the hardest sentences.")
    ] = None,
    most_sentences: Annotated[
        int | None, typer.Option(min=0, help="People write the units of at most so many sentences.")
    ] = None,
    most_minutes: Annotated[float | None, typer.Option(min=0, help="People write for at most so many minutes.")] = None,
    minutes_per_unit: Annotated[
        float, typer.Option(help="What a unit takes, for --most-minutes; measure your own writers.")
    ] = 0.5,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the plan here (.jsonl): who writes for which sentence."),
        WRITES_FILE,
    ] = None,
    sheet: Annotated[
        list[Path] | None,
        typer.Option(help="Write the sheet that people fill in: .csv, .tsv or .html; repeat for several."),
        WRITES_FILE,
    ] = None,
    budget: Annotated[
        bool, typer.Option("--budget", help="Show what people have to do at each share instead.")
    ] = False,
    regressor: Regressor = "embedded",
    trees: Trees = "embedded",
    roles: Roles = "embedded",
    coreference: Coreference = "confident",
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Predict how well a machine can cut each reference sentence into units, and plan which ones people should cut.

    It needs references alone. Give the sheet to writers, and what they filled in to `gistmeter units mix --plan`.
    """
    from gistmeter.report.page.writing_sheet import check_sheet_file, write_writing_sheet
    from gistmeter.report.sheets.easiness import budget_sheet, easiness_sheet
    from gistmeter.report.tables.numbers import format_count
    from gistmeter.units.plan import WritingBudget, plan_sentences
    from gistmeter.units.writing import check_plan_file, units_with_sentences, write_plan

    if output is not None:
        check_plan_file(output)
    for file in sheet or ():
        check_sheet_file(file)
    limits = WritingBudget(
        share=share,
        units=most_units,
        sentences=most_sentences,
        minutes=most_minutes,
        minutes_per_unit=minutes_per_unit,
    )
    documents = read_reference_documents(files, references, language, units=units, fields=fields)
    plan = plan_sentences(
        documents, budget=limits, regressor=regressor, parser=trees, source=roles, coreference=coreference
    )
    shown = budget_sheet(plan) if budget else easiness_sheet(plan)
    out.show_sheet(shown, latex=latex, html=html, markdown=markdown, json=json)
    if output is not None:
        o.say(f"plan of {format_count(write_plan(plan, output), 'sentence')} written: {output}")
    for file in sheet or ():
        count = write_writing_sheet(plan, file, people=units_with_sentences(documents))
        o.say(f"sheet for {format_count(count, 'sentence')} written: {file}")
