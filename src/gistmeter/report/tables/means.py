"""Means of systems straight from a file of scores, for runs too long to hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from gistmeter.ranking.columns import main_columns
from gistmeter.report.tables.board import heading
from gistmeter.report.tables.numbers import format_count
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.scoring.tally import Outcome


def means_sheet(outcome: Outcome, path: Path) -> Sheet:
    """The mean of each shown score by system, read as a stream; missing scores are left out."""
    shown = [column for column in main_columns(outcome.columns) if not column.parts]
    scan: Any = {".parquet": pl.scan_parquet, ".csv": pl.scan_csv, ".jsonl": pl.scan_ndjson}[path.suffix]
    means = (
        scan(path)
        .group_by("system", maintain_order=True)
        .agg(pl.col(column.name).drop_nans().mean() for column in shown)
        .collect(engine="streaming")
    )
    rows = [
        {"system": row["system"], **{heading(column): row[column.name] for column in shown}}
        for row in means.iter_rows(named=True)
    ]
    return Sheet.of(rows, caption=f"Means of {format_count(outcome.rows, 'summary')}; `gistmeter rank` adds intervals.")
