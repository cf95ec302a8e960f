"""`gistmeter meta plan`: how much must be judged?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.human import options as h
from gistmeter.cli.meta import options as m

if TYPE_CHECKING:
    from gistmeter.judgments import Judgments


def plan(
    files: m.Files,
    metric: m.MetricNames = None,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    human: m.HumanNames = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    width: Annotated[float | None, typer.Option(help="Goal: an interval of this width.")] = None,
    difference: Annotated[
        float | None, typer.Option(help="Goal: find a difference of this size in correlation.")
    ] = None,
    reliability: Annotated[float | None, typer.Option(help="Goal: raters whose means agree this well.")] = None,
    power: Annotated[float, typer.Option(min=0.1, max=0.99, help="How often a difference must be found.")] = 0.8,
    alpha: m.Alpha = 0.05,
    alternative: Annotated[
        Literal["two-sided", "greater"], typer.Option(help="Of the test: do metrics differ, or is the first better?")
    ] = "two-sided",
    swapping: Annotated[
        Literal["scaled-systems", "systems", "documents", "both", "crossed"],
        typer.Option(help="What the permutation test will swap: --method of meta test."),
    ] = "scaled-systems",
    unit: Annotated[Literal["documents", "systems"], typer.Option(help="What more of is planned.")] = "documents",
    level: m.Level = "summary",
    coefficient: m.Coefficient = "pearson",
    method: m.Method = "both",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How many documents, systems or raters are needed, from a pilot: give --width, --difference or --reliability.

    With two metrics and --difference left out, the difference that the pilot shows between them is the one to find.
    """
    from gistmeter import meta

    output.check_figure(figure)
    # What raters agree on needs no scores: the file may hold judgments alone.
    judgments_alone = reliability is not None or not metric
    pilot: list[Path] | meta.Study = files
    people: Path | Judgments | None = None
    if judgments_alone:
        people = h.open_ratings(judgments or files[-1], fields)
    else:
        pilot = m.open_study(files, judgments, metric, units, lower, higher, human, fields=fields)
    with output.progress_bar("planning") as progress:
        result = meta.plan(
            pilot,
            people,
            metrics=metric,
            aspect=m.single_human(human),
            width=width,
            difference=difference,
            reliability=reliability,
            power=power,
            alpha=alpha,
            alternative=alternative,
            swapping=swapping,
            unit=unit,
            level=level,
            coefficient=coefficient,
            method=method,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
