"""`gistmeter meta normality`: may a test assume normal scores?"""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m


def normality(
    file: m.File,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    level: m.Levels = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Shapiro-Wilk tests of scores and judgments (Table 22)."""
    from gistmeter import stats
    from gistmeter.report.sheets.meta import normality_sheet

    matrices = m.opened(file, judgments, metric, units)
    names = [*(metric or matrices.metrics), *matrices.human]
    found = {(name, one): stats.normality(matrices[name], level=one) for name in names for one in m.levels(level)}
    m.show(normality_sheet(found), latex=latex, markdown=markdown, json=json)
