"""`gistmeter meta correlate` and `table`: how well scores agree with people, and which agree best."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def correlate(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanNames = None,
    group: m.GroupFields = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    level: m.Levels = None,
    coefficient: m.AgreementCoefficients = None,
    undefined: m.UndefinedPolicy = "drop",
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Correlate scores with a judgment, at any level and by any coefficient."""
    from gistmeter import meta

    result = m.ask(
        meta.correlate,
        m.open_study(files, judgments, metric, units, lower, higher, human, group, fields=fields),
        group,
        metrics=metric,
        aspect=human,
        level=m.level_names(level),
        coefficient=m.choice_names(coefficient, default=("pearson", "spearman", "kendall")),
        undefined=undefined,
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)


def table(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanNames = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    level: m.Levels = None,
    coefficient: m.Coefficients = None,
    method: m.SwapMethod = None,
    correction: m.Correction = "bonferroni-metric",
    undefined: m.UndefinedPolicy = "drop",
    permutations: o.Permutations = 1000,
    alpha: m.Alpha = 0.05,
    baseline: Annotated[
        str | None,
        typer.Option("--baseline", metavar="NAME", help="Test each metric against this one; adds intervals, too."),
    ] = None,
    intervals: Annotated[
        bool | None, typer.Option("--intervals/--no-intervals", help="A confidence interval for each correlation.")
    ] = None,
    resamples: o.Resamples = 1000,
    confidence: o.Confidence = 0.95,
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    csv: o.AsCsv = False,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Set metrics side by side at all levels: the best in bold, what a test does not tell from it underlined.

    These are Tables 10 and 11 of Deutsch's thesis (2022): a column for each level and coefficient. The tests are those
    of `meta test`. With --baseline, a row for each metric, level and coefficient: value, interval, and p against it.
    """
    from gistmeter import meta
    from gistmeter.errors import GistmeterError

    form = o.choose_form(latex=latex, html=html, markdown=markdown, json=json)
    if csv and form:
        raise GistmeterError(f"choose one of --csv and --{form}")
    output.check_figure(figure)
    result = meta.table(
        m.open_study(files, judgments, metric, units, lower, higher, human, fields=fields),
        metrics=metric,
        aspect=m.single_human(human),
        level=m.level_names(level),
        coefficient=m.choice_names(coefficient, default=("pearson", "spearman", "kendall")),
        method=method or "scaled-systems",
        correction=correction,
        permutations=permutations,
        alpha=alpha,
        baseline=baseline,
        intervals=intervals,
        resamples=resamples,
        confidence=confidence,
        undefined=undefined,
        seed=seed,
        workers=workers,
    )
    if csv:
        output.show_csv(result)
    else:
        output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
