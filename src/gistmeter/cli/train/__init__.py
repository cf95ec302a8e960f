"""`gistmeter train`: the commands that made the weights gistmeter ships. One file per command."""

import typer

from gistmeter.cli.train.answering import answering
from gistmeter.cli.train.coherence import coherence
from gistmeter.cli.train.commands import entailment
from gistmeter.cli.train.coreference import coreference
from gistmeter.cli.train.easiness import easiness
from gistmeter.cli.train.edus import edus
from gistmeter.cli.train.masked import masked
from gistmeter.cli.train.presence import presence
from gistmeter.cli.train.trees import trees
from gistmeter.cli.train.weighter import weighter

app = typer.Typer(help="Train the small models that gistmeter ships.", no_args_is_help=True)
for command in (masked, coherence, edus, coreference, trees, easiness, presence, entailment, answering, weighter):
    app.command()(command)
