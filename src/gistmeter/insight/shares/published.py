"""What the thesis prints of shares, to put beside one's own."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from gistmeter.errors import ArgumentError, suggestion
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Iterable

_WITHOUT_IDF = re.compile(r"\bidf=none\b|\bpreset=")
"""In the spelling of BERTScore: its presets have no idf either."""


@functools.cache
def _load_tables(file: str) -> dict[str, dict[str, dict[str, Any]]]:
    return tomllib.loads((files("gistmeter.insight.shares") / file).read_text("utf-8"))


def read_published(data: str, metric: str) -> dict[str, float]:
    """Published shares in percent, by title of the category; nothing for a metric that the thesis does not have.

    >>> read_published("cnndm", "rouge1(stem=wordnet)")["Information"], read_published("cnndm", "content")
    (6.7, {})
    """
    return _find_table("published.toml", data, metric)


@dataclass(frozen=True, slots=True)
class PublishedUnits:
    """The mean share, and how many summaries are in each of four bins (none where the thesis has no such table)."""

    mean: float
    bins: tuple[float, ...]


def read_published_units(data: str, metric: str) -> PublishedUnits | None:
    """Published shares of content units; None for a metric that the thesis does not have.

    >>> read_published_units("tac2008", "qaeval").mean
    0.42
    """
    table = _find_table("published_units.toml", data, metric)
    if not table:
        return None
    return PublishedUnits(table["mean"] / 100, tuple(share / 100 for share in table.get("bins", ())))


def note_other_settings(metrics: Iterable[str]) -> list[str]:
    """A remark on metrics beside which published figures stand that were made with another setting.

    >>> note_other_settings(["rouge1", "bertscore(idf=none)", "bertscore"])
    ['the published figures are of BERTScore without idf: bertscore(idf=none) is more like it than bertscore']
    """
    weighted = [label for label in metrics if label.partition("(")[0] == "bertscore" and not _WITHOUT_IDF.search(label)]
    if not weighted:
        return []
    likeness = f"bertscore(idf=none) is more like it than {join_names(weighted)}"
    return [f"the published figures are of BERTScore without idf: {likeness}"]


def _find_table(file: str, data: str, metric: str) -> dict[str, Any]:
    tables = _load_tables(file)
    if data not in tables:
        raise ArgumentError(
            f"`published` is {data!r}: there are figures for {', '.join(tables)}{suggestion(data, tables)}"
        )
    return tables[data].get(metric.partition("(")[0], {})
