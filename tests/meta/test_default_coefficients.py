"""One coefficient by default: in Python and on the command line, for all questions about correlations with people."""

import inspect

import pytest
import typer

from gistmeter import meta
from gistmeter.cli.meta import app

OF_RANKINGS = {"stability", "pairs"}
"""They compare rankings, and so take Kendall's tau."""
QUESTIONS = ("interval", "test", "power", "coverage", "plan", "matrix", "references", "stability", "pairs")


@pytest.mark.parametrize("name", QUESTIONS)
def test_questions_and_commands_agree_on_the_default(name):
    expected = "kendall" if name in OF_RANKINGS else "pearson"
    assert inspect.signature(getattr(meta, name)).parameters["coefficient"].default == expected
    command = typer.main.get_command(app).commands[name]
    defaults = [option.default for option in command.params if option.name == "coefficient"]
    assert defaults in ([expected], [])
