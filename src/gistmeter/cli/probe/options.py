"""Options and endings that the commands of `gistmeter probe` share."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_metrics
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.cli.score import INTERRUPTED
from gistmeter.errors import GistmeterError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.probe import PickedAspect, Probe

ProbedMetric = Annotated[
    str | None,
    typer.Option(
        "--metric",
        "-m",
        metavar="METRIC",
        autocompletion=complete_metrics,
        help="The metric to probe, or one of its scores, such as simetrix.cosine.",
    ),
]
SearchWay = Annotated[
    Literal["greedy", "beam", "exact"],
    typer.Option(
        "--search",
        help="Add the best sentence; the same with a beam; or all summaries, for short documents or few words.",
    ),
]
ProbeOutput = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the probe here, as JSON lines."), WRITES_FILE
]


def require_metric(metric: str | None) -> str:
    """The metric that was named; that none was is an error."""
    if metric is None:
        raise GistmeterError("say which metric to probe, for example --metric js")
    return metric


@contextlib.contextmanager
def explain_stop(*, cache: bool) -> Iterator[None]:
    """Say after Ctrl-C that the same command goes on where it was."""
    try:
        yield
    except KeyboardInterrupt:
        outcome = "the same command goes on where it was" if cache else "nothing was kept (--no-cache)"
        o.say(f"gistmeter: stopped; {outcome}")
        raise typer.Exit(INTERRUPTED) from None


def show_probe(
    probe: Probe,
    output: Path | None,
    *,
    judged: Sequence[PickedAspect] = (),
    latex: bool,
    html: bool,
    markdown: bool,
    json: bool,
) -> None:
    """Show what a probe found, and say where it was written; JSON has what people judged beside it."""
    from gistmeter.cli.output import show_sheet
    from gistmeter.report.sheets.probe.standings import probe_sheet

    show_sheet(probe_sheet(probe, judged), latex=latex, html=html, markdown=markdown, json=json)
    if output is not None:
        o.say(f"probe written: {output}")
