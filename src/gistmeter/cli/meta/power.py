"""`gistmeter meta power`: how often a test finds a difference that is there."""

from __future__ import annotations

from gistmeter.cli import options as o
from gistmeter.cli.meta import options as m


def power(
    file: m.File,
    metric: m.MetricName,
    judgments: m.JudgmentFile = None,
    units: m.UnitFiles = None,
    human: m.HumanName = None,
    level: m.Level = "system",
    coefficient: m.Coefficient = "kendall",
    trials: m.Trials = 200,
    permutations: o.Permutations = 1000,
    undefined: m.UndefinedPolicy = "drop",
    seed: o.Seed = 0,
    workers: m.Workers = 1,
    figure: m.FigureFile = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Power of the tests against worse versions of a metric (Fig. 27).

    For rouge1 on a run, the worse versions keep a share of the tokens, as in the thesis; otherwise noise is added.
    """
    from gistmeter import stats
    from gistmeter.meta.evaluation import thinned_versions
    from gistmeter.report import figures
    from gistmeter.report.sheets.meta import power_rows, power_sheet

    m.checked_figure(figure)
    matrices = m.opened(file, judgments, [metric], units)
    judged = matrices.judged(human)
    thinned = thinned_versions(file, metric, matrices)
    with m.progress("simulating") as progress:
        found = stats.power(
            thinned.whole if thinned else matrices[metric],
            matrices[judged],
            thinned.version if thinned else None,
            level=level,
            coefficient=coefficient,
            trials=trials,
            draws=permutations,
            undefined=undefined,
            seed=seed,
            workers=workers,
            progress=progress,
        )
    m.show(power_sheet(found, metric, judged), latex=latex, markdown=markdown, json=json)
    title = f"power against worse versions of {metric}, {level} level"
    m.draw(lambda: figures.curves(power_rows(found), title=title, x="share of tokens kept", y="power"), figure)
