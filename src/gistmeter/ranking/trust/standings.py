"""Standings: where a score stands among those of the summaries and systems that people judged.

A file of standings (scripts/store_standings.py) has, for each score and dataset, the percentiles of the scores of
single summaries and the mean of every system, without names or texts. They say what is usual, not what is good.
"""

from __future__ import annotations

import functools
import gzip
from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from gistmeter.io.atomic import write_bytes
from gistmeter.io.json_lines import decode_json
from gistmeter.ranking.trust.tables import round_to_file_digits
from gistmeter.scores import Better  # noqa: TC001  (files are decoded by it)
from gistmeter.signature import without_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn

PERCENTS = np.arange(101)


@dataclass(frozen=True, slots=True)
class StandingSet:
    """How the scores of one dataset are spread."""

    dataset: str
    about: str
    references: int
    """How many references each document has."""
    sample: str
    """Which of the documents were scored, such as "every 10th document"; empty for all of them."""
    summaries: int
    percentiles: tuple[float, ...]
    """Of the scores of single summaries, from the lowest to the highest in steps of a percent."""
    system_means: tuple[float, ...]
    """The mean of each system, the lowest first."""


@dataclass(frozen=True, slots=True)
class StandingTable:
    """What is known of one score."""

    spelling: str
    signature: str
    """Without the version, and without how the sentences of a summary were found."""
    column: str
    better: Better
    sets: tuple[StandingSet, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a score stands in one dataset."""

    dataset: str
    about: str
    sample: str
    summaries: int
    lower_share: float
    """The share of its summaries that score lower, those that score alike counted half."""
    systems: int
    lower_systems: int
    """How many of its systems have a lower mean."""


def spread_scores(
    dataset: str, about: str, scores: FloatArray, *, references: int = 1, sample: str = ""
) -> StandingSet:
    """How scores (systems x documents, NaN for missing) are spread, as a file keeps it.

    >>> spread = spread_scores("ours", "our own", np.array([[0.1, 0.2, 0.3], [0.4, np.nan, 0.6]]))
    >>> spread.summaries, spread.system_means, spread.percentiles[50]
    (5, (0.2, 0.5), 0.3)
    """
    present = scores[~np.isnan(scores)]
    means = [float(np.nanmean(row)) for row in scores if not np.isnan(row).all()]
    return StandingSet(
        dataset=dataset,
        about=about,
        references=references,
        sample=sample,
        summaries=len(present),
        percentiles=tuple(round_to_file_digits(float(value)) for value in np.percentile(present, PERCENTS)),
        system_means=tuple(sorted(map(round_to_file_digits, means))),
    )


def place_score(value: float, spread: StandingSet) -> Standing:
    """Where a score stands among those of a dataset.

    >>> ours = StandingSet("ours", "", 1, "", 101, tuple(number / 100 for number in range(101)), (0.3, 0.4, 0.5))
    >>> place_score(0.42, ours).lower_share, place_score(0.42, ours).lower_systems
    (0.42, 2)
    """
    percentiles = np.array(spread.percentiles)
    first = int(np.searchsorted(percentiles, value, side="left"))
    last = int(np.searchsorted(percentiles, value, side="right")) - 1
    # Percentiles that equal the value: half of those summaries count. Between two percentiles the share is linear.
    percent = (first + last) / 2 if last >= first else float(np.interp(value, percentiles, PERCENTS))
    return Standing(
        dataset=spread.dataset,
        about=spread.about,
        sample=spread.sample,
        summaries=spread.summaries,
        lower_share=percent / 100,
        systems=len(spread.system_means),
        lower_systems=sum(mean < value for mean in spread.system_means),
    )


def find_standings(column: ScoreColumn, value: float) -> tuple[Standing, ...]:
    """Where a value of a score stands in each dataset; nothing for a score that no file knows, or a missing value.

    >>> from gistmeter.scores import ScoreColumn
    >>> find_standings(ScoreColumn("mine.score", "mine|v:1"), 0.3)
    ()
    """
    table = read_standings().get((plain_measure(column.signature), column.short))
    if table is None or np.isnan(value):
        return ()
    return tuple(place_score(value, spread) for spread in table.sets)


def plain_measure(signature: str) -> str:
    """A signature without its version, and without how the sentences of a summary were found.

    >>> plain_measure("faithfulness|language:en|sentences:newline|v:0.2.0")
    'faithfulness|language:en'
    """
    return "|".join(part for part in without_version(signature).split("|") if not part.startswith("sentences:"))


def write_standings(tables: Iterable[StandingTable], path: Path) -> None:
    """Write a gzipped file of standings; the same tables give the same bytes."""
    write_bytes(path, gzip.compress(msgspec.json.encode(list(tables)), mtime=0))


@functools.cache
def read_standings() -> Mapping[tuple[str, str], StandingTable]:
    """What is known, by signature (see `plain_measure`) and column.

    >>> {"rouge2", "novelty", "js"} <= {table.spelling for table in read_standings().values()}
    True
    """
    folder = resources.files("gistmeter.ranking.trust").joinpath("data", "standings")
    tables = [
        table
        for file in sorted(folder.iterdir(), key=lambda file: file.name)
        for table in decode_json(
            gzip.decompress(file.read_bytes()), file.name, "a file of standings", kind=tuple[StandingTable, ...]
        )
    ]
    return {(table.signature, table.column): table for table in tables}
