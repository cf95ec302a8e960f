"""`gistmeter units judge`: which units each summary states, by machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import WRITES_FILE

Outputs = Annotated[
    str,
    typer.Option(
        "--outputs",
        metavar="A/B/C",
        help="What the outputs of --model mean, where it does not say, such as contradiction/neutral/entailment.",
    ),
]


def judge(
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Write the run with its judged units here (.jsonl)."), WRITES_FILE
    ],
    run: o.RunFiles = None,
    units: o.UnitFiles = None,
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    model: Annotated[
        str, typer.Option(help="Who judges: embedded, embedded-nli, or an entailment model by name or folder.")
    ] = "embedded",
    outputs: Outputs = "auto",
    device: o.Device = None,
    threads: o.Threads = None,
    allow_pickle: o.AllowPickle = False,
    value: Annotated[
        Literal["auto", "p2c", "l2c", "p3c", "l3c"], typer.Option(help="What counts: auto, p2c, l2c, p3c or l3c.")
    ] = "auto",
) -> None:
    """Judge for every summary of a run which content units it states.

    Writes the run with `present` and the judge's number for each unit, each judged by itself; where people had labelled
    units, says how often the two agree. `litepyramid` scores what it wrote.
    """
    from gistmeter.cli.output import progress_bar
    from gistmeter.report.tables.numbers import format_count
    from gistmeter.units.judge import UnitJudge
    from gistmeter.units.judged_run import judge_run

    runtime = o.runtime_settings(device=device, threads=threads, allow_pickle=allow_pickle)
    opened = o.open_run_files(run, None, references, None, language, units=units, fields=fields)
    with progress_bar("judging") as progress:
        judged = judge_run(
            opened.examples(),
            UnitJudge(model, value, outputs),
            output=output,
            progress=progress,
            runtime=runtime,
        )
    o.say(f"{format_count(judged.judgments, 'judgment')} written: {output}")
    agreement = judged.agreement
    if agreement is not None:
        labels = format_count(agreement.labels, "label")
        o.say(f"agrees with people on {agreement.share:.1%} of {labels} (kappa {agreement.kappa:.3f})")
