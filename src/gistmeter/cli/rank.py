"""`gistmeter rank`: the leaderboard, with intervals and groups of systems that do not differ."""

from __future__ import annotations

from gistmeter.cli import options as o


def rank(
    scores: o.ScoreFile,
    column: o.Columns = None,
    every: o.Every = False,
    seed: o.Seed = 0,
    resamples: o.Resamples = 1000,
    permutations: o.AutoPermutations = None,
    confidence: o.Confidence = 0.95,
    table: o.TrustTable = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Rank systems: means with bootstrap intervals, and letters for systems that do not differ significantly."""
    from gistmeter import api
    from gistmeter.ranking.trust import add_trust_to_ranking, read_tables
    from gistmeter.report.console import ranking_table
    from gistmeter.scores import Scores

    tables = () if table is None else read_tables(table)
    ranking = api.rank(
        Scores.read(scores),
        columns=column,
        resamples=resamples,
        permutations=permutations,
        confidence=confidence,
        seed=seed,
    )
    every = every or bool(column)
    o.show(
        add_trust_to_ranking(ranking, every=every, tables=tables),
        ranking_table,
        every=every,
        latex=latex,
        html=html,
        markdown=markdown,
        json=json,
    )
