"""`gistmeter spans`: which phrases of documents matter."""

import typer

from gistmeter.cli.spans.evaluate import evaluate
from gistmeter.cli.spans.label import label

app = typer.Typer(help="Which phrases of documents matter: label, predict and compare them.", no_args_is_help=True)
app.command()(label)
app.command()(evaluate)
