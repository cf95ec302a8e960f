"""`gistmeter units mix`: people's units for some sentences, machine units for the others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import READS
from gistmeter.cli.units.options import (
    Coreference,
    ReferenceRecords,
    Regressor,
    Roles,
    Trees,
    UnitsOutput,
    read_reference_documents,
)


def mix(
    output: UnitsOutput,
    files: ReferenceRecords = None,
    units: Annotated[
        list[str] | None,
        typer.Option(
            "--units", metavar="FILE", help="People's units: records to join; with --plan also filled sheets."
        ),
    ] = None,
    plan: Annotated[
        Path | None,
        typer.Option(help="A plan of `units easiness -o`: people's units where they exist, machine units elsewhere."),
        READS,
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="The share of sentences whose units are cut by machine; default .5."),
    ] = None,
    regressor: Regressor = "embedded",
    trees: Trees = "embedded",
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    roles: Roles = "embedded",
    coreference: Coreference = "confident",
) -> None:
    """Mix units that people wrote with units cut by machine (Lite2.xPyramid).

    With a share, of units that people wrote for all sentences: those that the regressor finds easiest, over the whole
    run, take machine units. With a plan, of what people wrote by it: all other sentences take machine units.
    """
    from gistmeter.errors import ArgumentError
    from gistmeter.io.writing import UNITS_FILE, check_records_path, write_units
    from gistmeter.report.tables.numbers import format_count
    from gistmeter.units.mix import mix_units_by_document
    from gistmeter.units.planned_mix import mix_planned_units
    from gistmeter.units.writing import read_plan, read_written_units

    check_records_path(output, UNITS_FILE)
    if plan is None:
        documents = read_reference_documents(files, references, language, units=units, fields=fields)
        shared = mix_units_by_document(
            documents,
            0.5 if share is None else share,
            regressor=regressor,
            trees=trees,
            source=roles,
            coreference=coreference,
        )
        mixed, machine, people, left_open = shared.units, shared.machine_sentences, shared.people_sentences, 0
    else:
        if share is not None:
            raise ArgumentError("a `plan` says who writes for which sentence: it takes no `share`")
        if not units:
            raise ArgumentError("a `plan` wants the units that people wrote by it: name their files with `units`")
        if fields and not (files or references):
            raise ArgumentError("`fields` says where fields of the references are: name their file beside the `plan`")
        planned = mix_planned_units(
            read_plan(plan),
            read_written_units(units),
            documents=read_reference_documents(files, references, language, fields=fields)
            if files or references
            else None,
            source=roles,
            coreference=coreference,
        )
        mixed, machine, people = planned.units, planned.machine_sentences, planned.people_sentences
        left_open = planned.open_sentences
    write_units(mixed, output)
    o.say(
        f"{format_count(machine, 'sentence')} by machine, {format_count(people, 'sentence')} by people; "
        f"{format_count(sum(map(len, mixed.values())), 'unit')} written: {output}"
    )
    if left_open:
        o.say(
            f"note: nobody wrote for {format_count(left_open, 'sentence')} planned for people: machine units stand in"
        )
