"""`gistmeter train`: the commands that made the weights gistmeter ships, one for each role that can be trained."""

import typer

from gistmeter.cli.train.commands import make_command
from gistmeter.training.roles import ROLES

app = typer.Typer(help="Train the small models that gistmeter ships.", no_args_is_help=True)
for role in ROLES:
    command = make_command(role)
    app.command(role.command)(command)
    for alias in role.aliases:
        app.command(alias, hidden=True)(command)
