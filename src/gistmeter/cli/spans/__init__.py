"""`gistmeter spans`: which phrases of documents matter."""

import typer

from gistmeter.cli.spans.control import control
from gistmeter.cli.spans.evaluate import evaluate
from gistmeter.cli.spans.label import label
from gistmeter.cli.spans.predict import predict

app = typer.Typer(help="Which phrases of documents matter: label, predict and compare them.", no_args_is_help=True)
app.command()(label)
app.command()(predict)
app.command()(evaluate)
app.command()(control)
