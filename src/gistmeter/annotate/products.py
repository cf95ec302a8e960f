"""What answers become beside judgments, by task: marked spans, content units, answers to questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gistmeter.annotate.collection import name_raters
from gistmeter.annotate.soundness import explain_mistakes
from gistmeter.annotate.tasks import find_task
from gistmeter.annotate.tasks.task import GivenAnswer
from gistmeter.annotate.tasks.unit_writing import UnitWriting
from gistmeter.errors import ArgumentError, DataError, suggestion

if TYPE_CHECKING:
    from collections.abc import Collection

    from gistmeter.annotate.store import Store

JUDGMENTS = "judgments"


def check_product(task: str, name: str) -> str:
    """The name of what a task can export, or an error that lists it.

    >>> check_product("faithfulness", "span")
    Traceback (most recent call last):
    gistmeter.errors.ArgumentError: a study of faithfulness gives judgments or spans, not 'span'; did you mean spans?
    """
    asked = find_task(task)
    choices = [*([JUDGMENTS] if asked.gives_judgments else []), *asked.products]
    if name in choices:
        return name
    given = " or ".join(choices)
    raise ArgumentError(f"a study of {task} gives {given}, not {name!r}{suggestion(name, choices)}")


def collect_product(
    store: Store,
    name: str,
    *,
    states: Collection[str] = ("passed",),
    without: Collection[str] = (),
    least_raters: int = 1,
) -> list[dict[str, Any]]:
    """The records of a product of a study, such as its marked spans.

    Parameters
    ----------
    store
        The answers of the study.
    name
        One of the task's products.
    states
        Which assignments are used: those that passed; `failed`, `taken` and `idle` can be added.
    without
        Names of raters to leave out.
    least_raters
        Of units that people wrote: by how many of them, for a unit to be taken.

    Raises
    ------
    ArgumentError
        The task has no such product, or its product does not say by how many it was made.
    DataError
        No assignment can be used yet.
    """
    task = find_task(store.study.settings.task)
    check_product(task.name, name)
    if least_raters > 1 and task.name != UnitWriting.name:
        raise ArgumentError(f"`least_raters` is for units that people wrote ({UnitWriting.name}), not for {task.name}")
    names = name_raters(store, without)
    given = [
        GivenAnswer(item=store.study.items[answer.item], rater=names[work.rater], value=answer.value)
        for work in store.list_work()
        if work.rater is not None and work.state in states and names[work.rater] not in without
        for answer in store.read_answers(work.id).values()
        if not store.study.items[answer.item].is_control
    ]
    if not given:
        raise DataError(f"no assignment of {store.study.folder} can be used yet: there are no {name} to write")
    with explain_mistakes(f"{store.study.answers_file} was changed: an answer is not one; put a copy of it there"):
        records = task.make_product(name, given)
    if least_raters > 1:
        for record in records:
            record["units"] = [unit for unit in record["units"] if len(unit["raters"]) >= least_raters]
    return records
