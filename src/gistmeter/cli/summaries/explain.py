"""`gistmeter explain`: why one summary scores as it does."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_documents, complete_metrics, complete_systems
from gistmeter.cli.door.files import READS
from gistmeter.cli.door.terminal import draw, tell


def explain(
    doc: Annotated[str, typer.Option("--doc", autocompletion=complete_documents, help="The document's id.")],
    system: Annotated[str, typer.Option("--system", autocompletion=complete_systems, help="The system's name.")],
    run: o.RunFiles = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="M,...",
            autocompletion=complete_metrics,
            help="Metrics to explain; default rouge2.",
        ),
    ] = None,
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    units: o.UnitFiles = None,
    weights: o.WeightFile = None,
    labels: o.LabelFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    markers: o.MarkerReading = "read",
    scores: Annotated[
        Path | None,
        typer.Option(help="A file of scores of this run: refuse a summary that has changed since it was scored."),
        READS,
    ] = None,
    no_cache: o.NoCache = False,
) -> None:
    """Show the evidence for a score: what matched, marked in both texts."""
    from gistmeter import api
    from gistmeter.report.evidence import evidence_view

    opened = o.open_run_files(
        run, summaries, references, documents, language, units=units, weights=weights, labels=labels, fields=fields
    ).with_markers(markers)
    explained = api.explain_summary(opened, doc, system, metrics or ["rouge2"], scores=scores, cache=not no_cache)
    for note in explained.notes:
        o.say(f"note: {note}")
    numbers = ", ".join(f"{name} {value:.4f}" for name, value in explained.scores.items())
    tell(f"{explained.example.name}: {numbers}")
    for evidence in explained.evidence.values():
        draw(evidence_view(evidence))
    if explained.unexplained:
        silent = ", ".join(explained.unexplained)
        o.say(f"no evidence to show for {silent}: such a metric gives its number alone")
