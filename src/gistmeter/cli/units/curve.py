"""`gistmeter units curve`: agreement with people against the share of units that a machine cuts."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.arguments import MOST_DRAWS
from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m
from gistmeter.cli.units.judge import Outputs
from gistmeter.cli.units.options import Coreference, Regressor, Roles, Trees


def curve(
    run: o.RunFiles = None,
    units: o.UnitFiles = None,
    level: m.Level = "summary",
    coefficient: m.Coefficient = "pearson",
    undefined: m.UndefinedPolicy = "zero",
    model: Annotated[str, typer.Option(help="Who judges, as for `units judge`.")] = "embedded",
    outputs: Outputs = "auto",
    regressor: Regressor = "embedded",
    trees: Trees = "embedded",
    device: o.Device = None,
    threads: o.Threads = None,
    allow_pickle: o.AllowPickle = False,
    draws: Annotated[
        int, typer.Option(min=1, max=MOST_DRAWS, help="Random choices to compare with, at each share.")
    ] = 5,
    seed: o.Seed = 0,
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    roles: Roles = "embedded",
    coreference: Coreference = "confident",
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """How much agreement with people is lost as a machine cuts more units: cost against quality.

    The curves are those of Zhang and Bansal (2021), Fig. 2 and 4.

    Needs a run whose units people wrote and labelled. Sentences go to the machine by easiness, and at random.
    """
    from gistmeter.insight import measure_budget
    from gistmeter.models.runtime.settings import use_settings
    from gistmeter.report.sheets.insight.budget import curve_chart, curve_sheet
    from gistmeter.units.judge import UnitJudge

    output.check_figure(figure)
    runtime = o.runtime_settings(device=device, threads=threads, allow_pickle=allow_pickle)
    opened = o.open_run_files(run, None, references, None, language, units=units, fields=fields)
    with use_settings(runtime):
        budget = measure_budget(
            list(opened.examples()),
            UnitJudge(model, labels=outputs),
            level=level,
            coefficient=coefficient,
            undefined=undefined,
            regressor=regressor,
            trees=trees,
            source=roles,
            coreference=coreference,
            draws=draws,
            seed=seed,
        )
    output.show_sheet(curve_sheet(budget), latex=latex, html=html, markdown=markdown, json=json)
    output.draw_chart(lambda: curve_chart(budget), figure)
