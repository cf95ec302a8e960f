"""`gistmeter meta folds`: how well scores agree with people, fold by fold."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def folds(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanNames = None,
    by: Annotated[
        Literal["documents", "systems"], typer.Option(help="Whether folds are of documents or of systems.")
    ] = "documents",
    folds: Annotated[
        str, typer.Option(metavar="FILE|N", help="A file of folds (by_documents, by_systems), or how many to draw.")
    ] = "5",
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    level: m.Levels = None,
    coefficient: m.Coefficients = None,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Correlate scores with a judgment within folds, and average (Zhang and Bansal, 2021, Tables 1 and 4).

    Scores by models that were trained on the other folds and scores that nobody trained are then compared on the same
    footing. `gistmeter train presence` and `train entailment` take the same --folds.
    """
    from gistmeter import meta

    result = meta.folds(
        m.open_study(files, judgments, metric, units, lower, higher, human, fields=fields),
        metrics=metric,
        aspect=m.single_human(human),
        folds=int(folds) if folds.isdecimal() else folds,
        by=by,
        level=m.level_names(level),
        coefficient=m.choice_names(coefficient, default=("pearson", "spearman")),
        undefined=undefined,
        seed=seed,
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
