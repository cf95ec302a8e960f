"""Quality control of an assignment: the controls answered right, and the time taken."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.annotate.tasks import find_task
from gistmeter.human.quality import Assignment, quality_control

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.annotate.store import KeptAnswer, Store, WorkState
    from gistmeter.annotate.study import Study

LONGEST_SECONDS = 600.0
"""Time with one item that counts: longer is a pause."""

FORGOTTEN_SECONDS = 3600.0
"""An assignment that is answered to the end is handed in by itself after so long."""


@dataclass(frozen=True, slots=True)
class Grade:
    """How an assignment went: why it must not be used, or nothing."""

    right: int
    """Controls answered right."""
    controls: int
    """Controls answered."""
    seconds: float
    reasons: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether it may be used."""
        return not self.reasons


def grade_work(study: Study, answers: Mapping[str, KeptAnswer], seconds: float) -> Grade:
    """Grade the answers of one assignment by the rule of its study."""
    task = find_task(study.settings.task)
    values = {name: answer.value for name, answer in answers.items()}
    controls = [study.items[name] for name in answers if study.items[name].is_control]
    right = sum(task.check_control(control, values[control.id], values) for control in controls)
    rule = study.settings.rule
    minutes = seconds / 60
    # Without controls time alone decides.
    work = Assignment(rater="-", task="-", passed=right, traps=len(controls), minutes=minutes)
    timed = work if controls else Assignment(rater="-", task="-", passed=1, traps=1, minutes=minutes)
    report = quality_control([timed], least=rule.controls, minutes=rule.seconds / 60)
    return Grade(right=right, controls=len(controls), seconds=seconds, reasons=report.verdicts[0].reasons)


def hand_in_forgotten(store: Store) -> None:
    """Hand in what is answered to the end and was left so for an hour: the page was closed before the last step."""
    answered = store.count_answered()
    for work in store.list_work():
        if work.id in answered:
            count = answered[work.id]
            is_complete = count.items == len(store.study.batches[work.batch].orders[0])
            if is_complete and store.clock() - count.last > FORGOTTEN_SECONDS:
                hand_in(store, work)


def hand_in(store: Store, work: WorkState) -> Grade:
    """Grade an assignment whose items are all answered, and close it."""
    while True:
        rows = store.count_rows(work.id)
        grade = grade_work(store.study, store.read_answers(work.id), store.read_times(work.id))
        if store.finish_work(work.id, passed=grade.passed, reasons="; ".join(grade.reasons), rows=rows):
            return grade
