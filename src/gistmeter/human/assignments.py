"""Assignments of a file: who did which task, how many controls were passed, and the judgments of accepted ones."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from gistmeter.errors import DataError, suggestion
from gistmeter.example import LARGEST_NUMBER, name_text, shorten_value
from gistmeter.human.quality import Assignment, TrapAnswer, quality_control, traps_passed
from gistmeter.human.raters import single_judgments
from gistmeter.io.fields import FIELD_NAMES, JUDGMENT_FIELDS, drop_missing, map_record
from gistmeter.io.human.assignments import is_released_assignment, parse_assignment_names, parse_name
from gistmeter.io.records import check_mapping, describe_record, keep_present, name_mapped, read_records
from gistmeter.judgments import Judgments
from gistmeter.result import Result
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gistmeter.human.quality import QualityReport

RELEASED_TRAPS = 10
"""Traps in an assignment whose record has a `quality_score` and does not say of how many."""


@dataclass(slots=True)
class _Work:
    """What the records of a file say of one assignment."""

    answers: list[TrapAnswer] = field(default_factory=list)
    passed: int | None = None
    traps: int = RELEASED_TRAPS
    minutes: float | None = None
    group: str = ""


def read_assignments(
    source: str | Path | Iterable[Mapping[str, Any]],
    *,
    same: float = 90.0,
    different: float = 10.0,
    by: str | None = None,
    fields: Mapping[str, str] | None = None,
) -> tuple[Assignment, ...]:
    """The assignments of a file: each rater's work on each task, with the controls passed and the minutes taken.

    A record names `rater` (or `worker`) and `task`. One with a `trap` (`same` or `different`) answers a control, its
    `value` from 0 to 100. `minutes` may stand in any record of an assignment. Where a record says how many controls
    were passed (`quality_score`, of `traps`, which is 10 if missing), that is taken; such a record with all z-scores
    of an assignment, as Koto, Lau and Baldwin (2021) released them, is read as it is.

    Parameters
    ----------
    source
        A file in any format, or decoded records.
    same
        The least that is right for a control whose two texts say the same.
    different
        The most that is right for a control whose two texts have nothing to do with one another.
    by
        A field of the records, such as `language`, to count assignments by (`QualityReport.by_group`).
    fields
        In which columns of a file fields are, where they have other names than gistmeter knows: `{"task": "hit"}`.

    Returns
    -------
    tuple[Assignment, ...]
        In the order they first appear.

    Raises
    ------
    DataError
        No record names a task, an assignment has no controls, or its records contradict each other.

    Examples
    --------
    >>> records = [
    ...     {"rater": "ann", "task": "1", "trap": "same", "value": 97, "minutes": 41},
    ...     {"rater": "ann", "task": "1", "trap": "different", "value": 30},
    ... ]
    >>> read_assignments(records)
    (Assignment(rater='ann', task='1', passed=1, traps=2, minutes=41.0, group='', time=1),)
    """
    name = str(source) if isinstance(source, str | Path) else "the records"
    records: Iterable[Mapping[str, Any]]
    if isinstance(source, str | Path):
        check_mapping(fields, [name])
        records = read_records(name, fields=fields)
    else:
        records = (map_record({**record}, fields) for record in source) if fields else source
    field_by = next(iter(name_mapped(by, fields)), None)
    work: dict[tuple[str, str, int], _Work] = {}
    times: Counter[tuple[str, str]] = Counter()
    record_fields: dict[str, None] = {}
    for number, record in enumerate(records, start=1):
        record_fields.update(dict.fromkeys(map(str, record)))
        try:
            _add_record(work, times, drop_missing(record), field_by)
        except DataError as error:
            raise DataError(f"{describe_record(record, number, name)}: {error}") from None
    if not work:
        raise DataError(f"there are no assignments in {name}: no record names its `rater` and `task`")
    if by is not None and not any(done.group for done in work.values()):
        raise DataError(f"no record of {name} has `{by}` to count assignments by{suggestion(by, record_fields)}")
    return tuple(
        _finish(rater, task, time, done, same=same, different=different) for (rater, task, time), done in work.items()
    )


@dataclass(frozen=True, slots=True)
class ScreenedWork(Result):
    """What quality control says of the assignments of a file, and the judgments of those that are accepted."""

    report: QualityReport
    by: str | None
    """The field that assignments are counted by."""
    judgments: Judgments
    """Those of accepted assignments."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each assignment, or for each group of them where they are counted by a field."""
        return self.report.records() if self.by is None else self.report.by_group(self.by).records()

    def details(self) -> dict[str, Any]:
        """Where the lines were drawn, and how many assignments are on either side."""
        return self.report.details()


def screen_work(
    source: str | Path,
    *,
    least: float = 0.7,
    minutes: float = 0.0,
    once: bool = True,
    same: float = 90.0,
    different: float = 10.0,
    by: str | None = None,
    fields: Mapping[str, str] | None = None,
) -> ScreenedWork:
    """Quality control of a file: count the controls, decide which assignments may be used, and keep their judgments.

    Parameters
    ----------
    source
        A file of judgments and answers to controls, or of assignments: see `read_assignments`.
    least, minutes, once
        As for `quality_control`: the share of controls to pass, the shortest time, and whether a rater counts once.
    same, different
        As for `traps_passed`: the least for texts that say the same, the most for texts that have nothing in common.
    by
        A field of the records, such as `language`, to count assignments by.
    fields
        In which columns of the file fields are, where they have other names than gistmeter knows: `{"task": "hit"}`.

    Returns
    -------
    ScreenedWork
        The report, and the judgments of accepted assignments.

    Raises
    ------
    ArgumentError
        A limit is out of its range.
    DataError
        The file has no assignments or no judgments, its records contradict each other, or nothing is accepted.

    Examples
    --------
    >>> from gistmeter.demo import demo_work
    >>> work = screen_work(demo_work())
    >>> [(verdict.assignment.rater, verdict.reasons) for verdict in work.report.dropped]
    [('dora', ('passed 1 of 10 controls, under 70%',))]
    >>> work.judgments.table["rater"].unique(maintain_order=True).to_list()
    ['ann', 'ben', 'cleo']
    """
    work = read_assignments(source, same=same, different=different, by=by, fields=fields)
    report = quality_control(work, least=least, minutes=minutes, once=once)
    judgments = Judgments.read(source, fields=keep_present(fields or {}, str(source), JUDGMENT_FIELDS))
    return ScreenedWork(report, by, accepted_judgments(judgments, report))


def accepted_judgments(judgments: Judgments, report: QualityReport) -> Judgments:
    """The judgments that raters gave in accepted assignments. Released averages are left out.

    Parameters
    ----------
    judgments
        Judgments of single raters, each with its task.
    report
        What quality control says of all these assignments.

    Returns
    -------
    Judgments
        Those of accepted assignments.

    Raises
    ------
    DataError
        Judgments are of an assignment that the report does not have, or none is accepted.

    Examples
    --------
    >>> from gistmeter.human import quality_control
    >>> item = {"doc_id": "d", "system": "s", "aspect": "focus", "value": 5}
    >>> records = [
    ...     {"rater": rater, "task": "1", **answer}
    ...     for rater, trap in (("ann", 97), ("bob", 40))
    ...     for answer in (item, {"trap": "same", "value": trap})
    ... ]
    >>> report = quality_control(read_assignments(records))
    >>> accepted_judgments(Judgments.from_records(records), report).table["rater"].to_list()
    ['ann']
    """
    rows = single_judgments(judgments, None)
    verdicts = pl.DataFrame(
        [(verdict.assignment.rater, verdict.assignment.name, not verdict.reasons) for verdict in report.verdicts],
        schema={"rater": pl.String, "task": pl.String, "accepted": pl.Boolean},
        orient="row",
    )
    judged = rows.join(verdicts, on=["rater", "task"], how="left", maintain_order="left")
    unknown = judged.filter(pl.col("accepted").is_null())
    if not unknown.is_empty():
        rater, task = unknown["rater"][0], unknown["task"][0]
        where = f"in task {task}" if task else "without a task"
        count = format_count(len(unknown), "judgment")
        raise DataError(f"{rater} gave judgments {where}, of which quality control says nothing ({count} in all)")
    accepted = judged.filter("accepted").drop("accepted")
    if accepted.is_empty():
        raise DataError(f"no assignment is accepted: quality control drops all {len(report.dropped)}")
    return Judgments(accepted)


def _add_record(
    work: dict[tuple[str, str, int], _Work],
    times: Counter[tuple[str, str]],
    record: Mapping[str, Any],
    by: str | None,
) -> None:
    """Add what a record says of its assignment; `times` counts how often whole assignments were handed in."""
    if is_released_assignment(record):
        rater, task = parse_assignment_names(record)
        times[rater, task] += 1
        time = times[rater, task]
    else:
        name, number = parse_name(record, "rater"), parse_name(record, "task")
        if record.get("trap") and (name is None or number is None):
            raise DataError("the answer to a control names no `rater` and `task`")
        if name is None or number is None:
            return
        rater, task, time = name, number, 1
    done = work.setdefault((rater, task, time), _Work())
    if by is not None:
        group = next((record[field] for field in FIELD_NAMES.get(by, (by,)) if record.get(field)), "")
        done.group = _agree(done.group, name_text(group, by), f"`{by}`", rater, task) or ""
    if record.get("minutes") not in (None, ""):
        done.minutes = _agree(done.minutes, _number(record, "minutes"), "`minutes`", rater, task)
    if record.get("quality_score") not in (None, ""):
        done.passed = _agree(done.passed, int(_number(record, "quality_score")), "`quality_score`", rater, task)
        if record.get("traps") not in (None, ""):
            done.traps = int(_number(record, "traps"))
    if record.get("trap"):
        done.answers.append(TrapAnswer(record["trap"], _number(record, "value")))


def _agree(before: Any, now: Any, what: str, rater: str, task: str) -> Any:
    """What records of one assignment say alike."""
    if before not in (None, "") and now not in (None, "") and before != now:
        raise DataError(f"{what} of {rater} in task {task} is {now}, and was {before} in an earlier record")
    return before if now in (None, "") else now


def _number(record: Mapping[str, Any], name: str) -> float:
    """A number of a record, which may be text in a table."""
    try:
        number = float(record[name])
    except (KeyError, TypeError, ValueError, OverflowError):
        number = math.nan
    if not abs(number) <= LARGEST_NUMBER:
        raise DataError(f"`{name}` is {shorten_value(record.get(name))}, not a number")
    return number


def _finish(rater: str, task: str, time: int, work: _Work, *, same: float, different: float) -> Assignment:
    """The assignment, once all its records are read."""
    passed, traps = work.passed, work.traps
    if passed is None:
        if not work.answers:
            raise DataError(
                f"{rater} answered no controls in task {task}: "
                "quality control needs records with `trap`, or a `quality_score`"
            )
        passed, traps = traps_passed(work.answers, same=same, different=different), len(work.answers)
    return Assignment(
        rater=rater, task=task, passed=passed, traps=traps, minutes=work.minutes, group=work.group, time=time
    )
