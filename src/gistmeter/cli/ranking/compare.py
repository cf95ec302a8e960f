"""`gistmeter compare`: is one system better than another, and on which documents do they differ most?"""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o


def compare(
    scores: o.ScoreFile,
    system_a: Annotated[str, typer.Argument(metavar="SYSTEM_A")],
    system_b: Annotated[str, typer.Argument(metavar="SYSTEM_B")],
    column: o.Columns = None,
    every: o.Every = False,
    largest: Annotated[int, typer.Option(min=0, help="How many documents to show per score.")] = 5,
    seed: o.Seed = 0,
    resamples: o.Resamples = 1000,
    permutations: o.Permutations = 10_000,
    confidence: o.Confidence = 0.95,
    table: o.TrustTable = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Compare two systems: difference, interval and p-value per score, and the documents that differ most."""
    from gistmeter import api
    from gistmeter.ranking.trust import add_trust_to_comparison, read_tables
    from gistmeter.report.console import comparison_table
    from gistmeter.report.tables.board import BoardStyle
    from gistmeter.scores import Scores

    tables = () if table is None else read_tables(table)
    comparison = api.compare(
        Scores.read(scores),
        system_a,
        system_b,
        columns=column,
        resamples=resamples,
        permutations=permutations,
        confidence=confidence,
        seed=seed,
        largest=largest,
    )
    every = every or bool(column)
    o.show(
        add_trust_to_comparison(comparison, every=every, tables=tables),
        comparison_table,
        BoardStyle(every=every),
        latex=latex,
        html=html,
        markdown=markdown,
        json=json,
    )
