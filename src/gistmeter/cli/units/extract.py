"""`gistmeter units extract`: content units cut from the references by machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o

UnitsOutput = Annotated[Path, typer.Option("--output", "-o", help="Write the units here, as JSON lines by document.")]
Roles = Annotated[
    str, typer.Option("--roles", metavar="FILE", help="Roles and coreference that another program wrote (JSON lines).")
]
Coreference = Annotated[
    Literal["confident", "all", "no"],
    typer.Option(help="Which later mentions take the name that comes first ('she' becomes 'Ann Lee')."),
]
Trees = Annotated[
    str,
    typer.Option("--trees", metavar="NAME", help="What parses sentences for the regressor: embedded, or benepar's."),
]


def extract(
    output: UnitsOutput,
    run: o.RunFiles = None,
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    roles: Roles = "embedded",
    coreference: Coreference = "confident",
) -> None:
    """Cut the references of a run into semantic triplet units: who did what to whom.

    Give the file that it writes to `gistmeter score --units`, or change it by hand first. A file of --roles has one
    JSON record a line: {"words": [...], "verbs": [{"verb": ..., "tags": ["B-ARG0", "B-V", ...]}]} for a sentence, and
    {"document": [words], "clusters": [[[first, last], ...]]} for the coreference of a reference.
    """
    from gistmeter.io.writing import write_units
    from gistmeter.report.tables.numbers import format_count
    from gistmeter.units.references import extract_units_by_document

    opened = o.open_run_files(run, None, references, None, language)
    units = extract_units_by_document(opened.examples(), source=roles, coreference=coreference)
    write_units(units, output)
    count = sum(map(len, units.values()))
    o.say(f"{format_count(count, 'unit')} of {format_count(len(units), 'document')} written: {output}")
