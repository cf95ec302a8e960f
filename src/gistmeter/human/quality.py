"""Quality control: which assignments of raters to use, from the traps among their tasks.

A trap is an item whose right answer is known: two texts that say the same, or have nothing to do with one another.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from gistmeter.errors import ArgumentError, DataError, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable

TrapKind = Literal["same", "different"]


@dataclass(frozen=True, slots=True)
class TrapAnswer:
    """What a rater answered to a trap, from 0 to 100."""

    kind: TrapKind
    value: float


@dataclass(frozen=True, slots=True)
class Assignment:
    """One rater's work on one task (a batch of items), and how it went."""

    rater: str
    task: str
    passed: int
    """How many of the traps were answered right."""
    traps: int = 10
    minutes: float | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """An assignment, and why it must not be used; without a reason it is accepted."""

    assignment: Assignment
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QualityReport:
    """Which assignments to keep and which to drop, in the order they were given."""

    accepted: tuple[Assignment, ...]
    dropped: tuple[Verdict, ...]


def traps_passed(answers: Iterable[TrapAnswer], *, same: float = 90.0, different: float = 10.0) -> int:
    """How many traps were answered right: at least `same` for the same text, at most `different` for unrelated ones.

    The defaults, for answers from 0 to 100, are those of the notebook published with Koto et al. (2021).

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
            raise DataError(f"unknown kind of trap {answer.kind!r}{hint} (same or different)")
        right += answer.value >= same if answer.kind == "same" else answer.value <= different
    return right


def quality_control(
    assignments: Iterable[Assignment], *, least: float = 0.7, minutes: float = 0.0, once: bool = True
) -> QualityReport:
    """Keep the assignments with enough traps passed, and say why the others are dropped.

    `least` is the share of traps to pass, 7 of 10 in Koto et al. (2021, 2022). `minutes` is the shortest time to
    take, if the time is known. With `once` a rater counts once for a task (the first time that is good enough):
    one person is not two raters.

    >>> report = quality_control([Assignment("ann", "t1", passed=9), Assignment("bob", "t1", passed=5)])
    >>> [assignment.rater for assignment in report.accepted], report.dropped[0].reasons
    (['ann'], ('passed 5 of 10 traps, fewer than 70%',))
    """
    if not 0 <= least <= 1:
        raise ArgumentError(f"`least` is a share of the traps, such as 0.7 for 7 of 10, not {least}")
    accepted: list[Assignment] = []
    dropped: list[Verdict] = []
    done: set[tuple[str, str]] = set()
    for assignment in assignments:
        rater, task = assignment.rater, assignment.task
        reasons = _reasons_to_drop(assignment, least, minutes)
        if once and not reasons and (rater, task) in done:
            reasons = (f"{rater} has already done task {task}",)
        if reasons:
            dropped.append(Verdict(assignment, reasons))
        else:
            accepted.append(assignment)
            done.add((rater, task))
    return QualityReport(tuple(accepted), tuple(dropped))


def _reasons_to_drop(assignment: Assignment, least: float, minutes: float) -> tuple[str, ...]:
    """Why an assignment is not good enough; nothing if it is."""
    passed, traps = assignment.passed, assignment.traps
    if not 0 <= passed <= traps or traps < 1:
        raise DataError(f"{assignment.rater} cannot have passed {passed} of {traps} traps of task {assignment.task}")
    reasons = []
    if passed / traps < least:
        reasons.append(f"passed {passed} of {traps} traps, fewer than {least:.0%}")
    if assignment.minutes is not None and assignment.minutes < minutes:
        reasons.append(f"took {assignment.minutes:g} minutes, less than {minutes:g}")
    return tuple(reasons)
