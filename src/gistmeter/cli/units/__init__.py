"""`gistmeter units`: content units made, mixed, judged, and planned. One file per command."""

import typer

from gistmeter.cli.units.easiness import easiness

app = typer.Typer(help="Content units of references: make, mix, judge and plan them.", no_args_is_help=True)
for command in (easiness,):
    app.command()(command)


@app.callback()
def _group() -> None:
    """Content units of references: make, mix, judge and plan them."""
