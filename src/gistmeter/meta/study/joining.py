"""Joining scores with judgments: which columns are scores of summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.metrics.column_names import is_part

if TYPE_CHECKING:
    from gistmeter.scores import Scores


def split_columns(scores: Scores) -> tuple[list[str], list[str]]:
    """The names of scores of single summaries, and of counts that a metric of whole systems adds up.

    A table that says what its columns are has no column of counts; in any other they are told by their names.
    """
    of_summaries = [column for column in scores.columns if not column.parts]
    counts = {column.name for column in of_summaries if not column.stated and is_part(column.name)}
    return [column.name for column in of_summaries if column.name not in counts], sorted(counts)
