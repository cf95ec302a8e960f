"""`gistmeter explain`: why one summary scores as it does."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o


def explain(
    doc: Annotated[str, typer.Option("--doc", help="The document's id.")],
    system: Annotated[str, typer.Option("--system", help="The system's name.")],
    run: o.RunFiles = None,
    metrics: Annotated[
        list[str] | None, typer.Option("--metrics", "-m", help="Metrics to explain; default rouge2.", metavar="M,...")
    ] = None,
    summaries: o.SummaryFiles = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    units: o.UnitFiles = None,
    labels: o.LabelFiles = None,
    language: o.Language = None,
    no_cache: o.NoCache = False,
) -> None:
    """Show the evidence for a score: what matched, marked in both texts."""
    from gistmeter import api
    from gistmeter.report.console import evidence_view

    opened = o.open_run_files(run, summaries, references, documents, language, units=units, labels=labels).rereadable()
    example = api.find_example(opened, doc, system)
    asked = api.fit_metrics(opened, metrics or ["rouge2"])
    with o.notes_on_stderr():
        scores = api.score([example], asked, cache=not no_cache)
    evidence = api.explain(example, asked, cache=not no_cache)
    console = o.console()
    numbers = {column.name: scores.table[column.name][0] for column in scores.columns if not column.parts}
    typer.echo(o.harmless(f"{example.name}: ") + ", ".join(f"{name} {value:.4f}" for name, value in numbers.items()))
    for explanation in evidence.values():
        console.print(evidence_view(explanation))
    silent = [label for label in api.labels(asked) if label not in evidence]
    if silent:
        o.say(f"no evidence to show for {', '.join(silent)}: such a metric gives its number alone")
