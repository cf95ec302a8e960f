"""`gistmeter meta`: how well metrics agree with people. One file per command."""

import typer

from gistmeter.cli.meta.agreement import agreement
from gistmeter.cli.meta.correlate import correlate
from gistmeter.cli.meta.coverage import coverage
from gistmeter.cli.meta.folds import folds
from gistmeter.cli.meta.hypothesis import hypothesis
from gistmeter.cli.meta.interval import interval
from gistmeter.cli.meta.matrix import matrix
from gistmeter.cli.meta.normality import normality
from gistmeter.cli.meta.pairs import pairs
from gistmeter.cli.meta.plan import plan
from gistmeter.cli.meta.power import power
from gistmeter.cli.meta.references import references
from gistmeter.cli.meta.stability import stability

app = typer.Typer(help="How well metrics agree with people.", no_args_is_help=True)
for command in (
    correlate,
    folds,
    interval,
    pairs,
    matrix,
    coverage,
    power,
    normality,
    stability,
    references,
    plan,
    agreement,
):
    app.command()(command)
app.command("test")(hypothesis)
