"""`gistmeter annotate design`: a study folder from a run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.annotate.options import show_study
from gistmeter.cli.door.files import READS, WRITES_FOLDER


def design(
    run: Annotated[list[str], typer.Argument(metavar="RUN...", help="Files of summaries: .jsonl, .csv, .parquet.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where to make the study."), WRITES_FOLDER
    ],
    task: Annotated[
        str, typer.Option("--task", "-t", metavar="NAME", help="What people are asked; an unknown name lists all.")
    ] = "focus-coverage",
    documents: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many documents to draw; default all.")
    ] = None,
    systems: Annotated[
        str | None, typer.Option(metavar="A,B,...", help="Whose summaries are judged; default all.")
    ] = None,
    raters: Annotated[
        int | None, typer.Option(min=1, help="How many people judge each item; default 3, where units are written 1.")
    ] = None,
    per_assignment: Annotated[
        int, typer.Option(min=1, help="Items that a person does in one sitting, controls included.")
    ] = 100,
    controls: Annotated[
        int | None,
        typer.Option(min=0, help="How many of them are controls; default one in ten, where a task has them."),
    ] = None,
    least: Annotated[float, typer.Option(help="The share of controls to answer right, from 0 to 1.")] = 0.7,
    minutes: Annotated[
        float | None, typer.Option(min=0, help="The shortest time for an assignment; default by task.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the draws and orders: the same seed, the same study.")] = 0,
    title: Annotated[str | None, typer.Option(help="What raters see at the top; default the task's title.")] = None,
    interface: Annotated[
        str | None, typer.Option(metavar="xx", help="Language of the pages; default that of the summaries.")
    ] = None,
    words: Annotated[
        Path | None,
        typer.Option(
            "--instructions", metavar="FILE", help="Your own: a text, a line each, or .toml for any words of the pages."
        ),
        READS,
    ] = None,
    pay_per_hour: Annotated[float | None, typer.Option(min=0, help="What an hour of work costs, for the plan.")] = None,
    reference_file: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="References to join by document, where the run has none.")
    ] = None,
    document_file: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Documents to join, where the run has none.")
    ] = None,
    unit_file: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Content units to join, where the run has none.")
    ] = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Design a study: which summaries people judge, with which controls, in which order. Prints what it takes.

    How many documents and raters are needed is what `gistmeter meta plan` says. `gistmeter annotate serve` opens the
    pages.
    """
    from gistmeter.annotate import design_study, find_task
    from gistmeter.annotate.words import read_own_words

    source = find_task(task).read_source(run, language)
    if source is None:
        opened = o.open_run_files(run, None, reference_file, document_file, language, units=unit_file, fields=fields)
    plan = design_study(
        opened.examples() if source is None else source,
        task,
        output,
        documents=documents,
        systems=[name.strip() for name in (systems or "").split(",") if name.strip()],
        raters=raters,
        per_assignment=per_assignment,
        controls=controls,
        minutes=minutes,
        least=least,
        seed=seed,
        title=title,
        language=interface,
        words=read_own_words(words) if words else None,
        pay_per_hour=pay_per_hour,
    )
    show_study(plan, latex=latex, html=html, markdown=markdown, json=json)
    o.say(f"study: {output} (gistmeter annotate serve {output})")
