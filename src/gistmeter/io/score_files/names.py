"""Short names: `rouge1.recall` for `rouge1(stem=none).recall`, `rouge1` or `ROUGE-1` for its f1."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable


_SEPARATORS = re.compile(r"[-_\s]")


def fold_name(name: str) -> str:
    """A name without case, hyphens, underscores and spaces, to compare it with others.

    >>> fold_name("ROUGE-1"), fold_name("Rouge_L sum")
    ('rouge1', 'rougelsum')
    """
    return _SEPARATORS.sub("", name).lower()


def find_name(short: str, names: Iterable[str]) -> str | None:
    """The name that a short one stands for; None if it stands for none.

    A name stands for itself. `rouge1.recall` stands for that column of the metric `rouge1` with any settings, and
    `rouge1` for the main column: the one of the metric's own name, else its f1 (`list_main_names`), else the only one.
    Names in another case, with or without hyphens and underscores, are understood where they can mean only one.

    Raises
    ------
    DataError
        It may stand for several.

    Examples
    --------
    >>> find_name("rouge1.recall", ["rouge1(stem=none).recall", "rouge1(stem=none).f1"])
    'rouge1(stem=none).recall'
    >>> find_name("rouge1", ["rouge1(stem=none).recall", "rouge1(stem=none).f1"])
    'rouge1(stem=none).f1'
    >>> find_name("rouge1", ["rouge1(stem=none).f1", "rouge1(stem=porter).f1"])
    Traceback (most recent call last):
    gistmeter.errors.DataError: 'rouge1' may be rouge1(stem=none).f1 or rouge1(stem=porter).f1: say which
    """
    given = tuple(names)
    if short in given:
        return short
    label, _, column = short.rpartition(".")
    with_settings = [name for name in given if _drop_settings(name) == label and _column(name) == column]
    candidates = with_settings or _find_main_columns(short, given)
    if not candidates:
        folded = fold_name(short)
        meant = [name for name in with_short_names(given) if fold_name(name) == folded and name != short]
        return find_name(meant[0], given) if len(meant) == 1 else None
    if len(candidates) > 1:
        raise DataError(f"{short!r} may be {' or '.join(candidates)}: say which")
    return candidates[0] if candidates else None


def list_main_names(metric: str) -> tuple[str, ...]:
    """What the main column of a metric may be called, the likeliest first: as the metric, also without its version.

    >>> list_main_names("meteor1.5")
    ('meteor1.5', 'meteor', 'f1', 'comprehensive')
    """
    return (metric, metric.rstrip("0123456789."), "f1", "comprehensive")


def with_short_names(names: Iterable[str]) -> list[str]:
    """The names, and the metrics and columns that short names may call.

    >>> with_short_names(["rouge1(stem=none).f1"])
    ['rouge1(stem=none).f1', 'rouge1(stem=none)', 'rouge1', 'rouge1.f1']
    """
    listed: dict[str, None] = {}
    for name in names:
        listed[name] = None
        if _label(name):
            listed |= dict.fromkeys((_label(name), _drop_settings(name), f"{_drop_settings(name)}.{_column(name)}"))
    return list(listed)


def _find_main_columns(metric: str, names: tuple[str, ...]) -> list[str]:
    """The main columns of a metric: those of its exact spelling, else of its spellings with settings."""
    exact = [name for name in names if _label(name) == metric]
    labels = dict.fromkeys(_label(name) for name in exact or names if exact or _drop_settings(name) == metric)
    candidates: list[str] = []
    for label in labels:
        by_column = {_column(name): name for name in names if _label(name) == label}
        main_names = list_main_names(_drop_settings(f"{label}."))
        main = next((by_column[column] for column in main_names if column in by_column), None)
        candidates += [main] if main else by_column.values()
    return candidates


def _label(name: str) -> str:
    """The metric of a column as it is spelled, with its settings."""
    return name.rpartition(".")[0]


def _drop_settings(name: str) -> str:
    return _label(name).partition("(")[0]


def _column(name: str) -> str:
    return name.rpartition(".")[2]
