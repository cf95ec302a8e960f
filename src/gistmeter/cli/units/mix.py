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
    coreference: Coreference = True,
) -> None:
    """Mix units that people wrote with units cut by machine, at any share (Lite2.xPyramid).

    The sentences that the regressor finds easiest, over the whole run, take machine units.
    """
    from gistmeter.io.writing import write_units
    from gistmeter.report.tables.numbers import counted
    from gistmeter.units.mix import mix_units_by_document

    opened = o.opened_run(run, None, references, None, language, units=units)
    found = mix_units_by_document(
        opened.examples(), share, regressor=regressor, trees=trees, source=roles, coreference=coreference
    )
    write_units(found.units, output)
    o.say(
        f"{counted(found.machine_sentences, 'sentence')} by machine, "
        f"{counted(found.people_sentences, 'sentence')} by people; "
        f"{counted(sum(map(len, found.units.values())), 'unit')} written: {output}"
    )
