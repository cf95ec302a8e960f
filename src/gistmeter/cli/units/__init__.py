"""`gistmeter units`: content units made, mixed, judged, and planned. One file per command."""

import typer

from gistmeter.cli.units.curve import curve
from gistmeter.cli.units.easiness import easiness
from gistmeter.cli.units.extract import extract
from gistmeter.cli.units.judge import judge
from gistmeter.cli.units.mix import mix

app = typer.Typer(help="Content units of references: make, mix, judge and plan them.", no_args_is_help=True)
for command in (extract, judge, easiness, mix, curve):
    app.command()(command)
