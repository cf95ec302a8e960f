"""`gistmeter meta interval`: how sure a correlation is."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m


def interval(
    file: m.File,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanName = None,
    level: m.Levels = None,
    coefficient: m.Coefficient = "kendall",
    method: m.Method = "both",
    kind: Annotated[
        Literal["percentile", "bca", "fisher"], typer.Option("--interval", help="How the interval is made.")
    ] = "percentile",
    resamples: o.Resamples = 1000,
    confidence: o.Confidence = 0.95,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: m.FigureFile = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Confidence intervals of correlations (thesis, section 7.3 and Fig. 28)."""
    from gistmeter import stats
    from gistmeter.report import figures
    from gistmeter.report.sheets.meta import interval_sheet

    m.checked_figure(figure)
    matrices = m.opened(file, judgments, metric, units)
    judged = matrices[matrices.judged(human)]
    found = {}
    for name in metric or matrices.metrics:
        for one in m.levels(level):
            if kind == "fisher":
                found[name, one] = stats.fisher(
                    matrices[name],
                    judged,
                    level=one,
                    coefficient=coefficient,
                    confidence=confidence,
                    undefined=undefined,
                )
            else:
                found[name, one] = stats.bootstrap(
                    matrices[name],
                    judged,
                    level=one,
                    coefficient=coefficient,
                    method=method,
                    resamples=resamples,
                    confidence=confidence,
                    interval=kind,
                    undefined=undefined,
                    seed=seed,
                    workers=workers,
                )
    m.show(interval_sheet(found, seed=seed), latex=latex, markdown=markdown, json=json)
    rows = [
        {"name": name, "group": one, "value": row.value, "low": row.low, "high": row.high}
        for (name, one), row in found.items()
    ]
    m.draw(lambda: figures.intervals(rows, title=f"{coefficient} with {matrices.judged(human)}"), figure)
