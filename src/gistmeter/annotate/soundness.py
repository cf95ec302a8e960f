"""Whether a study and its answers are what gistmeter wrote: a copy that was cut short or edited is named, not used."""

from __future__ import annotations

import contextlib
import math
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.annotate.forms import Passage
from gistmeter.annotate.tasks import find_task
from gistmeter.annotate.words import LANGUAGES, check_words, list_words
from gistmeter.errors import DataError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from gistmeter.annotate.study import Item, Study
    from gistmeter.annotate.tasks.task import Answer, Task

_MISTAKES = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError)
"""What code that knows its own answers raises when it is given others."""


class _FactRow(msgspec.Struct):
    name: str
    value: str


class _RaterRow(msgspec.Struct):
    id: int
    name: str
    token: str
    expires: float


class _WorkRow(msgspec.Struct):
    id: int
    batch: int
    attempt: int
    rater: int | None
    state: str
    started: float | None
    finished: float | None
    reasons: str


class _AnswerRow(msgspec.Struct):
    assignment: int
    item: str
    value: str
    whole: int
    seconds: float
    given: float


def check_items(study: Study) -> None:
    """Refuse a study whose items its task cannot show, or whose own words no page can say."""
    task = find_task(study.settings.task)
    if study.settings.language not in LANGUAGES:
        raise DataError(f"study.json of {study.folder} was edited: there are no pages in {study.settings.language!r}")
    said_words = list_words(study.settings.language, task.name)  # what pages say no more does no harm
    try:
        check_words({key: words for key, words in study.settings.words.items() if key in said_words}, task.name)
    except DataError as error:
        raise DataError(f"the words in study.json of {study.folder} were edited: {error}") from None
    for item in study.items.values():
        with explain_mistakes(f"item {item.id!r} of {study.folder} is not one of the task {task.name}: design it anew"):
            for block in task.make_blocks(item):
                if isinstance(block, Passage) and not isinstance(block.text, str):
                    raise TypeError("a text is wanted")


def check_answers(study: Study, connection: sqlite3.Connection) -> None:
    """Refuse a file of answers with rows that nobody can have given; errors of the database itself are passed on."""
    file = study.answers_file
    verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if verdict != "ok":
        raise DataError(f"{file} is damaged ({verdict}): put a copy of it there")
    facts = {row.name: row.value for row in _read_rows(study, connection, "facts", _FactRow)}
    with explain_mistakes(f"{file} was changed: it does not say what forms are signed with; put a copy of it there"):
        bytes.fromhex(facts["secret"]), facts["admin"]
    raters = {row.id for row in _read_rows(study, connection, "raters", _RaterRow)}
    work = {row.id: row for row in _read_rows(study, connection, "assignments", _WorkRow)}
    for row in work.values():
        if row.batch not in study.batches or not (row.rater is None or row.rater in raters) or row.attempt < 0:
            raise DataError(f"{file} was changed: assignment {row.id} is of nobody's; put a copy of it there")
    task = find_task(study.settings.task)
    for answer in _read_rows(study, connection, "answers", _AnswerRow):
        if answer.assignment not in work or answer.item not in study.items:
            raise DataError(f"{file} was changed: it answers what nobody was asked; put a copy of it there")
        item = study.items[answer.item]
        with explain_mistakes(f"{file} was changed: an answer to item {item.id!r} is not one; put a copy of it there"):
            if answer.whole:
                _check_answer(task, item, msgspec.json.decode(answer.value))
            else:  # the fields of a form that is not saved yet
                msgspec.json.decode(answer.value, type=dict[str, str])


def _check_answer(task: Task, item: Item, answer: Answer) -> None:
    task.read_reason(answer)
    if item.is_control and not item.repeats:
        task.check_control(item, answer, {item.id: answer})
    elif not item.is_control and not all(math.isfinite(each.value) for each in task.score_answer(item, answer)):
        raise ValueError("a number is wanted")


def _read_rows(study: Study, connection: sqlite3.Connection, table: str, kind: type[Any]) -> Iterator[Any]:
    fields = kind.__struct_fields__
    query = f"SELECT {', '.join(fields)} FROM {table}"  # noqa: S608 - names of this module
    for number, row in enumerate(connection.execute(query), 1):
        try:
            yield msgspec.convert(dict(zip(fields, row, strict=True)), kind)
        except msgspec.ValidationError as error:
            raise DataError(
                f"{study.answers_file} was changed: row {number} of the {table} is not one ({error}); "
                "put a copy of it there"
            ) from None


@contextlib.contextmanager
def explain_mistakes(sentence: str) -> Iterator[None]:
    """What code raises that meets a value of another kind, as a sentence about where the value is from."""
    try:
        yield
    except _MISTAKES:
        raise DataError(sentence) from None
