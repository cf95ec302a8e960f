"""Which table of calibrations a user asks for, and what to say when there is none."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import TYPE_CHECKING

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example, Unit
from gistmeter.metrics.registry import parse_metric
from gistmeter.ranking.trust.tables import find_table, read_shipped_tables
from gistmeter.signature import without_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.metrics.metric import Metric
    from gistmeter.ranking.trust.tables import Table
    from gistmeter.scores import ScoreColumn

_WAY_OUT = "with judgments of your own, `gistmeter trust fit` makes a table"


def find_asked_table(metric: str, column: str | None, tables: Iterable[Table] = ()) -> Table:
    """The table for a spelling or a signature, and a column of it, alone (`f1`) or with its metric (`rouge1.f1`).

    `tables` are looked at first, by name too: they may be of scores that gistmeter does not compute.
    """
    own_tables = tuple(tables)
    named = _find_by_name(metric, column, own_tables)
    if named is not None:
        return named
    if "|" in metric:
        signature, spelling = metric, _metric_name(metric)
        column = column and column.removeprefix(f"{spelling}.")
    else:
        spelling, column = _split_column(metric, column)
        asked = parse_metric(spelling)
        spelling = asked.spelling
        names = [score.name for score in asked.columns]
        if column is not None and column not in names:
            raise MetricError(f"{spelling} has no score {column!r} (it has {', '.join(names)})")
        column = column or ("f1" if "f1" in names else names[0])
        if next(score.better for score in asked.columns if score.name == column) == "neither":
            raise DataError(f"{spelling}.{column} describes and does not judge: people cannot agree with it")
        # Only a whole signature has models looked up, which takes seconds; a name without any table does not need it.
        tables = (*own_tables, *read_shipped_tables().values())
        has_tables = any(_metric_name(table.signature) == asked.name for table in tables)
        signature = plain_signature(asked) if has_tables else asked.name
    column = column or "f1"
    table = find_table(signature, column, own_tables, spelling=spelling)
    if table is None:
        why = _explain_uncalibrated(signature)
        raise DataError(f"how often people agree with {spelling}.{column} is not known: {why}")
    return table


def plain_signature(metric: Metric) -> str:
    """The signature of a metric where the data is plain English text.

    >>> plain_signature(parse_metric("js")).partition("|v:")[0]
    'js|language:en|order:1|smooth:no|stem:porter|stopwords:language|tokenizer:unicode'
    """
    example = Example(
        doc_id="1",
        system="1",
        summary="A text.",
        references=("A text.",),
        document="A text.",
        units=(Unit("A text."),),
    )
    return metric.signature({key: [value] for key, value in metric.traits(example).items()})


def _find_by_name(metric: str, column: str | None, tables: Sequence[Table]) -> Table | None:
    """The table whose score, or whose metric (its f1, or else its first score), has that name."""
    asked = column and column.removeprefix(f"{metric}.")
    for table in tables:
        if table.name == metric and asked in (None, table.column):
            return table
    of_metric = [table for table in tables if table.spelling == metric and asked in (None, table.column)]
    return next((table for table in of_metric if table.column == "f1"), of_metric[0] if of_metric else None)


def _split_column(metric: str, column: str | None) -> tuple[str, str | None]:
    """`rouge1(alpha=0.8).f1` as metric and column; a dot within brackets is part of a setting."""
    before, dot, last = metric.rpartition(".")
    if not dot or not last.isidentifier():
        return metric, column and column.removeprefix(f"{metric}.")
    column = column and column.removeprefix(f"{before}.")
    if column is not None and column != last:
        raise MetricError(f"{metric} names the score {last}, and {column} was asked for; say one of them")
    return before, last


def _explain_uncalibrated(signature: str) -> str:
    """Why there is no table for a signature: what differs from a calibrated one of the same metric, or a reason."""
    name, *settings = without_version(signature).split("|")
    tables = [table for table in read_shipped_tables().values() if _metric_name(table.signature) == name]
    if not tables:
        reason = read_reasons().get(name)
        return f"{reason or f'calibrated are {_list_calibrated()} (English, default settings)'}; {_WAY_OUT}"
    usual_settings = tables[0].signature.split("|")[1:]
    differing = sorted(set(settings) - set(usual_settings))
    if not differing:
        columns = ", ".join(table.name for table in tables if table.signature == tables[0].signature)
        return f"calibrated are {columns}; {_WAY_OUT}"
    keys = {setting.partition(":")[0] for setting in differing}
    usual = sorted(setting for setting in usual_settings if setting.partition(":")[0] in keys)
    return f"it is calibrated with {', '.join(usual) or 'other settings'}, not with {', '.join(differing)}; {_WAY_OUT}"


def explain_nothing_calibrated(columns: Sequence[ScoreColumn]) -> str:
    """The message for scores of which none is calibrated."""
    names = [column.name for column in columns]
    if len(columns) == 1 and not columns[0].parts:
        return f"how often people agree with {names[0]} is not known: {_explain_uncalibrated(columns[0].signature)}"
    return (
        f"how often people agree is not known for any of {', '.join(names)}: calibrated are {_list_calibrated()}; "
        f"{_WAY_OUT}"
    )


@functools.cache
def read_reasons() -> Mapping[str, str]:
    """Why some metrics are not calibrated, by name.

    >>> "document" in read_reasons()["qags"]
    True
    """
    text = resources.files("gistmeter.ranking.trust").joinpath("data", "uncalibrated.toml").read_text("utf-8")
    reasons: dict[str, str] = tomllib.loads(text)
    return reasons


def _metric_name(signature: str) -> str:
    return signature.partition("|")[0]


def _list_calibrated() -> str:
    return ", ".join(dict.fromkeys(table.spelling for table in read_shipped_tables().values()))
