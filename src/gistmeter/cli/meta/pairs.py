"""`gistmeter meta pairs`: agreement on the pairs of systems that people really compare."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m


def pairs(
    file: m.File,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanName = None,
    coefficient: Annotated[Literal["pearson", "spearman", "kendall"], typer.Option(help="Of the curve.")] = "kendall",
    resamples: Annotated[int, typer.Option(min=0, help="Bootstrap resamples for bands; 0 for none.")] = 0,
    permutations: o.Permutations = 1000,
    seed: o.Seed = 0,
    heat: Annotated[bool, typer.Option("--heat", help="Draw the heat map over both bounds (Fig. 42).")] = False,
    figure: m.FigureFile = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Pairwise accuracy (plain, significant pairs only, tie-calibrated, soft) and the closest pairs (Fig. 34)."""
    from gistmeter import stats
    from gistmeter.report import figures
    from gistmeter.report.sheets.meta import curve_rows, heat_rows, pairs_sheet

    m.checked_figure(figure)
    matrices = m.opened(file, judgments, metric, units)
    judged = matrices.judged(human)
    names = list(metric or matrices.metrics)
    curves = {
        name: stats.closest_pairs_curve(
            matrices[name], matrices[judged], coefficient=coefficient, resamples=resamples, seed=seed
        )
        for name in names
    }
    sheet = pairs_sheet(matrices, names, judged, curves, permutations=permutations, seed=seed)
    m.show(sheet, latex=latex, markdown=markdown, json=json)
    title = f"{coefficient} on the closest pairs of systems, {judged}"
    if heat:
        maps = {name: stats.pairs_heatmap(matrices[name], matrices[judged], coefficient=coefficient) for name in names}
        m.draw(
            lambda: figures.side_by_side(
                [
                    figures.cells(heat_rows(one), title=name, x="up to this gap", y="from this gap", written=False)
                    for name, one in maps.items()
                ],
                title=title,
            ),
            figure,
        )
    else:
        m.draw(
            lambda: figures.curves(
                curve_rows(curves), title=title, x="share of pairs, the closest first (%)", y=f"{coefficient}"
            ),
            figure,
        )
