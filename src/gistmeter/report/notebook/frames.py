"""Results as frames: a row for each thing they speak of, numbers in full."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import polars as pl

from gistmeter.errors import MissingExtraError
from gistmeter.evidence import Evidence, Pane, draw_as
from gistmeter.ranking.compare import Comparison
from gistmeter.ranking.gate import GateResult
from gistmeter.ranking.rank import Ranking
from gistmeter.result import Result
from gistmeter.scores import KEYS, Scores


@singledispatch
def make_frame(result: Any) -> pl.DataFrame:
    """The rows of a result as a polars frame."""
    raise NotImplementedError(f"no frame of {type(result).__name__}")


def make_pandas(result: Any) -> Any:
    """The rows of a result as a pandas frame; pyarrow is not needed."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError("a pandas frame needs pandas: pip install pandas (`to_polars` needs nothing)") from None
    frame = make_frame(result)
    return pd.DataFrame(
        {
            name: frame[name].to_numpy() if frame.schema[name].is_numeric() else frame[name].to_list()
            for name in frame.columns
        },
        columns=frame.columns,
    )


@make_frame.register
def _(result: Scores) -> pl.DataFrame:
    parts = {part for column in result.columns for part in column.parts}
    return result.table.select(*KEYS, *(name for name in result.table.columns if name not in {*KEYS, *parts}))


@make_frame.register
def _(result: Ranking) -> pl.DataFrame:
    rows = [
        {
            "score": ranked.column.name,
            "rank": position,
            "system": system.system,
            "value": system.value,
            "low": system.low,
            "high": system.high,
            "documents": system.documents,
            "group": system.group,
        }
        for ranked in result.columns
        for position, system in enumerate(ranked.systems, start=1)
    ]
    return pl.DataFrame(rows)


@make_frame.register
def _(result: Comparison) -> pl.DataFrame:
    rows = [
        {
            "score": difference.column.name,
            "system_a": result.system_a,
            "system_b": result.system_b,
            "a": difference.a,
            "b": difference.b,
            "difference": difference.difference,
            "low": difference.low,
            "high": difference.high,
            "p": difference.pvalue,
            "documents": difference.documents,
        }
        for difference in result.differences
    ]
    return pl.DataFrame(rows)


@make_frame.register
def _(result: GateResult) -> pl.DataFrame:
    rows = [
        {
            "system": row.system,
            "score": row.column.name,
            "base": row.base,
            "new": row.new,
            "difference": row.difference,
            "low": row.low,
            "high": row.high,
            "p": row.pvalue,
            "margin": row.margin,
            "documents": row.documents,
            "verdict": row.verdict,
        }
        for row in result.rows
    ]
    return pl.DataFrame(rows)


@make_frame.register
def _(result: Result) -> pl.DataFrame:
    return result.to_frame()


@make_frame.register
def _(result: Evidence) -> pl.DataFrame:
    """What is marked: a row for each mark of each text."""
    panes = [block for block in draw_as(result.blocks, {"pane", "table"}) if isinstance(block, Pane)]
    rows = [
        {
            "text": pane.title,
            "start": mark.start,
            "end": mark.end,
            "marked": pane.text[mark.start : mark.end],
            "group": mark.group,
            "note": mark.note,
        }
        for pane in panes
        for mark in pane.marks
    ]
    kinds = {"text": pl.String, "start": pl.Int64, "end": pl.Int64, "marked": pl.String, "group": pl.Int64}
    return pl.DataFrame(rows, schema={**kinds, "note": pl.String})
