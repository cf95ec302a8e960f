"""`gistmeter probe direct`: what a metric's own model writes."""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli.probe import options as p


def direct(
    run: o.RunFiles = None,
    metric: p.ProbedMetric = None,
    output: p.ProbeOutput = None,
    no_cache: o.NoCache = False,
    device: o.Device = None,
    threads: o.Threads = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Have a metric's own model write the summaries, for metrics that have one."""
    from gistmeter import probe
    from gistmeter.cli import output as out

    opened = o.open_run_files(run, None, references, documents, language, fields=fields)
    with out.share_progress("writing") as show_share, p.explain_stop(cache=not no_cache), o.notes_on_stderr():
        written = probe.direct(
            opened,
            p.require_metric(metric),
            output=output,
            cache=not no_cache,
            progress=lambda done, total: show_share(done / total),
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    p.show_probe(written, output, latex=latex, html=html, markdown=markdown, json=json)
