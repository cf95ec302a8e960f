"""What no command foresaw (a disk that fills, memory that ends, input without end) as one sentence."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from typer.core import TyperGroup

from gistmeter.errors import GistmeterError
from gistmeter.wording import replace_controls

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def explain_failures() -> Iterator[None]:
    """Errors of the system, of memory and of tables as a user's mistake that says what to do."""
    try:
        yield
    except (GistmeterError, BrokenPipeError):
        raise
    except OSError as error:
        file = f"{error.filename}: " if error.filename else ""
        raise GistmeterError(f"{file}{error.strerror or str(error) or type(error).__name__}") from error
    except EOFError as error:
        raise GistmeterError(f"a file ends too early, it is cut short ({error})") from error
    except MemoryError as error:
        raise GistmeterError("there is not enough memory for this: give it less at a time") from error
    except RecursionError as error:
        raise GistmeterError("something in the input is nested too deeply") from error
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "polars":
            raise
        first_line = str(error).partition("\n")[0]
        raise GistmeterError(f"a table cannot be read or written: {first_line}") from error


class HarmlessGroup(TyperGroup):
    """Commands whose complaints about options repeat no control characters of what was typed."""

    def make_context(self, *values: Any, **named: Any) -> Any:
        """Read the options of the program itself."""
        with _replace_in_complaints():
            return super().make_context(*values, **named)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was named."""
        with _replace_in_complaints():
            return super().invoke(ctx)


@contextlib.contextmanager
def _replace_in_complaints() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message"):
            complaint = replace_controls(error.format_message())
            error.format_message = lambda: complaint
        raise
