"""Options that the `human` commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gistmeter.cli.door.files import READS, WRITES_FILE
from gistmeter.cli.options import parse_fields

if TYPE_CHECKING:
    from gistmeter.judgments import Judgments

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


def open_ratings(file: Path, fields: list[str] | None) -> Path | Judgments:
    """The file, or the judgments in it where options say which column is what."""
    from gistmeter.judgments import Judgments

    return Judgments.read(file, fields=parse_fields(fields)) if fields else file
