"""`gistmeter meta test`: does one metric agree with people better than another?"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m
from gistmeter.errors import GistmeterError


def hypothesis(
    file: m.File,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanName = None,
    level: m.Level = "system",
    coefficient: m.Coefficient = "kendall",
    kind: Annotated[Literal["permutation", "bootstrap", "williams"], typer.Option("--test", help="Which test.")] = (
        "permutation"
    ),
    method: m.Method = "both",
    alternative: Annotated[
        Literal["two-sided", "greater", "less"], typer.Option(help="For two metrics.")
    ] = "two-sided",
    correction: Annotated[
        Literal["bonferroni-metric", "bonferroni-all", "holm", "none"], typer.Option(help="For more than two metrics.")
    ] = "bonferroni-metric",
    permutations: o.Permutations = 1000,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Level of significance.")] = 0.05,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: m.FigureFile = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Test whether one metric agrees with people better: two metrics, or all pairs at once (thesis, Fig. 29)."""
    from gistmeter import stats
    from gistmeter.report import figures
    from gistmeter.report.sheets.meta import decision_rows, pair_sheet, test_sheet

    m.checked_figure(figure)
    matrices = m.opened(file, judgments, metric, units)
    judged = matrices.judged(human)
    names = list(metric or matrices.metrics)
    shared: Any = {"level": level, "coefficient": coefficient, "undefined": undefined}
    drawn: Any = {"method": method, "seed": seed, "workers": workers}
    if len(names) == 2:
        x, y, z = (matrices[name] for name in (*names, judged))
        if kind == "williams":
            result = stats.williams_test(x, y, z, alternative=alternative, **shared)
        elif kind == "bootstrap":
            result = stats.bootstrap_test(x, y, z, alternative=alternative, resamples=permutations, **drawn, **shared)
        else:
            result = stats.permutation_test(
                x, y, z, alternative=alternative, permutations=permutations, **drawn, **shared
            )
        m.show(pair_sheet(names, judged, result), latex=latex, markdown=markdown, json=json)
        return
    if kind != "permutation":
        raise GistmeterError(f"--test {kind} compares two metrics; name two, or test all pairs by permutation")
    table = stats.compare_all(
        {name: matrices[name] for name in names},
        matrices[judged],
        permutations=permutations,
        correction=correction,
        alpha=alpha,
        **drawn,
        **shared,
    )
    m.show(test_sheet(table, level, coefficient), latex=latex, markdown=markdown, json=json)
    m.draw(lambda: figures.decisions(decision_rows(table), title=f"{level} level, {coefficient}, {judged}"), figure)
