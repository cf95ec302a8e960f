"""`gistmeter meta`: how well metrics agree with people. One file per command, which calls `gistmeter.meta`."""

import typer

from gistmeter.cli.meta.agreement import agreement
from gistmeter.cli.meta.correlate import correlate, table
from gistmeter.cli.meta.folds import folds
from gistmeter.cli.meta.interval import coverage, interval
from gistmeter.cli.meta.labels import labels
from gistmeter.cli.meta.matrix import matrix
from gistmeter.cli.meta.normality import normality
from gistmeter.cli.meta.options import with_option_names
from gistmeter.cli.meta.pairs import pairs
from gistmeter.cli.meta.plan import plan
from gistmeter.cli.meta.power import power
from gistmeter.cli.meta.references import references
from gistmeter.cli.meta.stability import stability
from gistmeter.cli.meta.systems import systems
from gistmeter.cli.meta.test import test

app = typer.Typer(help="How well metrics agree with people.", no_args_is_help=True)
for command in (
    correlate,
    folds,
    interval,
    pairs,
    labels,
    matrix,
    coverage,
    power,
    normality,
    stability,
    systems,
    references,
    plan,
    agreement,
    test,
    table,
):
    app.command()(with_option_names(command))
