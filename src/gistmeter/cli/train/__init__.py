"""`gistmeter train`: the commands that made the weights gistmeter ships. One file per command."""

import typer

from gistmeter.cli.train.coherence import coherence
from gistmeter.cli.train.edus import edus
from gistmeter.cli.train.entailment import entailment
from gistmeter.cli.train.masked import masked

app = typer.Typer(help="Train the small models that gistmeter ships.", no_args_is_help=True)
for command in (masked, coherence, edus, entailment):
    app.command()(command)
