"""`gistmeter probe attack`: which cheap changes of a summary a metric rewards."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_metrics
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.cli.meta import options as m
from gistmeter.cli.run_files import NO_FILES, RunFiles, take_run_files


@take_run_files
def attack(
    run: o.RunFiles = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            *("--metric", "-m"), metavar="M,...", autocompletion=complete_metrics, help="Metrics to attack; required."
        ),
    ] = None,
    attacks: Annotated[
        list[str] | None,
        typer.Option(
            *("--attack", "-a"),
            metavar="NAME,...",
            help="Attacks: pad, stuff, repeat, copy, empty, word, keywords, shuffle, other, html, prompt; default all.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the effects here, as JSON lines."),
        WRITES_FILE,
    ] = None,
    systems: Annotated[
        list[str] | None, typer.Option("--system", help="Attack summaries of this system alone; repeat for more.")
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, metavar="N", help="Draw so many documents; default all.")] = None,
    every: o.Every = False,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    resamples: o.Resamples = 1000,
    confidence: o.Confidence = 0.95,
    seed: o.Seed = 0,
    files: RunFiles = NO_FILES,
    device: o.Device = None,
    threads: o.Threads = None,
    no_cache: o.NoCache = False,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Attack metrics with changes that no reader would want, and say which of them raise the score, and by how much.

    Summaries are padded, stuffed, repeated, replaced by the document, by one word or by nothing, shuffled, exchanged,
    wrapped in HTML and followed by orders to a language model. Metrics that compare with references can be attacked,
    too. A file called SCORES.probe-NAME.jsonl (-o) beside a file of scores is shown in its report.
    """
    from gistmeter import probe
    from gistmeter.cli.door.terminal import tell_json
    from gistmeter.cli.output import show_sheet
    from gistmeter.cli.score import progress_bar
    from gistmeter.errors import GistmeterError
    from gistmeter.metrics.spelling import split_list
    from gistmeter.report.sheets.probe.attacks import attacks_sheet
    from gistmeter.scoring.inputs import label_metrics

    if not metrics:
        raise GistmeterError("say which metric to attack: --metric js")
    o.choose_form(latex=latex, html=html, markdown=markdown, json=json)
    labelled = label_metrics(metrics)  # refuse a wrong name before any long work
    opened = files.open_run(run)
    if output is not None:
        probe.check_attacks_path(output, opened.input_files)
    with progress_bar() as progress, o.notes_on_stderr():
        effects = probe.attack(
            opened,
            labelled,
            attacks=[name for text in attacks for name in split_list(text)] if attacks else None,
            systems=systems,
            sample=sample,
            lower=lower or (),
            higher=higher or (),
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            cache=not no_cache,
            progress=progress,
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    if output is not None:
        probe.write_attacks(effects, output)
        o.say(f"attacks: {output}")
    if json:
        tell_json(effects.to_json())
    else:
        show_sheet(attacks_sheet(effects, every=every), latex=latex, html=html, markdown=markdown, json=False)
