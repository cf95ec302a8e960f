"""`gistmeter insight`: what a metric measures."""

import typer

from gistmeter.cli.insight.categories import categories
from gistmeter.cli.insight.units import units

app = typer.Typer(help="What a metric measures: topic, information or stop words.", no_args_is_help=True)
app.command()(categories)
app.command()(units)
