"""`gistmeter human`: which judgments of people to use, and how. One file per command, which calls `gistmeter.human`."""

import typer

from gistmeter.cli.human.gold import gold
from gistmeter.cli.human.majority import majority
from gistmeter.cli.human.pairs import pairs
from gistmeter.cli.human.quality import quality
from gistmeter.cli.human.standardise import standardise
from gistmeter.cli.meta.options import with_option_names

app = typer.Typer(help="Which judgments of people to use, and how.", no_args_is_help=True)
for command in (quality, standardise, pairs, majority, gold):
    app.command()(with_option_names(command))
