"""`gistmeter rank`: the leaderboard, with intervals and groups of systems that do not differ."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o


def rank(
    scores: o.ScoreFiles,
    column: o.Columns = None,
    lower: o.Lower = None,
    higher: o.Higher = None,
    every: o.Every = False,
    seed: o.Seed = 0,
    resamples: o.Resamples = 1000,
    permutations: o.AutoPermutations = None,
    confidence: o.Confidence = 0.95,
    table: o.TrustTable = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="FIELD", help="Show systems by a field of the run, e.g. system_type.")
    ] = None,
    trust_origin: o.TrustOrigin = False,
    points: o.Points = False,
    names: Annotated[
        str | None, typer.Option("--names", metavar="A,B,...", help="What to call the scores, in their order.")
    ] = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Rank systems: means with bootstrap intervals, and letters for systems that do not differ significantly."""
    from gistmeter import api
    from gistmeter.cli.output import share_progress
    from gistmeter.metrics.spelling import split_list
    from gistmeter.ranking.stacking import read_stacked
    from gistmeter.ranking.trust import add_trust_to_ranking, read_tables
    from gistmeter.report.console import ranking_table
    from gistmeter.report.tables.board import BoardStyle

    tables = () if table is None else read_tables(table)
    read = read_stacked(scores)
    with share_progress("ranking") as progress:
        ranking = api.rank(
            read,
            columns=column,
            lower=lower or (),
            higher=higher or (),
            resamples=resamples,
            permutations=permutations,
            confidence=confidence,
            seed=seed,
            progress=progress,
        )
    if by is not None:
        ranking = api.add_sections(ranking, read, by, trust_origin=trust_origin)
    every = every or bool(column)
    o.show(
        add_trust_to_ranking(ranking, every=every, tables=tables, points=points and not json),
        ranking_table,
        BoardStyle(every=every, points=points, names=tuple(split_list(names)) if names else ()),
        latex=latex,
        html=html,
        markdown=markdown,
        json=json,
    )
