"""`gistmeter meta pairs`: agreement on the pairs of systems that people really compare."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def pairs(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanNames = None,
    all_documents: m.AllDocuments = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    coefficient: Annotated[Literal["pearson", "spearman", "kendall"], typer.Option(help="Of the curve.")] = "kendall",
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap resamples for bands; 0 for none.")] = 0,
    permutations: o.Permutations = 1000,
    seed: o.Seed = 0,
    heat: Annotated[bool, typer.Option("--heat", help="Draw agreement by the smallest and largest gap.")] = False,
    gap_from: Annotated[
        str | None, typer.Option("--from", metavar="GAP", help="Only pairs this far apart: 0.5, or 20% of the pairs.")
    ] = None,
    gap_to: Annotated[
        str | None,
        typer.Option("--to", metavar="GAP", help="Only pairs at most so far apart: 2, or 50% of the pairs."),
    ] = None,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How often metrics put two systems in the order of people: all pairs, significant ones, and the closest.

    Accuracy is given plain, for significant pairs only, with calibrated ties, and soft; see Deutsch (2022), Fig. 34.
    """
    from gistmeter import meta

    output.check_figure(figure)
    result = meta.pairs(
        m.open_study(files, judgments, metric, units, lower, higher, human, fields=fields),
        everything=all_documents,
        metrics=metric,
        aspect=m.single_human(human),
        coefficient=coefficient,
        resamples=resamples,
        permutations=permutations,
        heatmap=heat,
        gap_from=gap_from,
        gap_to=gap_to,
        seed=seed,
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
