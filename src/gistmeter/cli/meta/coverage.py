"""`gistmeter meta coverage`: how often intervals hold the truth."""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m


def coverage(
    file: m.File,
    metric: m.MetricName,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    human: m.HumanName = None,
    level: m.Levels = None,
    coefficient: m.Coefficient = "pearson",
    trials: m.Trials = 1000,
    resamples: o.Resamples = 1000,
    confidence: o.Confidence = 0.95,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Share of intervals on one half of the data that hold the correlation of the other half (Table 19)."""
    from gistmeter import stats
    from gistmeter.report.sheets.meta import coverage_sheet

    matrices = m.opened(file, judgments, [metric], units)
    judged = matrices.judged(human)
    found = []
    for one in m.levels(level):
        with m.progress(f"{one} level") as progress:
            found.append(
                stats.coverage(
                    matrices[metric],
                    matrices[judged],
                    level=one,
                    coefficient=coefficient,
                    trials=trials,
                    resamples=resamples,
                    confidence=confidence,
                    undefined=undefined,
                    seed=seed,
                    workers=workers,
                    progress=progress,
                )
            )
    m.show(coverage_sheet(found, metric, judged), latex=latex, markdown=markdown, json=json)
