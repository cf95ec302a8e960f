"""Finished work from elsewhere: its quality control, its judgments, and how far its raters agree."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import polars as pl

from gistmeter.annotate.crowd_files import check_map, is_mturk_batch, read_mturk_batch, rename_columns
from gistmeter.errors import DataError
from gistmeter.human.agreement import one_vs_rest
from gistmeter.human.alpha import krippendorff_alpha
from gistmeter.human.assignments import accepted_judgments, read_assignments
from gistmeter.human.overview import divide_records
from gistmeter.human.quality import quality_control
from gistmeter.human.raters import single_judgments, standardise
from gistmeter.io.records import read_records
from gistmeter.judgments import Judgments
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class ImportedGroup:
    """What one group of the work gave, such as one language."""

    group: str
    assignments: int
    accepted: int
    raters: int
    judgments: int
    alpha: float
    rest: float
    """The agreement of one rater with the rest, over all aspects, by 1,000 trials."""


@dataclass(frozen=True, slots=True)
class ImportedWork(Result):
    """Finished work that was read: which assignments are used, and the judgments of these."""

    by: str
    groups: tuple[ImportedGroup, ...]
    judgments: Judgments
    dropped: tuple[str, ...]
    """The assignments that are not used, and why."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each group."""
        return [
            {
                **({self.by: row.group} if self.by else {}),
                "assignments": row.assignments,
                "used": row.accepted,
                "raters": row.raters,
                "judgments": row.judgments,
                "alpha": row.alpha,
                "one against the rest": row.rest,
            }
            for row in self.groups
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Why assignments are not used."""
        return self.dropped


def import_work(
    source: str | Path,
    *,
    fields: Mapping[str, str] | None = None,
    least: float = 0.7,
    minutes: float = 0.0,
    same: float = 90.0,
    different: float = 10.0,
    z_scores: bool = False,
    by: str | None = None,
) -> ImportedWork:
    """Read finished work: a batch of MTurk, assignments as they were released, or any table by a map of columns.

    Parameters
    ----------
    source
        The file.
    fields
        Columns by field: `{"rater": "worker", "doc_id": "Input.article", "value": "Answer.slider"}`. `item` is a name
        such as `ES-17-REFERENCE-SYSTEM-BERT` or `ES-17-TRAP-SAME`.
    least, minutes, same, different
        As for `gistmeter.human.quality_control` and `traps_passed`.
    z_scores
        Whether each rater's values become z-scores, by task and over all aspects; controls take no part.
    by
        A field, such as `language`, whose values are looked at one by one.

    Raises
    ------
    DataError
        There is no work in the file, or no assignment is good enough.
    """
    records: Sequence[Mapping[str, Any]] = list(read_records(str(source)))
    if not records:
        raise DataError(f"there is no work in {source}: the file is empty")
    check_map(fields or {}, [str(key) for key in records[0]])
    if is_mturk_batch(records[0]):
        records = read_mturk_batch(records, fields or {})
    elif fields:
        records = rename_columns(records, fields)
    groups, tables, dropped = [], [], []
    for group, part in divide_records(records, by, str(source)).items():
        judgments = Judgments.from_records(part, name=str(source))
        counts = (0, 0)
        if any(record.get("trap") or record.get("quality_score") not in (None, "") for record in part):
            work = read_assignments(part, same=same, different=different)
            report = quality_control(work, least=least, minutes=minutes)
            judgments = accepted_judgments(judgments, report)
            counts = (len(report.verdicts), len(report.accepted))
            dropped += [
                f"{verdict.assignment.rater}, task {verdict.assignment.name}: {'; '.join(verdict.reasons)}"
                for verdict in report.dropped
            ]
        if z_scores:
            judgments = standardise(judgments, across_aspects=True, within="task")
        rows = single_judgments(judgments, None)
        works = len(rows.select("rater", "task").unique())
        groups.append(
            ImportedGroup(
                group=group,
                assignments=counts[0] or works,
                accepted=counts[1] or works,
                raters=rows["rater"].n_unique(),
                judgments=len(rows),
                alpha=_alpha(judgments),
                rest=_rest(judgments),
            )
        )
        tables.append(judgments.table)
    return ImportedWork(
        by=by or "", groups=tuple(groups), judgments=Judgments(pl.concat(tables)), dropped=tuple(dropped)
    )


def _alpha(judgments: Judgments) -> float:
    try:
        return krippendorff_alpha(judgments).value
    except DataError:
        return nan


def _rest(judgments: Judgments) -> float:
    try:
        return one_vs_rest(judgments).value
    except DataError:
        return nan
