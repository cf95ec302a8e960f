"""`gistmeter units mix`: machine units for the sentences that are easy to cut, people's units for the others."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.units.extract import Coreference, Roles, Trees, UnitsOutput


def mix(
    output: UnitsOutput,
    run: o.RunFiles = None,
    units: o.UnitFiles = None,
    share: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="The share of sentences whose units are cut by machine.")
    ] = 0.5,
    regressor: Annotated[
        str, typer.Option(metavar="FILE", help="What predicts easiness: embedded, or an XGBoost model (.json).")
    ] = "embedded",
    trees: Trees = "embedded",
    references: o.ReferenceFiles = None,
    language: o.Language = None,
    roles: Roles = "embedded",
    coreference: Coreference = "confident",
) -> None:
    """Mix units that people wrote with units cut by machine, at any share (Lite2.xPyramid).

    The sentences that the regressor finds easiest, over the whole run, take machine units.
    """
    from gistmeter.io.writing import write_units
    from gistmeter.report.tables.numbers import format_count
    from gistmeter.units.mix import mix_units_by_document

    opened = o.open_run_files(run, None, references, None, language, units=units)
    mixed = mix_units_by_document(
        opened.examples(), share, regressor=regressor, trees=trees, source=roles, coreference=coreference
    )
    write_units(mixed.units, output)
    o.say(
        f"{format_count(mixed.machine_sentences, 'sentence')} by machine, "
        f"{format_count(mixed.people_sentences, 'sentence')} by people; "
        f"{format_count(sum(map(len, mixed.units.values())), 'unit')} written: {output}"
    )
