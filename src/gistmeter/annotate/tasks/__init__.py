"""The tasks that a study can give to people, by name; `task.py` says what a task is, and how to add one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.annotate.tasks.answers import Answers
from gistmeter.annotate.tasks.coherence import Coherence
from gistmeter.annotate.tasks.content_units import ContentUnits
from gistmeter.annotate.tasks.faithfulness import Faithfulness
from gistmeter.annotate.tasks.focus_coverage import FocusCoverage
from gistmeter.annotate.tasks.quality import Quality
from gistmeter.annotate.tasks.salient_phrases import SalientPhrases
from gistmeter.annotate.tasks.side_by_side import SideBySide
from gistmeter.annotate.tasks.unit_merging import UnitMerging
from gistmeter.annotate.tasks.unit_writing import UnitWriting
from gistmeter.errors import ArgumentError, suggestion

if TYPE_CHECKING:
    from gistmeter.annotate.tasks.task import Task

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        FocusCoverage(),
        Coherence(),
        Faithfulness(),
        Quality(),
        ContentUnits(),
        UnitWriting(),
        UnitMerging(),
        SalientPhrases(),
        Answers(),
        SideBySide(),
    )
}


def find_task(name: str) -> Task:
    """The task of a name.

    >>> find_task("coherense")
    Traceback (most recent call last):
    gistmeter.errors.ArgumentError: unknown task 'coherense'; did you mean coherence? (there is ...)
    """
    if name not in TASKS:
        hint = suggestion(name, TASKS)
        raise ArgumentError(f"unknown task {name!r}{hint} (there is {', '.join(TASKS)})")
    return TASKS[name]
