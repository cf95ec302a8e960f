"""`gistmeter probe optimise`: the summaries that a metric likes best."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.probe import options as p


def optimise(
    run: o.RunFiles = None,
    metric: p.ProbedMetric = None,
    output: p.ProbeOutput = None,
    sentences: Annotated[
        int | None,
        typer.Option("--sentences", "-k", min=1, help="Most sentences of a summary; default 3, with --words any."),
    ] = None,
    words: Annotated[
        int | None, typer.Option(min=1, help="Most words of a summary, so that length cannot explain its score.")
    ] = None,
    search: p.SearchWay = "greedy",
    beam: Annotated[int, typer.Option(min=1, help="Summaries that a beam keeps.")] = 4,
    shortlist: Annotated[
        int, typer.Option(min=1, help="Estimates scored at each step, for metrics that estimate (questions).")
    ] = 2,
    first_words: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="Only sentences that begin within the first N words."),
    ] = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    no_cache: o.NoCache = False,
    device: o.Device = None,
    threads: o.Threads = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Find the summaries that a metric without references likes best, made of sentences of the document.

    Shows their mean score beside those of the systems and of the references. Stopped with Ctrl-C, the same command
    goes on with the next document.
    """
    from gistmeter import probe
    from gistmeter.cli import output as out

    opened = o.open_run_files(run, None, references, documents, language, fields=fields)
    with out.share_progress("searching") as show_share, p.explain_stop(cache=not no_cache), o.notes_on_stderr():
        best = probe.optimise(
            opened,
            p.require_metric(metric),
            sentences=sentences,
            words=words,
            search=search,
            beam=beam,
            shortlist=shortlist,
            first_words=first_words,
            output=output,
            cache=not no_cache,
            progress=lambda done, total: show_share(done / total),
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    p.show_probe(best, output, latex=latex, html=html, markdown=markdown, json=json)
