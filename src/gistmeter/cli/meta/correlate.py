"""`gistmeter meta correlate`: how well scores agree with people."""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m


def correlate(
    file: m.File,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    human: m.HumanName = None,
    level: m.Levels = None,
    coefficient: m.Coefficients = None,
    undefined: m.UndefinedPolicy = "drop",
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Correlate scores with a judgment, at any level and by any coefficient."""
    from gistmeter.report.sheets.meta import correlation_sheet

    matrices = m.opened(file, judgments, metric, units)
    sheet = correlation_sheet(
        matrices,
        metrics=metric or matrices.metrics,
        human=matrices.judged(human),
        levels=m.levels(level),
        coefficients=coefficient or ["pearson", "spearman", "kendall"],
        undefined=undefined,
    )
    m.show(sheet, latex=latex, markdown=markdown, json=json)
