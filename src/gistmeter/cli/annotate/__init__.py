"""`gistmeter annotate`: human judgments collected in the browser. One file for each command."""

import typer

from gistmeter.cli.annotate.design import design
from gistmeter.cli.annotate.export import export
from gistmeter.cli.annotate.import_work import import_work
from gistmeter.cli.annotate.report import report
from gistmeter.cli.annotate.serve import serve
from gistmeter.cli.annotate.status import status

app = typer.Typer(help="Collect human judgments in the browser, check them, and use them.", no_args_is_help=True)
for command in (design, serve, status, export, report):
    app.command()(command)
app.command("import")(import_work)
