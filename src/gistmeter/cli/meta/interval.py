"""`gistmeter meta interval` and `coverage`: how sure a correlation is, and how often intervals hold the truth."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m
from gistmeter.errors import ArgumentError


def interval(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanNames = None,
    group: m.GroupFields = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    fields: o.FieldMap = None,
    level: m.Levels = None,
    coefficient: m.Coefficient = "pearson",
    method: m.Method = "both",
    all_documents: m.AllDocuments = None,
    kind: Annotated[
        Literal["percentile", "bca", "fisher"], typer.Option("--interval", help="How the interval is made.")
    ] = "percentile",
    resamples: o.Resamples = 1000,
    confidence: o.Confidence = 0.95,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Confidence intervals of the correlations of metrics with people, on judged or on all documents.

    The methods are those of Deutsch (2022), section 7.3.
    """
    from gistmeter import meta

    output.check_figure(figure)
    study = m.open_study(files, judgments, metric, units, lower, higher, human, group, fields=fields)
    shared = {
        "metrics": metric,
        "aspect": m.single_human(human),
        "coefficient": coefficient,
        "interval": kind,
        "method": method,
        "resamples": resamples,
        "confidence": confidence,
        "undefined": undefined,
        "seed": seed,
        "workers": workers,
    }
    if all_documents is not None:
        if group or m.level_names(level) not in (("system", "summary"), ("system",)) or kind == "fisher":
            raise ArgumentError(
                "`all_documents` goes with the system level and a bootstrap interval (`interval`), without `group`: "
                "systems have means over all documents, and summaries that nobody judged have nothing to agree with"
            )
        result = m.ask(meta.interval_all_documents, study, None, everything=all_documents, **shared)
    else:
        result = m.ask(meta.interval, study, group, level=m.level_names(level), **shared)
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)


def coverage(
    files: m.Files,
    metric: m.MetricName,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    human: m.HumanNames = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    level: m.Levels = None,
    coefficient: m.Coefficient = "pearson",
    trials: m.Trials = 1000,
    resamples: o.Resamples = 1000,
    confidence: o.Confidence = 0.95,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How often an interval from half of the data holds the correlation of the other half (Deutsch, 2022, Table 19)."""
    from gistmeter import meta

    chosen = m.single_metric(metric)
    study = m.open_study(files, judgments, [chosen], units, lower, higher, human, fields=fields)
    with output.progress_bar("splitting") as progress:
        result = meta.coverage(
            study,
            metric=chosen,
            aspect=m.single_human(human),
            level=m.level_names(level),
            coefficient=coefficient,
            trials=trials,
            resamples=resamples,
            confidence=confidence,
            undefined=undefined,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
