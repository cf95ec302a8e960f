"""Worst: the summaries that score worst, and how far they lie below what their system usually reaches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.ranking.columns import choose_columns, main_columns, note_columns
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.scores import ScoreColumn, Scores


@dataclass(frozen=True, slots=True)
class WorstSummary:
    """A summary that scores badly."""

    doc_id: str
    system: str
    score: float
    mean: float
    """Of its system, over all documents that have the score."""
    below: float
    """How much worse it is than the mean of its system; less than 0 where it is better."""


@dataclass(frozen=True, slots=True)
class WorstSummaries(Result):
    """The summaries that score worst by one score, the worst first."""

    column: ScoreColumn
    rows: tuple[WorstSummary, ...]
    summaries: int
    """How many have the score."""
    missing: int
    """How many of those that were looked at have none."""
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each summary."""
        return [
            {"doc_id": row.doc_id, "system": row.system, "score": row.score, "mean": row.mean, "below": row.below}
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """The score that they are worst by."""
        return {
            "column": self.column.name,
            "better": self.column.better,
            "signature": self.column.signature,
            "summaries": self.summaries,
            "missing": self.missing,
        }


def find_worst(
    scores: Scores,
    metric: str | None = None,
    *,
    count: int = 10,
    systems: Sequence[str] = (),
    each: bool = False,
    lower: Sequence[str] = (),
    higher: Sequence[str] = (),
) -> WorstSummaries:
    """The summaries with the worst scores; where a score is low when it is good, those are the highest.

    The parameters, and what is raised, are those of `gistmeter.worst`.
    """
    if count < 1:
        raise ArgumentError(f"`count` is 1 or more, not {count}")
    for system in systems:
        scores.check_system(system)
    column = _choose_column(scores, metric, lower=lower, higher=higher)
    matrix = scores.matrix(column.name)
    sign = -1.0 if column.better == "lower" else 1.0
    rows: list[WorstSummary] = []
    missing = scored = 0
    pairs = {(doc_id, system) for doc_id, system in scores.table.select("doc_id", "system").iter_rows()}
    for system, values in zip(matrix.systems, matrix.values, strict=True):
        if systems and system not in systems:
            continue
        present = np.flatnonzero(~np.isnan(values))
        scored += len(present)
        missing += sum((doc_id, system) in pairs for doc_id in matrix.documents) - len(present)
        mean = float(values[present].mean()) if len(present) else float("nan")
        order = present[np.argsort(sign * values[present], kind="stable")]
        rows += [
            WorstSummary(
                doc_id=matrix.documents[position],
                system=system,
                score=float(values[position]),
                mean=mean,
                below=float(sign * (mean - values[position])),
            )
            for position in order[:count]
        ]
    if not each:
        rows = sorted(rows, key=lambda row: sign * row.score)[:count]
    return WorstSummaries(
        column=column, rows=tuple(rows), summaries=scored, missing=missing, notes=note_columns([column])
    )


def _choose_column(scores: Scores, metric: str | None, *, lower: Sequence[str], higher: Sequence[str]) -> ScoreColumn:
    """The score to sort by, which must judge single summaries."""
    if metric is not None:
        (column,) = choose_columns(scores, [metric], lower=lower, higher=higher)
        if column.better == "neither":
            raise DataError(f"{column.name} does not judge: say which way is good with `lower=` or `higher=`")
        return column
    columns = main_columns(choose_columns(scores, None, lower=lower, higher=higher))
    judging = [column for column in columns if column.better != "neither" and not column.parts]
    if not judging:
        raise DataError("no score here judges single summaries: name one with `metric=`")
    return judging[0]
