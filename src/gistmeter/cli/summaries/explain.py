"""`gistmeter explain`: why summaries score as they do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_documents, complete_metrics, complete_systems
from gistmeter.cli.door.files import READS, WRITES_FILE
from gistmeter.cli.door.terminal import draw, tell, tell_json
from gistmeter.cli.run_files import NO_FILES, RunAgain, RunFiles, take_run_files
from gistmeter.errors import ArgumentError

if TYPE_CHECKING:
    from gistmeter.scoring.explain import ExplainedSummary


@take_run_files
def explain(
    run: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCORES|RUN...", help="A file that `gistmeter score` wrote, or files of summaries, - for stdin."
        ),
    ] = None,
    doc: Annotated[
        list[str] | None,
        typer.Option("--doc", metavar="ID", autocompletion=complete_documents, help="The document's id; repeat."),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system", metavar="NAME", autocompletion=complete_systems, help="The system; repeat; default all."
        ),
    ] = None,
    worst: Annotated[
        int | None, typer.Option("--worst", min=1, metavar="N", help="So many that score worst by the first metric.")
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="M,...",
            autocompletion=complete_metrics,
            help="Metrics; default those of the scores, rouge2 of a run.",
        ),
    ] = None,
    moved_run: RunAgain = None,
    files: RunFiles = NO_FILES,
    markers: o.MarkerReading = "read",
    scores: Annotated[
        Path | None,
        typer.Option(help="A file of scores of this run: refuse a summary that has changed since it was scored."),
        READS,
    ] = None,
    trust_origin: o.TrustOrigin = False,
    allow_models: o.AllowModels = False,
    no_cache: o.NoCache = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write one HTML page here."), WRITES_FILE
    ] = None,
    json: o.AsJson = False,
) -> None:
    """Show the evidence for scores: what matched, marked in both texts.

    A file of scores knows its run and its metrics; where its files moved, --run, --summaries, --references and
    --documents say where they are.
    """
    from gistmeter import api
    from gistmeter.io.atomic import check_writable
    from gistmeter.scoring.inputs import read_given_scores

    if html is not None:
        check_writable(html)
    if not doc and worst is None:
        raise ArgumentError("say which summaries: --doc ID (with --system NAME), or --worst N")
    if doc and worst is not None:
        raise ArgumentError("--doc names summaries and --worst finds them: give one of the two")
    stored = read_given_scores(run[0]) if run and len(run) == 1 else None
    if stored is None:
        if moved_run:
            raise ArgumentError("--run says where the run of a file of scores is: name that file first")
        opened = files.open_run(run).with_markers(markers)
    explained = api.explain_summaries(
        opened if stored is None else stored,
        documents=doc or (),
        systems=system or (),
        worst=worst,
        metrics=metrics,
        scores=scores,
        moved=None if stored is None else files.list_moved(moved_run),
        trust_origin=trust_origin,
        allow_models=allow_models,
        cache=not no_cache,
    )
    for note in explained.notes:
        o.say(f"note: {o.use_flags(note)}")
    if json:
        tell_json(explained.to_json())
    else:
        for summary in explained.summaries:
            _show(summary)
        silent = dict.fromkeys(label for summary in explained.summaries for label in summary.unexplained)
        if silent:
            o.say(f"no evidence to show for {', '.join(silent)}: such a metric gives its number alone")
    if html is not None:
        from gistmeter.report.page.explained import write_explanations

        write_explanations(explained.summaries, explained.columns, html, notes=explained.notes)
        o.say(f"page: {html}")


def _show(explained: ExplainedSummary) -> None:
    """One summary with its scores and evidence on the terminal."""
    from gistmeter.report.evidence import evidence_view

    numbers = ", ".join(f"{name} {value:.4f}" for name, value in explained.scores.items())
    tell(f"{explained.example.name}: {numbers}")
    for evidence in explained.evidence.values():
        draw(evidence_view(evidence))
