"""`gistmeter`: the commands, and what happens when the user made a mistake."""

from __future__ import annotations

import os
import sys
import traceback
from functools import cache as cached
from typing import TYPE_CHECKING, Annotated

import typer
from typer.main import get_command

from gistmeter.cli.annotate import app as annotate
from gistmeter.cli.cache import cache
from gistmeter.cli.cite import cite
from gistmeter.cli.corrupt import corrupt
from gistmeter.cli.demo import demo
from gistmeter.cli.door.failures import HarmlessGroup
from gistmeter.cli.door.files import guard_commands
from gistmeter.cli.door.latex import add_latex_options
from gistmeter.cli.door.terminal import explain_output, flush_output, replace_unknown_letters, say, tell
from gistmeter.cli.door.words import accept_other_words, join_help_lines
from gistmeter.cli.human import app as human
from gistmeter.cli.insight import app as insight
from gistmeter.cli.layers import layers
from gistmeter.cli.meta import app as meta
from gistmeter.cli.metrics import metrics
from gistmeter.cli.models import app as models
from gistmeter.cli.options import use_flags
from gistmeter.cli.probe import app as probe
from gistmeter.cli.qa import app as qa
from gistmeter.cli.ranking.compare import compare
from gistmeter.cli.ranking.gate import gate
from gistmeter.cli.ranking.rank import rank
from gistmeter.cli.ranking.trust import app as trust
from gistmeter.cli.report import report
from gistmeter.cli.score import score
from gistmeter.cli.spans import app as spans
from gistmeter.cli.summaries.check import check
from gistmeter.cli.summaries.explain import explain
from gistmeter.cli.summaries.summarize import summarize
from gistmeter.cli.summaries.worst import worst
from gistmeter.cli.train import app as train
from gistmeter.cli.units import app as units
from gistmeter.errors import FailedMetricError, GistmeterError
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable

USER_MISTAKE = 2
TRACEBACK = "GISTMETER_TRACEBACK"
"""The environment variable that has a mistake printed with the lines of code that it comes from."""

app = typer.Typer(
    name="gistmeter",
    cls=HarmlessGroup,
    help="Measure text summaries, and measure the measures.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)
for command in (
    score,
    rank,
    compare,
    gate,
    check,
    explain,
    worst,
    report,
    summarize,
    metrics,
    corrupt,
    layers,
    demo,
    cite,
    cache,
):
    app.command()(command)
app.add_typer(annotate, name="annotate")
app.add_typer(human, name="human")
app.add_typer(insight, name="insight")
app.add_typer(meta, name="meta")
app.add_typer(models, name="models")
app.add_typer(probe, name="probe")
app.add_typer(qa, name="qa")
app.add_typer(spans, name="spans")
app.add_typer(train, name="train")
app.add_typer(trust, name="trust")
app.add_typer(units, name="units")
add_latex_options(app)
guard_commands(app)
accept_other_words(app)
join_help_lines(app)


def _version(asked: bool) -> None:
    if asked:
        tell(f"gistmeter {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Measure text summaries, and measure the measures."""


@cached
def _build_command() -> Callable[..., object]:
    """All commands with their options: building them takes a tenth of a second, so a process does it once."""
    return get_command(app)


def main() -> None:
    """Run a command. A user's mistake is one sentence on standard error and exit code 2."""
    try:
        replace_unknown_letters()
        try:
            with explain_output():  # of the help, too; a command explains what else the system refuses
                _build_command()(prog_name="gistmeter")  # also as python -m gistmeter, for help and completion
        finally:
            flush_output()
    except GistmeterError as error:
        hint = f"; {TRACEBACK}=1 shows where" if isinstance(error, FailedMetricError) else ""
        say(f"gistmeter: {use_flags(error)}{hint}")
        if os.environ.get(TRACEBACK):
            say("".join(traceback.format_exception(error)).rstrip())
        sys.exit(USER_MISTAKE)
    except BrokenPipeError:  # the reader of our output (head, less) left
        sys.stderr.close()
