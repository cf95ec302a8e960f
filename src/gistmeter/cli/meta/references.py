"""`gistmeter meta references`: do more references help?"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def references(
    files: m.Files,
    metric: m.MetricName,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    human: m.HumanNames = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    combine: Annotated[
        Literal["mean", "max"], typer.Option(help="How scores against several references join.")
    ] = "mean",
    level: m.Levels = None,
    coefficient: m.Coefficient = "pearson",
    trials: m.Trials = 30,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How agreement with people grows with the number of references, for a run whose records have several.

    See Deutsch (2022), Fig. 35.
    """
    from gistmeter import meta

    output.check_figure(figure)
    result = meta.references(
        files,
        metric=m.single_metric(metric),
        aspect=m.single_human(human),
        combine=combine,
        level=m.level_names(level),
        coefficient=coefficient,
        trials=trials,
        undefined=undefined,
        seed=seed,
        workers=workers,
        lower=lower,
        higher=higher,
        units=units or (),
        fields=o.parse_fields(fields),
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
