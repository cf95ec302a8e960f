"""`gistmeter meta stability`: how much would other documents change the ranking?"""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def stability(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    coefficient: m.Coefficient = "kendall",
    trials: m.Trials = 1000,
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How much the means of systems vary with the documents, and how alike rankings on other documents are.

    See Deutsch (2022), Fig. 30 and 31.
    """
    from gistmeter import meta

    output.check_figure(figure)
    study = m.open_study(files, judgments, metric, units, fields=fields)
    with output.progress_bar("ranking") as progress:
        result = meta.stability(
            study,
            metrics=metric,
            coefficient=coefficient,
            trials=trials,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
