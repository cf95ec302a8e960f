"""Means of systems straight from a file of scores, for runs too long to rank at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from gistmeter.io.score_tables import scan_table
from gistmeter.ranking.columns import main_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from gistmeter.scores import ScoreColumn


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMeans:
    """The mean of each main score by system, in the order of the file."""

    columns: tuple[ScoreColumn, ...]
    by_system: Mapping[str, tuple[float | None, ...]]
    """A mean for each column; None where a system has no score."""

    summaries: int
    """How many summaries the file has."""


def measure_means(path: Path, columns: Iterable[ScoreColumn], *, summaries: int) -> SystemMeans:
    """The means of the main scores among `columns`, read as a stream; missing scores are left out."""
    return average_systems(scan_table(path), columns, summaries=summaries)


def average_systems(table: pl.LazyFrame, columns: Iterable[ScoreColumn], *, summaries: int) -> SystemMeans:
    """The means of the main scores among `columns` of a table; missing scores are left out."""
    shown = tuple(column for column in main_columns(columns) if not column.parts)
    means = (
        table.group_by("system", maintain_order=True)
        .agg(pl.col(column.name).drop_nans().mean() for column in shown)
        .collect(engine="streaming")
    )
    return SystemMeans(
        columns=shown, by_system={system: tuple(values) for system, *values in means.iter_rows()}, summaries=summaries
    )
