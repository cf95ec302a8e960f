"""`gistmeter human quality`: which assignments passed quality control."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output as out
from gistmeter.cli.door.files import READS
from gistmeter.cli.human import options as h


def quality(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Judgments with `rater` and `task`, and controls; or assignments."),
        READS,
    ],
    least: Annotated[float, typer.Option(help="The share of controls to pass, from 0 to 1.")] = 0.7,
    minutes: Annotated[float, typer.Option(min=0, help="The shortest time to take, where it is known.")] = 0.0,
    same: Annotated[float, typer.Option(help="The least that is right where two texts say the same.")] = 90.0,
    different: Annotated[float, typer.Option(help="The most that is right where texts share nothing.")] = 10.0,
    once: Annotated[bool, typer.Option("--once/--again", help="Whether a rater counts once for a task.")] = True,
    by: Annotated[
        str | None, typer.Option("--by", metavar="FIELD", help="Count assignments by this field, e.g. language.")
    ] = None,
    fields: o.FieldMap = None,
    output: h.JudgmentsOutput = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Which assignments passed: controls answered right, time taken. With -o, the judgments of those that did."""
    from gistmeter import human

    out.check_judgments_file(output)
    result = human.screen_work(
        file,
        least=least,
        minutes=minutes,
        once=once,
        same=same,
        different=different,
        by=by,
        fields=o.parse_fields(fields),
    )
    out.show_result(result, latex=latex, html=html, markdown=markdown, json=json)
    out.write_judgments(result.judgments, output)
