"""How far a study is: assignments, people, time, quality and agreement so far."""

from __future__ import annotations

import warnings
from collections import Counter, defaultdict
from dataclasses import dataclass
from math import nan
from statistics import median
from typing import TYPE_CHECKING, Any

from gistmeter.annotate.collection import collect_judgments
from gistmeter.annotate.grading import grade_work
from gistmeter.annotate.results.agreement import StudyAgreement, measure_agreement
from gistmeter.annotate.tasks import find_task
from gistmeter.errors import DataError, GistmeterWarning
from gistmeter.result import Result

if TYPE_CHECKING:
    from gistmeter.annotate.store import Store, WorkState


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """What one rater did so far."""

    rater: str
    passed: int
    failed: int
    current: str
    """Where the rater is in an unfinished assignment, such as `12 of 100`; empty where there is none."""
    answers: int
    seconds: float
    """The median time of an answer; NaN without one."""
    right: int
    controls: int


@dataclass(frozen=True, slots=True)
class BatchProgress:
    """How many assignments of a batch are in which state."""

    batch: int
    items: int
    passed: int
    failed: int
    working: int
    open: int


@dataclass(frozen=True, slots=True)
class StudyProgress(Result):
    """How far a study is."""

    planned: int
    done: int
    failed: int
    working: int
    needed: int
    """How many more people are needed, as open assignments are of batches that all who are invited did."""
    raters: tuple[RaterProgress, ...]
    batches: tuple[BatchProgress, ...]
    agreement: tuple[StudyAgreement, ...]
    failures: tuple[str, ...]
    """Why assignments failed."""

    def records(self) -> list[dict[str, Any]]:
        """A row for each rater."""
        rows = [
            {
                "rater": row.rater,
                "usable": row.passed,
                "failed": row.failed,
                "now at": row.current or "-",
                "answers": row.answers,
                "seconds an item": row.seconds,
                "controls right": f"{row.right} of {row.controls}" if row.controls else "-",
            }
            for row in self.raters
        ]
        return rows or [{"rater": "-", "usable": 0, "failed": 0, "now at": "-", "answers": 0}]

    def details(self) -> dict[str, Any]:
        """Assignments by their state, and agreement so far."""
        return {
            "planned": self.planned,
            "usable assignments": self.done,
            "failed assignments": self.failed,
            "being done": self.working,
            "people needed": self.needed,
            "agreement": [
                {
                    "aspect": row.aspect,
                    "F1" if row.is_f1 else "alpha": row.alpha,
                    "one vs rest": row.rest,
                    "items": row.items,
                }
                for row in self.agreement
            ],
        }

    def _describe_needed(self) -> str:
        people = "1 more rater is" if self.needed == 1 else f"{self.needed} more raters are"
        return f"{people} needed for open assignments"

    @property
    def notes(self) -> tuple[str, ...]:
        """Agreement, failures, and whether people are missing."""
        agreement = tuple(row.describe() for row in self.agreement)
        missing = (self._describe_needed(),) if self.needed else ()
        return (*agreement, *self.failures, *missing)


def measure_progress(store: Store, *, agreement: tuple[StudyAgreement, ...] | None = None) -> StudyProgress:
    """How far a study is; `agreement` is what was measured before, where nothing was handed in since."""
    names = {rater.id: rater.name for rater in store.list_raters()}
    work = store.list_work()
    by_rater: dict[int, list[WorkState]] = defaultdict(list)
    for state in work:
        if state.rater is not None:
            by_rater[state.rater].append(state)
    rows = tuple(_measure_rater(store, name, by_rater[number]) for number, name in names.items())
    states = Counter((state.batch, state.state) for state in work)
    batches = tuple(
        BatchProgress(
            batch=number,
            items=len(batch.orders[0]),
            passed=states[number, "passed"],
            failed=states[number, "failed"],
            working=states[number, "taken"] + states[number, "idle"],
            open=states[number, "open"],
        )
        for number, batch in store.study.batches.items()
    )
    return StudyProgress(
        planned=len(batches) * store.study.settings.raters,
        done=sum(row.passed for row in batches),
        failed=sum(row.failed for row in batches),
        working=sum(row.working for row in batches),
        needed=_count_needed(batches, work, list(names)),
        raters=rows,
        batches=batches,
        agreement=_measure_agreement(store) if agreement is None else agreement,
        failures=tuple(
            f"{names[state.rater]}, batch {state.batch}: {state.reasons}"
            for state in work
            if state.state == "failed" and state.rater is not None
        ),
    )


def _measure_rater(store: Store, name: str, work: list[WorkState]) -> RaterProgress:
    right = controls = 0
    times: list[float] = []
    current = ""
    for state in work:
        answers = store.read_answers(state.id)
        grade = grade_work(store.study, answers, store.read_times(state.id))
        right, controls = right + grade.right, controls + grade.controls
        times += [answer.seconds for answer in answers.values()]
        if state.state in ("taken", "idle"):
            current = f"{len(answers)} of {len(store.study.batches[state.batch].orders[0])}"
    return RaterProgress(
        rater=name,
        passed=sum(state.state == "passed" for state in work),
        failed=sum(state.state == "failed" for state in work),
        current=current,
        answers=len(times),
        seconds=median(times) if times else nan,
        right=right,
        controls=controls,
    )


def _count_needed(batches: tuple[BatchProgress, ...], work: list[WorkState], raters: list[int]) -> int:
    """How many more people are needed so that every open assignment has somebody who has not done its batch."""
    most = 0
    for row in batches:
        did = {state.rater for state in work if state.batch == row.batch}
        most = max(most, row.open - sum(rater not in did for rater in raters))
    return most


def _measure_agreement(store: Store) -> tuple[StudyAgreement, ...]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GistmeterWarning)
            return measure_agreement(collect_judgments(store), find_task(store.study.settings.task))
    except DataError:  # there is nothing usable yet
        return ()
