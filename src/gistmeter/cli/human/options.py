"""Options that the `human` commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli.door.files import READS, WRITES_FILE

RatingFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="Judgments of single raters: records with `rater`, `annotators` or `votes`."),
    READS,
]
JudgmentsOutput = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the judgments here, as JSON lines."),
    WRITES_FILE,
]
HumanNames = Annotated[
    list[str] | None,
    typer.Option("--human", metavar="NAME", help="Only this judgment (votes are `units`); repeat for more."),
]
