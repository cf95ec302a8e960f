"""`gistmeter spans label`: the phrases of documents that their references state."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.probe.options import explain_stop
from gistmeter.cli.spans import options as s


def label(
    run: s.DocumentRun = None,
    output: s.SpanOutput = None,
    method: Annotated[
        str, typer.Option(help="qa (questions that the reference answers), lexical, entities or sentences.")
    ] = "qa",
    reference: Annotated[
        Literal["first", "all"], typer.Option(help="Label against the first reference alone, or against all.")
    ] = "first",
    model: Annotated[str, typer.Option(metavar="NAME", help="Who answers questions: embedded, slots or a name.")] = (
        "embedded"
    ),
    no_cache: o.NoCache = False,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    threads: o.Threads = None,
    device: o.Device = None,
    json: o.AsJson = False,
    markdown: o.AsMarkdown = False,
    html: o.AsHtml = False,
    latex: o.AsLatex = False,
) -> None:
    """Find the phrases of documents that their references state: silver spans (Deutsch, 2022, sections 6.2 and 6.5).

    Stopped with Ctrl-C, the same command goes on where it was: questions and answers are kept.
    """
    from gistmeter import summarize
    from gistmeter.cli import output as out
    from gistmeter.report.sheets.spans import labels_sheet

    opened = o.open_run_files(run, None, references, documents, language, fields=fields)
    with out.share_progress("labelling") as show_share, explain_stop(cache=not no_cache), o.notes_on_stderr():
        labelled = summarize.label(
            opened,
            method=method,
            reference=reference,
            model=model,
            output=output,
            cache=not no_cache,
            progress=lambda done, total: show_share(done / total),
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    out.show_sheet(labels_sheet(labelled), latex=latex, html=html, markdown=markdown, json=json)
    if output is not None:
        o.say(f"spans written: {output}")
