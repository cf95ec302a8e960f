"""`gistmeter human standardise`: judgments as z-scores."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output as out
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.cli.human import options as h


def standardise(
    file: h.RatingFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="Write the z-scores here."), WRITES_FILE
    ],
    fields: o.FieldMap = None,
    within: Annotated[
        Literal["rater", "task"], typer.Option(help="All that a rater did, or each task by itself.")
    ] = "rater",
    across_aspects: Annotated[
        bool, typer.Option("--across-aspects", help="Take the aspects of a rater together, not each by itself.")
    ] = False,
) -> None:
    """Each rater's judgments less their mean, over their deviation: strict and lenient raters become alike."""
    from gistmeter import human

    out.check_judgments_file(output)
    with o.notes_on_stderr():
        judgments = human.standardise(h.open_ratings(file, fields), within=within, across_aspects=across_aspects)
    out.write_judgments(judgments, output)
