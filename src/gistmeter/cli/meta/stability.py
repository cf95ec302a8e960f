"""`gistmeter meta stability`: how much would other documents change the ranking?"""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m


def stability(
    file: m.File,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    metric: m.MetricNames = None,
    coefficient: m.Coefficient = "kendall",
    trials: m.Trials = 1000,
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: m.FigureFile = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Variance of system scores, and how alike two rankings by other documents are (Fig. 30, 31)."""
    from gistmeter import stats
    from gistmeter.report import figures
    from gistmeter.report.sheets.planning import stability_rows, stability_sheet

    m.checked_figure(figure)
    matrices = m.opened(file, judgments, metric, units)
    names = [*(metric or matrices.metrics), *matrices.human]
    found = {}
    for name in names:
        with m.progress(name) as progress:
            ranking = stats.ranking_stability(
                matrices[name], coefficient=coefficient, trials=trials, seed=seed, workers=workers, progress=progress
            )
        sizes = [point.size for point in ranking.points]
        spread = stats.score_spread(matrices[name], sizes=sizes, resamples=trials, seed=seed, workers=workers)
        found[name] = (ranking, spread)
    m.show(stability_sheet(found), latex=latex, markdown=markdown, json=json)
    title = f"how alike two rankings are ({coefficient}), each from so many documents"
    m.draw(lambda: figures.curves(stability_rows(found), title=title, x="documents", y=coefficient), figure)
