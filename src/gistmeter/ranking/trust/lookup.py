"""Which table of calibrations a user asks for, and what to say when there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics.registry import parse_metric
from gistmeter.ranking.trust.tables import find_table, read_shipped_tables
from gistmeter.signature import without_version

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.ranking.trust.tables import Table
    from gistmeter.scores import ScoreColumn


def find_asked_table(metric: str, column: str | None) -> Table:
    """The table for a spelling or a signature, and a column of it, alone (`f1`) or with its metric (`rouge1.f1`)."""
    if "|" in metric:
        signature, spelling = metric, metric.partition("|")[0]
        column = column and column.removeprefix(f"{spelling}.")
    else:
        spelling, column = _split_column(metric, column)
        asked = parse_metric(spelling)
        # What the data decides, for plain English texts.
        example = Example(doc_id="1", system="1", summary="A text.", references=("A text.",), document="A text.")
        traits = {key: [value] for key, value in asked.traits(example).items()}
        signature, spelling = asked.signature(traits), asked.spelling
        names = [score.name for score in asked.columns]
        if column is not None and column not in names:
            raise MetricError(f"{spelling} has no score {column!r} (it has {', '.join(names)})")
        column = column or ("f1" if "f1" in names else names[0])
    column = column or "f1"
    table = find_table(signature, column)
    if table is None:
        why = _explain_uncalibrated(signature)
        raise DataError(f"how often people agree with {spelling}.{column} is not known: {why}")
    return table


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
    """What the signature differs in from a calibrated one of the same metric, and what is calibrated."""
    name, *settings = without_version(signature).split("|")
    calibrated_names = f"calibrated are {_list_calibrated()} (English, default settings)"
    calibrated = [table for table in read_shipped_tables().values() if table.spelling == name]
    if not calibrated:
        return calibrated_names
    differing = sorted(set(settings) - set(calibrated[0].signature.split("|")))
    if differing:
        keys = {setting.partition(":")[0] for setting in differing}
        settings_of_table = calibrated[0].signature.split("|")[1:]
        usual = sorted(setting for setting in settings_of_table if setting.partition(":")[0] in keys)
        return f"it is calibrated with {', '.join(usual) or 'other settings'}, not with {', '.join(differing)}"
    return calibrated_names


def explain_nothing_calibrated(columns: Sequence[ScoreColumn]) -> str:
    """The message for scores of which none is calibrated."""
    names = [column.name for column in columns]
    if len(columns) == 1 and not columns[0].parts:
        return f"how often people agree with {names[0]} is not known: {_explain_uncalibrated(columns[0].signature)}"
    return f"how often people agree is not known for any of {', '.join(names)}: calibrated are {_list_calibrated()}"


def _list_calibrated() -> str:
    return ", ".join(table.name for table in read_shipped_tables().values())
