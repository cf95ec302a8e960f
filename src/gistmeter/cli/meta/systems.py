"""`gistmeter meta systems`: where systems stand by metrics and by people."""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def systems(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanNames = None,
    all_documents: m.AllDocuments = None,
    resamples: o.Resamples = 1000,
    confidence: o.Confidence = 0.95,
    seed: o.Seed = 0,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Where systems stand by metrics and by people, on judged or on all documents (Deutsch, 2022, Fig. 33)."""
    from gistmeter import meta

    output.check_figure(figure)
    result = meta.systems(
        m.open_study(files, judgments, metric, units, human=human, fields=fields),
        everything=all_documents,
        metrics=metric,
        aspect=m.single_human(human),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_result(result, figure)
