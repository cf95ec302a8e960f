"""Options that the commands of `gistmeter units` share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli.door.files import WRITES_FILE

if TYPE_CHECKING:
    from gistmeter.example import Example

ReferenceRecords = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE]...",
        help="References: records with or without summaries (- for standard input), or .txt with one on each line.",
        show_default=False,
    ),
]
UnitsOutput = Annotated[
    Path, typer.Option("--output", "-o", help="Write the units here, as JSON lines by document."), WRITES_FILE
]
Roles = Annotated[
    str, typer.Option("--roles", metavar="FILE", help="Roles and coreference that another program wrote (JSON lines).")
]
Coreference = Annotated[
    Literal["confident", "all", "no"],
    typer.Option(help="Which later mentions take the name that comes first ('she' becomes 'Ann Lee')."),
]
Trees = Annotated[
    str,
    typer.Option("--trees", metavar="NAME", help="What parses sentences for embedded-69: embedded, or benepar's."),
]
Regressor = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="What predicts easiness: embedded (from the units), embedded-69 (from the phrase tree), or a file.",
    ),
]


def read_reference_documents(
    files: list[str] | None,
    references: list[str] | None,
    language: str | None,
    *,
    units: list[str] | None = None,
    fields: list[str] | None = None,
) -> list[Example]:
    """The documents that these options speak of, each with its references."""
    from gistmeter.cli.options import parse_fields
    from gistmeter.units.documents import read_documents

    return read_documents(
        files or [],
        references=references or [],
        units=units or [],
        language=language,
        fields=parse_fields(fields),
    )
