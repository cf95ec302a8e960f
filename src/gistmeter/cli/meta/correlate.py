"""`gistmeter meta correlate`: how well scores agree with people."""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def correlate(
    files: m.Files,
    judgments: m.JudgmentFile = None,
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
        m.open_study(files, judgments, metric, units, lower, higher, human, group),
        group,
        metrics=metric,
        aspect=human,
        level=m.level_names(level),
        coefficient=tuple(choice.value for choice in coefficient or ()) or ("pearson", "spearman", "kendall"),
        undefined=undefined,
    )
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
