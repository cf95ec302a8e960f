"""`gistmeter probe`: how far a metric can be gamed."""

import typer

from gistmeter.cli.probe.attack import attack
from gistmeter.cli.probe.direct import direct
from gistmeter.cli.probe.optimise import optimise
from gistmeter.cli.probe.report import report
from gistmeter.cli.probe.rerank import rerank

app = typer.Typer(
    help="How far a metric can be gamed: the summaries that it likes best, and cheap attacks.", no_args_is_help=True
)
app.command()(optimise)
app.command()(rerank)
app.command()(direct)
app.command()(attack)
app.command()(report)
