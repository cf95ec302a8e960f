"""`gistmeter meta references`: do more references help?"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m


def references(
    file: m.File,
    metric: m.MetricName,
    units: m.UnitFiles = None,
    human: m.HumanName = None,
    combine: Annotated[
        Literal["mean", "max"], typer.Option(help="How scores against several references join.")
    ] = "mean",
    level: m.Levels = None,
    coefficient: m.Coefficient = "pearson",
    trials: m.Trials = 30,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: m.FigureFile = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Correlation against the number of references (Fig. 35), for a run whose records have several."""
    from gistmeter import stats
    from gistmeter.meta.evaluation import reference_matrices
    from gistmeter.report import figures
    from gistmeter.report.sheets.planning import reference_rows, reference_sheet

    m.checked_figure(figure)
    matrices, by_reference = reference_matrices(file, metric, units=units or ())
    judged = matrices.judged(human)
    found = [
        stats.reference_curve(
            by_reference,
            matrices[judged],
            combine=combine,
            level=one,
            coefficient=coefficient,
            undefined=undefined,
            trials=trials,
            seed=seed,
            workers=workers,
        )
        for one in m.levels(level)
    ]
    m.show(reference_sheet(found, metric, judged), latex=latex, markdown=markdown, json=json)
    title = f"{metric} with {judged} by the number of references"
    m.draw(lambda: figures.curves(reference_rows(found), title=title, x="references", y=coefficient), figure)
