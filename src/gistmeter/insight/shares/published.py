"""What the thesis prints of category shares, to put beside one's own."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files

from gistmeter.errors import ArgumentError, suggestion


@functools.cache
def _load_tables() -> dict[str, dict[str, dict[str, float]]]:
    return tomllib.loads((files("gistmeter.insight.shares") / "published.toml").read_text("utf-8"))


def read_published(data: str, metric: str) -> dict[str, float]:
    """Published shares in percent, by title of the category; nothing for a metric that the thesis does not have.

    >>> read_published("cnndm", "rouge1(stem=wordnet)")["Information"], read_published("cnndm", "content")
    (6.7, {})
    """
    tables = _load_tables()
    if data not in tables:
        raise ArgumentError(
            f"`published` is {data!r}: there are figures for {', '.join(tables)}{suggestion(data, tables)}"
        )
    return tables[data].get(metric.partition("(")[0], {})
