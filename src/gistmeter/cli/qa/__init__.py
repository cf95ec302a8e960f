"""`gistmeter qa`: how good answerers are, and questions for people. One file per command."""

import typer

from gistmeter.cli.qa.coverage import coverage
from gistmeter.cli.qa.evaluate import evaluate
from gistmeter.cli.qa.export import export
from gistmeter.cli.qa.import_answers import import_answers
from gistmeter.cli.qa.people import people

app = typer.Typer(help="Questions and answers: evaluate answerers, give questions to people.", no_args_is_help=True)
app.command()(evaluate)
app.command()(export)
app.command("import")(import_answers)
app.command()(people)
app.command()(coverage)
