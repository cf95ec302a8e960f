"""`gistmeter qa coverage`: what the questions of a metric ask for, compared with content units."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o

DEFAULT_METRICS = "qaeval(answers=entities),qaeval,qaeval(answers=maximal)"


def coverage(
    run: o.RunFiles = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option("--metric", "-m", metavar="M,...", help=f"Settings of qaeval; default {DEFAULT_METRICS}."),
    ] = None,
    units: o.UnitFiles = None,
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    device: o.Device = None,
    threads: o.Threads = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Say how many questions about references ask for a content unit, and how many units they cover.

    This is Table 7 of Deutsch et al. (2021), the paper of QAEval.

    By default for the three ways to choose what is asked for. Your own questions, with the units that each maps to, are
    -m 'qaeval(questions=FILE)'; where nobody mapped a question, the answerer reads the units.
    """
    from gistmeter.cli.output import show_sheet
    from gistmeter.insight.question_coverage import measure_question_coverage
    from gistmeter.metrics.question.posing import parse_reference_questions
    from gistmeter.models.runtime.settings import use_settings
    from gistmeter.report.sheets.questions import coverage_sheet

    chosen = parse_reference_questions(metrics or [DEFAULT_METRICS])
    opened = o.open_run_files(run, None, references, None, language, units=units, fields=fields)
    with use_settings(o.runtime_settings(device=device, threads=threads)):
        coverages = measure_question_coverage(chosen, opened.examples())
    show_sheet(coverage_sheet(coverages), latex=latex, html=html, markdown=markdown, json=json)
