"""`gistmeter meta plan`: how much must be judged?"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m
from gistmeter.errors import GistmeterError


def plan(
    file: m.File,
    metric: m.MetricNames = None,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    human: m.HumanName = None,
    width: Annotated[float | None, typer.Option(help="Goal: an interval of this width.")] = None,
    difference: Annotated[
        float | None, typer.Option(help="Goal: find a difference of this size in correlation.")
    ] = None,
    reliability: Annotated[float | None, typer.Option(help="Goal: raters whose means agree this well.")] = None,
    power: Annotated[float, typer.Option(min=0.1, max=0.99, help="How often a difference must be found.")] = 0.8,
    unit: Annotated[Literal["documents", "systems"], typer.Option(help="What more of is planned.")] = "documents",
    level: m.Level = "summary",
    coefficient: m.Coefficient = "pearson",
    method: m.Method = "both",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: m.FigureFile = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How many documents, systems or raters are needed, from a pilot: give --width, --difference or --reliability.

    With two metrics and --difference left out, the difference that the pilot shows between them is the one to find.
    """
    from gistmeter import stats
    from gistmeter.meta.evaluation import rating_array
    from gistmeter.report import figures
    from gistmeter.report.sheets.planning import plan_rows, plan_sheet

    m.checked_figure(figure)
    shared: Any = {"level": level, "coefficient": coefficient, "method": method, "seed": seed, "workers": workers}
    if reliability is not None:
        if human is None:
            raise GistmeterError("say which judgment's raters to plan for with --human")
        ratings = rating_array(judgments or file, human)
        with m.progress("planning") as progress:
            found = stats.plan_raters(ratings, reliability=reliability, progress=progress, **shared)
    else:
        if not metric:
            raise GistmeterError("say which score to plan for with --metric")
        matrices = m.opened(file, judgments, metric, units)
        x, z = matrices[metric[0]], matrices[matrices.judged(human)]
        y = matrices[metric[1]] if len(metric) > 1 else None
        with m.progress("planning") as progress:
            if width is not None:
                found = stats.plan_width(x, z, width=width, unit=unit, progress=progress, **shared)
            elif difference is not None or y is not None:
                found = stats.plan_power(
                    x, z, y=y, difference=difference, power=power, unit=unit, progress=progress, **shared
                )
            else:
                raise GistmeterError("say what to plan for: --width, --difference (or two metrics), or --reliability")
    m.show(plan_sheet(found), latex=latex, markdown=markdown, json=json)
    title = f"{found.goal} by the number of {found.unit}"
    m.draw(lambda: figures.curves(plan_rows(found), title=title, x=found.unit, y=found.goal), figure)
