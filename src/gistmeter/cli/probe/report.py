"""`gistmeter probe report`: what metrics like, what people wrote by them, which attacks work, and the verdicts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_metrics
from gistmeter.cli.door.files import READS, WRITES_FILE
from gistmeter.cli.probe import options as p
from gistmeter.cli.run_files import NO_FILES, RunFiles, take_run_files

DEFAULT_PAGE = Path("probe.html")


@take_run_files
def report(
    run: o.RunFiles = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            *("--metric", "-m"),
            metavar="M,...",
            autocompletion=complete_metrics,
            help="Metrics, or scores of them such as simetrix.cosine; those that need references are attacked alone.",
        ),
    ] = None,
    probes: Annotated[
        list[Path] | None,
        typer.Option("--probe", metavar="FILE", help="What `probe` commands wrote: not made again; repeat for more."),
        READS,
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write the page; default probe.html, nowhere with --json."),
        WRITES_FILE,
    ] = None,
    against: Annotated[
        str, typer.Option(metavar="METRIC", help="The score with references that all are held against.")
    ] = "rouge2",
    sentences: Annotated[
        int | None,
        typer.Option("--sentences", "-k", min=1, help="Most sentences of optimised summaries; default 3."),
    ] = None,
    words: Annotated[int | None, typer.Option(min=1, help="Most words of optimised summaries.")] = None,
    search: p.SearchWay = "greedy",
    attacks: Annotated[
        list[str] | None,
        typer.Option(*("--attack", "-a"), metavar="NAME,...", help="Attacks to try; default all."),
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, metavar="N", help="Draw so many documents; default all.")] = None,
    title: Annotated[str, typer.Option(help="Title of the page.")] = "gistmeter probe",
    json: o.AsJson = False,
    seed: o.Seed = 0,
    confidence: o.Confidence = 0.95,
    resamples: o.Resamples = 1000,
    no_cache: o.NoCache = False,
    files: RunFiles = NO_FILES,
    device: o.Device = None,
    threads: o.Threads = None,
) -> None:
    """Write one HTML page that says how far each metric can be pleased without a better summary.

    For each score: what it gives to the systems, to the references and to summaries made for it, beside a score with
    references; how many systems it puts above the references; whether it is a comparison with its own favourites;
    which attacks work; and a verdict in words. Stopped with Ctrl-C, the same command goes on where it was.
    """
    from gistmeter import probe
    from gistmeter.cli import output as out
    from gistmeter.cli.door.terminal import tell_json
    from gistmeter.errors import ArgumentError, GistmeterError
    from gistmeter.io.atomic import check_output
    from gistmeter.metrics.spelling import split_list
    from gistmeter.report.page.probes.write import write_probe_page
    from gistmeter.report.sheets.probe.findings import findings_sheet

    if not metrics and not probes:
        raise GistmeterError("say which metric to probe (--metric js), or give files of probes (--probe)")
    page = output or (None if json else DEFAULT_PAGE)
    opened = files.open_run(run)
    if page is not None:
        check_output(page, [*opened.input_files, *map(str, probes or [])])
    with out.share_progress("probing") as show_share, p.explain_stop(cache=not no_cache), o.notes_on_stderr():
        findings = probe.report(
            opened,
            metrics or (),
            probes=probes or (),
            against=against,
            sentences=sentences,
            words=words,
            search=search,
            attacks=[name for text in attacks for name in split_list(text)] if attacks else None,
            sample=sample,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            cache=not no_cache,
            progress=show_share,
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    if page is not None:
        write_probe_page(findings, page, title=title, word_note=lambda note: o.use_flags(ArgumentError(note)))
    if json:
        tell_json(findings.to_json())
    else:
        out.show_sheet(findings_sheet(findings), latex=False, html=False, markdown=False, json=False)
    if page is not None:
        o.say(f"probe report: {page}")
