"""Quality control: which assignments of raters to use, from the controls among their items.

A control is an item whose right answer is known: two texts that say the same, or have nothing to do with one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from statistics import fmean, median
from typing import TYPE_CHECKING, Any, Literal, get_args

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.io.human.assignments import repeated_task
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TrapKind = Literal["same", "different"]


@dataclass(frozen=True, slots=True)
class TrapAnswer:
    """What a rater answered to a control, from 0 to 100."""

    kind: TrapKind
    value: float


@dataclass(frozen=True, slots=True)
class Assignment:
    """One rater's work on one task (a batch of items), and how it went."""

    rater: str
    task: str
    passed: int
    """How many of the controls were answered right."""
    traps: int = 10
    minutes: float | None = None
    group: str = ""
    """What assignments are counted by, such as the language; see `read_assignments`."""
    time: int = 1
    """Which time it is that the rater does this task."""

    @property
    def name(self) -> str:
        """The `task` of this assignment's judgments: the task, and which time where it is not the first.

        >>> Assignment("ann", "7", passed=9).name, Assignment("ann", "7", passed=9, time=2).name
        ('7', '7 (time 2)')
        """
        return repeated_task(self.task, self.time)


@dataclass(frozen=True, slots=True)
class Verdict:
    """An assignment, and why it must not be used; without a reason it is accepted."""

    assignment: Assignment
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QualityReport(Result):
    """Which assignments to keep and which to drop, in the order they were given."""

    verdicts: tuple[Verdict, ...]
    least: float
    """The share of controls to pass."""
    minutes: float
    """The shortest time to take."""

    @property
    def accepted(self) -> tuple[Assignment, ...]:
        """The assignments to use."""
        return tuple(verdict.assignment for verdict in self.verdicts if not verdict.reasons)

    @property
    def dropped(self) -> tuple[Verdict, ...]:
        """The others, with reasons."""
        return tuple(verdict for verdict in self.verdicts if verdict.reasons)

    def records(self) -> list[dict[str, Any]]:
        """A row for each assignment."""
        return [
            {
                "rater": verdict.assignment.rater,
                "task": verdict.assignment.name,
                "passed": verdict.assignment.passed,
                "controls": verdict.assignment.traps,
                "minutes": nan if verdict.assignment.minutes is None else verdict.assignment.minutes,
                "accepted": not verdict.reasons,
                "reasons": "; ".join(verdict.reasons),
            }
            for verdict in self.verdicts
        ]

    def details(self) -> dict[str, Any]:
        """Where the lines were drawn, and how many assignments are on either side."""
        counts = {"assignments": len(self.verdicts), "usable": len(self.accepted), "unusable": len(self.dropped)}
        return {"least": self.least, "shortest": self.minutes, **counts}

    def by_group(self, name: str = "group") -> QualityGroups:
        """The report counted up by the group of assignments; `name` heads their column.

        >>> work = [Assignment("ann", "1", passed=9, group="en"), Assignment("bob", "1", passed=5, group="en")]
        >>> quality_control(work).by_group("language").to_frame().select("language", "accepted", "quality").rows()
        [('en', 1, 0.9)]
        """
        groups: dict[str, list[Verdict]] = {}
        for verdict in self.verdicts:
            groups.setdefault(verdict.assignment.group, []).append(verdict)
        return QualityGroups(
            name=name,
            rows=tuple(_count_group(group, verdicts) for group, verdicts in groups.items()),
            least=self.least,
            shortest=self.minutes,
        )


@dataclass(frozen=True, slots=True)
class QualityGroup:
    """How quality control went in one group of assignments."""

    group: str
    assignments: int
    accepted: int
    raters: int
    """How many people did the accepted ones."""
    quality: float
    """The mean share of controls passed in accepted assignments; NaN where there are none."""
    minutes: float
    """The median time of accepted assignments, where it is known."""


@dataclass(frozen=True, slots=True)
class QualityGroups(Result):
    """How quality control went in each group of assignments, such as each language."""

    name: str
    rows: tuple[QualityGroup, ...]
    least: float
    shortest: float

    def records(self) -> list[dict[str, Any]]:
        """A row for each group."""
        return [
            {
                self.name: row.group,
                "assignments": row.assignments,
                "accepted": row.accepted,
                "dropped": row.assignments - row.accepted,
                "raters": row.raters,
                "quality": row.quality,
                "median minutes": row.minutes,
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """Where the lines were drawn."""
        return {"least": self.least, "shortest": self.shortest}


def traps_passed(answers: Iterable[TrapAnswer], *, same: float = 90.0, different: float = 10.0) -> int:
    """How many controls were answered right.

    Parameters
    ----------
    answers
        What a rater answered to the controls of an assignment, from 0 to 100.
    same
        The least that is right for two texts that say the same. The defaults of both limits are those of the notebook
        published with Koto et al. (2021).
    different
        The most that is right for two texts that have nothing to do with one another.

    Returns
    -------
    int
        How many are right.

    Raises
    ------
    ArgumentError
        An answer could be right for both kinds.
    DataError
        A control is of neither kind.

    Examples
    --------
    >>> traps_passed([TrapAnswer("same", 95), TrapAnswer("same", 60), TrapAnswer("different", 10)])
    2
    """
    if not different < same:
        raise ArgumentError(
            f"no answer may be right for both kinds: `different` {different} is not below `same` {same}"
        )
    right = 0
    for answer in answers:
        if answer.kind not in get_args(TrapKind):
            hint = suggestion(str(answer.kind), get_args(TrapKind))
            raise DataError(f"unknown kind of control {answer.kind!r}{hint} (same or different)")
        right += answer.value >= same if answer.kind == "same" else answer.value <= different
    return right


def quality_control(
    assignments: Iterable[Assignment], *, least: float = 0.7, minutes: float = 0.0, once: bool = True
) -> QualityReport:
    """Keep the assignments with enough controls passed, and say why the others are dropped.

    Parameters
    ----------
    assignments
        What raters did: see `read_assignments`.
    least
        The share of controls to pass; 7 of 10 in Koto et al. (2021, 2022).
    minutes
        The shortest time to take, if the time is known. Koto, Lau and Baldwin (2021) used no limit for their data; they
        paid for work of 30 minutes or more with 5 controls of 10.
    once
        A rater counts once for a task (the first time that is good enough): one person is not two raters.

    Returns
    -------
    QualityReport
        Which assignments are accepted, and why the others are not.

    Raises
    ------
    ArgumentError
        `least` is no share.
    DataError
        More controls were passed than there are, or an assignment has none.

    Examples
    --------
    >>> report = quality_control([Assignment("ann", "t1", passed=9), Assignment("bob", "t1", passed=5)])
    >>> [assignment.rater for assignment in report.accepted], report.dropped[0].reasons
    (['ann'], ('passed 5 of 10 controls, under 70%',))
    """
    if not 0 <= least <= 1:
        raise ArgumentError(f"`least` is a share of the controls, such as 0.7 for 7 of 10, not {least}")
    verdicts: list[Verdict] = []
    done: set[tuple[str, str]] = set()
    for assignment in assignments:
        rater, task = assignment.rater, assignment.task
        reasons = _reasons_to_drop(assignment, least, minutes)
        if once and not reasons and (rater, task) in done:
            reasons = (f"{rater} has already done task {task}",)
        verdicts.append(Verdict(assignment, reasons))
        if not reasons:
            done.add((rater, task))
    return QualityReport(tuple(verdicts), least, minutes)


def _reasons_to_drop(assignment: Assignment, least: float, minutes: float) -> tuple[str, ...]:
    """Why an assignment is not good enough; nothing if it is."""
    passed, traps = assignment.passed, assignment.traps
    if not 0 <= passed <= traps or traps < 1:
        raise DataError(f"{assignment.rater} cannot have passed {passed} of {traps} controls of task {assignment.task}")
    reasons = []
    if passed / traps < least:
        reasons.append(f"passed {passed} of {traps} controls, under {least:.0%}")
    if assignment.minutes is not None and assignment.minutes < minutes:
        digits = 3 if f"{assignment.minutes:.3g}" != f"{minutes:.3g}" else 6
        reasons.append(f"took {assignment.minutes:.{digits}g} minutes, less than {minutes:.{digits}g}")
    return tuple(reasons)


def _count_group(group: str, verdicts: Sequence[Verdict]) -> QualityGroup:
    """What became of the assignments of one group."""
    accepted = [verdict.assignment for verdict in verdicts if not verdict.reasons]
    times = [assignment.minutes for assignment in accepted if assignment.minutes is not None]
    return QualityGroup(
        group=group,
        assignments=len(verdicts),
        accepted=len(accepted),
        raters=len({assignment.rater for assignment in accepted}),
        quality=fmean(assignment.passed / assignment.traps for assignment in accepted) if accepted else nan,
        minutes=median(times) if times else nan,
    )
