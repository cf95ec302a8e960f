"""What comes out, on standard output and standard error: never a control character that a file put into a name."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from typing import TYPE_CHECKING, cast

import typer

from gistmeter.errors import DataError
from gistmeter.wording import escape_controls, replace_controls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderableType, RenderHook, RenderResult
    from rich.measure import Measurement

PIPE_COLUMNS = 120
"""How wide tables are where no terminal says."""


def say(message: str) -> None:
    """Tell the user something that is not the result: on standard error, so that pipes stay clean."""
    with contextlib.suppress(OSError):  # nobody is there to be told
        typer.echo(replace_controls(message), err=True)


def tell(text: str) -> None:
    """Print a result that is plain text."""
    with explain_output():
        typer.echo(replace_controls(text))


def tell_json(text: str) -> None:
    """Print a result that is JSON, which escapes control characters, and all else that standard output cannot show."""
    escaped = escape_controls(text)
    try:
        escaped.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        escaped = json.dumps(json.loads(escaped))
    with explain_output():
        typer.echo(escaped)


def draw(renderable: RenderableType) -> None:
    """Print a result as the terminal's table."""
    with explain_output():
        console().print(renderable)


def console(*, stderr: bool = False) -> Console:
    """Where to draw: the terminal as it is, or plain text in a pipe, never cut at 80 columns there."""
    from rich.console import Console

    terminal = Console(stderr=stderr, highlight=False)
    if not terminal.is_terminal:
        terminal = Console(stderr=stderr, highlight=False, width=PIPE_COLUMNS)
    terminal.push_render_hook(cast("RenderHook", _ReplaceControls()))
    return terminal


def replace_unknown_letters() -> None:
    """Have letters that standard output or standard error cannot show, as in ASCII, shown as question marks."""
    for stream in (sys.stdout, sys.stderr):
        if getattr(stream, "errors", None) == "strict" and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def flush_output() -> None:
    """Write out what is waiting: a full disk behind standard output is said now, not when Python ends."""
    with explain_output():
        if sys.stdout is not None:  # as it is where standard output was closed
            sys.stdout.flush()


@contextlib.contextmanager
def explain_output() -> Iterator[None]:
    """One sentence where standard output takes no more; a reader that left (head, less) is no mistake."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is left in the buffer would fail once more, and loudly, when Python ends.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise DataError(f"cannot write to standard output: {error.strerror or error}") from None


class _ReplaceControls:
    """What a console draws, with its control characters replaced: only rich itself may talk to the terminal."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """The same renderables, harmless."""
        return [_Harmless(renderable) for renderable in renderables]


class _Harmless:
    """A renderable whose texts have no control characters."""

    def __init__(self, renderable: ConsoleRenderable) -> None:
        self.renderable = renderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.segment import Segment

        for segment in console.render(self.renderable, options):
            yield segment if segment.control else Segment(replace_controls(segment.text), segment.style)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        from rich.measure import Measurement

        return Measurement.get(console, options, self.renderable)
