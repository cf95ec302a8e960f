"""`gistmeter meta normality`: may a test assume normal scores?"""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def normality(
    files: m.Files,
    judgments: m.JudgmentFile = None,
    fields: o.FieldMap = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    level: m.Levels = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Test whether scores and judgments are normally distributed, as Williams' test assumes (Shapiro-Wilk)."""
    from gistmeter import meta

    study = m.open_study(files, judgments, metric, units, fields=fields)
    result = meta.normality(study, metrics=metric, level=m.level_names(level))
    output.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
