"""The errors a user can cause, each with the thing, the place and the way out in its message."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class GistmeterError(Exception):
    """A mistake the user can mend. The command line prints it without a traceback and exits 2."""


class DataError(GistmeterError):
    """A run, a score file or a judgment file does not say what it must."""


class UnknownLanguageError(DataError):
    """A language is named that there is not."""


class MetricError(GistmeterError):
    """A metric, or one of its settings, does not exist or cannot have that value."""


class FailedMetricError(MetricError):
    """The code of a metric failed; `__cause__` is what it raised. With GISTMETER_TRACEBACK=1 commands show where."""


class ArgumentError(GistmeterError, ValueError):
    """An argument has a value that it cannot have, or is missing where it is needed.

    The message names arguments in backticks (`metrics`, or `width=0.1` for an example), as a Python call spells them;
    the command line puts its own options in their place.
    """


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument is of another type than it must be, is not known, or is missing from a call."""


class MissingExtraError(GistmeterError):
    """A metric needs an optional part of gistmeter that is not installed."""


class GistmeterWarning(UserWarning):
    """Something legal that the user should know, such as empty summaries, said once with its count."""


def suggestion(name: str, options: Iterable[str]) -> str:
    """The words "; did you mean X?" when one of the options is close to `name`, else nothing.

    >>> suggestion("roge2", ["rouge1", "rouge2", "bleu"])
    '; did you mean rouge2?'
    >>> suggestion("zzz", ["rouge1"])
    ''
    """
    lowered = {option.lower(): option for option in options}
    close = difflib.get_close_matches(str(name).lower(), list(lowered), n=1, cutoff=0.6)
    return f"; did you mean {lowered[close[0]]}?" if close else ""
