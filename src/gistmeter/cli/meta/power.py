"""`gistmeter meta power`: how often a test finds a difference that is there."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def power(
    files: m.Files,
    metric: m.MetricName,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    human: m.HumanNames = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    level: m.Level = "system",
    coefficient: m.Coefficient = "pearson",
    trials: m.Trials = 200,
    permutations: o.Permutations = 1000,
    alpha: m.Alpha = 0.05,
    alternative: Annotated[
        Literal["greater", "two-sided"], typer.Option(help="Of the tests: is the metric better, or do the two differ?")
    ] = "greater",
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How often each test finds that a metric is better than worsened versions of it: the power of the tests.

    For rouge1 on a run, the worse versions keep a share of the tokens; otherwise noise is added.
    See Deutsch (2022), Fig. 27.
    """
    from gistmeter import meta

    output.check_figure(figure)
    chosen = m.single_metric(metric)
    study = m.open_study(files, judgments, [chosen], units, lower, higher, human, fields=fields)
    with output.progress_bar("simulating") as progress:
        result = meta.power(
            study,
            metric=chosen,
            aspect=m.single_human(human),
            level=level,
            coefficient=coefficient,
            trials=trials,
            permutations=permutations,
            alpha=alpha,
            alternative=alternative,
            undefined=undefined,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
