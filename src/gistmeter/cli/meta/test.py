"""`gistmeter meta test`: does one metric agree with people better than another?"""

# ruff: noqa: PT028  (the function is the question `test`, not a test case)

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def test(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanNames = None,
    group: m.GroupFields = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    level: m.Level = "system",
    coefficient: m.Coefficient = "pearson",
    kind: Annotated[Literal["permutation", "bootstrap", "williams"], typer.Option("--test", help="Which test.")] = (
        "permutation"
    ),
    method: m.SwapMethod = None,
    alternative: m.Alternative = None,
    correction: m.Correction = "bonferroni-metric",
    permutations: o.Permutations = 1000,
    alpha: m.Alpha = 0.05,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Test whether one metric agrees with people better: two metrics, or all pairs at once (Deutsch, 2022, Fig. 29)."""
    from gistmeter import meta

    output.check_figure(figure)
    result = m.ask(
        meta.test,
        m.open_study(files, judgments, metric, units, lower, higher, human, group, fields=fields),
        group,
        metrics=metric,
        aspect=m.single_human(human),
        level=level,
        coefficient=coefficient,
        test=kind,
        method=method,
        alternative=alternative,
        correction=correction,
        permutations=permutations,
        alpha=alpha,
        undefined=undefined,
        seed=seed,
        workers=workers,
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
