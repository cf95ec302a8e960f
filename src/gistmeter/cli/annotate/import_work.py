"""`gistmeter annotate import`: finished work of a crowd platform."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.annotate.options import show_study
from gistmeter.cli.door.files import READS
from gistmeter.cli.human import options as h


def import_work(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Finished work: a table, a batch of MTurk, or released assignments."),
        READS,
    ],
    output: h.JudgmentsOutput = None,
    fields: o.FieldMap = None,
    least: Annotated[float, typer.Option(help="The share of controls to answer right, from 0 to 1.")] = 0.7,
    minutes: Annotated[float, typer.Option(min=0, help="The shortest time to take, where it is known.")] = 0.0,
    same: Annotated[float, typer.Option(help="The least that is right where two texts say the same.")] = 90.0,
    different: Annotated[float, typer.Option(help="The most that is right where texts share nothing.")] = 10.0,
    z_scores: Annotated[
        bool, typer.Option("--z-scores", help="Values less the rater's mean in a task, over the deviation.")
    ] = False,
    by: Annotated[
        str | None, typer.Option("--by", metavar="FIELD", help="Look at each value of this field, e.g. language.")
    ] = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Read finished work of a crowd platform: quality control, agreement, and with -o the judgments that are usable."""
    from gistmeter.annotate import imported
    from gistmeter.cli import output as out

    out.check_judgments_file(output)
    with o.notes_on_stderr():
        work = imported.import_work(
            file,
            fields=o.parse_fields(fields),
            least=least,
            minutes=minutes,
            same=same,
            different=different,
            z_scores=z_scores,
            by=by,
        )
    show_study(work, latex=latex, html=html, markdown=markdown, json=json)
    out.write_judgments(work.judgments, output)
