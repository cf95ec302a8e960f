"""`gistmeter spans predict`: the phrases of documents that a reference would most likely state."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.spans import options as s


def predict(
    run: s.DocumentRun = None,
    output: s.SpanOutput = None,
    k: s.SpanCount = 20,
    model: Annotated[
        str, typer.Option(metavar="FILE", help="embedded, or a file that `gistmeter train salience` wrote.")
    ] = "embedded",
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    json: o.AsJson = False,
    markdown: o.AsMarkdown = False,
    html: o.AsHtml = False,
    latex: o.AsLatex = False,
    threads: o.Threads = None,
    device: o.Device = None,
) -> None:
    """Predict the noun phrases of documents that a reference would most likely state, without references."""
    from gistmeter import summarize
    from gistmeter.cli import output as out
    from gistmeter.report.sheets.spans import labels_sheet

    opened = o.open_run_files(run, None, None, documents, language, fields=fields)
    with out.share_progress("predicting") as show_share, o.notes_on_stderr():
        predicted = summarize.predict(
            opened,
            k=k,
            model=model,
            output=output,
            progress=lambda done, total: show_share(done / total),
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    out.show_sheet(labels_sheet(predicted), latex=latex, html=html, markdown=markdown, json=json)
    if output is not None:
        o.say(f"spans written: {output}")
