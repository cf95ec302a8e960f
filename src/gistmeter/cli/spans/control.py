"""`gistmeter spans control`: how many questions of marked spans summaries answer, and how long they are."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output as out
from gistmeter.cli.probe.options import explain_stop
from gistmeter.cli.spans import options as s


def control(
    run: s.DocumentRun = None,
    spans: s.SpanSource = None,
    k: Annotated[
        list[int] | None,
        typer.Option("-k", min=1, metavar="K", help="How many spans are marked; repeat. Default 1, 5, 10, 20."),
    ] = None,
    words: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Most words of the embedded summarizer; default as many as it takes."),
    ] = None,
    writers: Annotated[
        list[str] | None,
        typer.Option(
            "--writer", metavar="NAME", help="embedded, sentences, unmarked or lead3; repeat for more, default all."
        ),
    ] = None,
    models: Annotated[
        list[str] | None,
        typer.Option(
            "--model", metavar="NAME", help="Measure also a model taught with `gistmeter train summarizer`; repeat."
        ),
    ] = None,
    answerer: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Who answers: embedded, slots, or a model by name; repeat for a second judge of the same summaries.",
        ),
    ] = None,
    predictor: Annotated[
        str, typer.Option(metavar="FILE", help="Who predicts: embedded, or a file of `gistmeter train salience`.")
    ] = "embedded",
    figure: out.FigureFile = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    no_cache: o.NoCache = False,
    resamples: o.Resamples = 1000,
    seed: o.Seed = 0,
    threads: o.Threads = None,
    device: o.Device = None,
    json: o.AsJson = False,
    markdown: o.AsMarkdown = False,
    html: o.AsHtml = False,
    latex: o.AsLatex = False,
) -> None:
    """Say how many questions of marked spans summaries answer, and in how many words (Deutsch, 2022, Fig. 23).

    The embedded summarizer is compared with whole sentences, with itself without marks, with the first three sentences,
    and with the systems of the run. Stopped with Ctrl-C, the same command goes on where it was.
    """
    out.check_figure(figure)
    from gistmeter import summarize
    from gistmeter.report.sheets.spans import control_sheet

    opened = o.open_run_files(run, None, references, documents, language, fields=fields)
    with out.share_progress("asking") as show_share, explain_stop(cache=not no_cache), o.notes_on_stderr():
        measured = summarize.measure_control(
            opened,
            spans=spans or "predicted",
            k=k or summarize.DEFAULT_K,
            words=words,
            writers=writers or tuple(summarize.WRITERS),
            models=models or (),
            answerer=answerer or "embedded",
            predictor=predictor,
            cache=not no_cache,
            resamples=resamples,
            seed=seed,
            progress=lambda done, total: show_share(done / total),
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    out.show_sheet(control_sheet(measured), latex=latex, html=html, markdown=markdown, json=json)
    if figure is not None:
        from gistmeter.report.span_charts import draw_control

        out.draw_chart(lambda: draw_control(measured), figure)
