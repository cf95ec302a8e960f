"""`gistmeter probe rerank`: of given summaries the ones that a metric likes best."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import READS
from gistmeter.cli.probe import options as p


def rerank(
    run: o.RunFiles = None,
    metric: p.ProbedMetric = None,
    candidates: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Pick from these: records with a summary, or a list of them as candidates."),
        READS,
    ] = None,
    generate: Annotated[
        str | None,
        typer.Option(metavar="MODEL", help="Pick from summaries by this summarizer: a sequence-to-sequence model."),
    ] = None,
    beams: Annotated[int, typer.Option(min=1, help="Summaries that it writes of each document.")] = 16,
    judgments: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="What people gave to the summaries of the run; may be the run itself."),
        READS,
    ] = None,
    output: p.ProbeOutput = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    no_cache: o.NoCache = False,
    device: o.Device = None,
    threads: o.Threads = None,
    allow_pickle: o.AllowPickle = False,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Pick for each document the summary that a metric without references likes best.

    From the systems' own summaries, from a file of candidates, or from the beams of a summarizer. With --judgments
    also shows what people gave to the picks, beside the mean of the pool and the best possible.
    """
    from gistmeter import probe
    from gistmeter.cli import output as out
    from gistmeter.report.sheets.probe.picks import picks_sheet

    opened = o.open_run_files(run, None, references, documents, language, fields=fields) if run else None
    with out.share_progress("picking") as show_share, p.explain_stop(cache=not no_cache), o.notes_on_stderr():
        reranking = probe.rerank(
            opened,
            p.require_metric(metric),
            candidates=candidates,
            generate=generate,
            beams=beams,
            judgments=judgments,
            output=output,
            cache=not no_cache,
            progress=lambda done, total: show_share(done / total),
            runtime=o.runtime_settings(device=device, threads=threads, allow_pickle=allow_pickle),
        )
    forms = {"latex": latex, "html": html, "markdown": markdown}
    p.show_probe(reranking.probe, output, judged=reranking.aspects, **forms, json=json)
    if reranking.aspects and not json:
        out.show_sheet(picks_sheet(reranking), **forms, json=False)
