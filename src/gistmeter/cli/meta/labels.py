"""`gistmeter meta labels`: how well scores tell yes from no."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.door.files import READS
from gistmeter.cli.meta import options as m


def labels(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanNames = None,
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    coefficient: Annotated[
        Literal["auc", "balanced-accuracy", "both"], typer.Option("--coefficient", help="What is measured.")
    ] = "both",
    positive: Annotated[
        float | None, typer.Option(metavar="VALUE", help="A judgment of at least this counts as 1, others as 0.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(metavar="SCORE", help="A score of at least this is a yes, for balanced accuracy.")
    ] = None,
    development: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Documents, one a line, that choose thresholds instead."), READS
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Without these, folds of documents that choose thresholds.")] = 5,
    method: m.Method = "documents",
    resamples: o.Resamples = 1000,
    confidence: o.Confidence = 0.95,
    permutations: o.Permutations = 1000,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Level of significance of the tests.")] = 0.05,
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Measure how well scores tell good summaries from bad ones, where people say yes or no (as for consistency)."""
    from gistmeter import meta

    output.check_figure(figure)
    result = meta.labels(
        m.open_study(files, judgments, metric, units, lower, higher, human, fields=fields),
        metrics=metric,
        aspect=m.single_human(human),
        coefficient=("auc", "balanced-accuracy") if coefficient == "both" else coefficient,
        positive=positive,
        threshold=threshold,
        development=development,
        folds=folds,
        method=method,
        resamples=resamples,
        confidence=confidence,
        permutations=permutations,
        alpha=alpha,
        seed=seed,
        workers=workers,
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
