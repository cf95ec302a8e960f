"""Assignments in files: the work of one rater on one task, as records of judgments and traps, or as one record.

A long table names `rater` and `task` in each record. A record with a `trap` is the answer to an item of quality control
and is no judgment. A record with neither `aspect` nor `trap` says how the assignment went (`minutes`,
`quality_score`).

The data released with Koto, Lau and Baldwin (2021) has a record for each assignment, with all its z-scores by item.
An item is called `ES-17-REFERENCE-SYSTEM-BERT` where people were asked how much of the system's summary is in the
reference (focus), and `ES-17-SYSTEM-REFERENCE-BERT` the other way round (coverage).
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.example import name_text
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.human.numbers import parse_rating

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

RELEASED_SCALE = "z"
"""The scale of the values in a released assignment, and the field that holds them."""

_ITEM = re.compile(r"(?P<group>.+)-0*(?P<number>\d+)-(?P<order>REFERENCE-SYSTEM|SYSTEM-REFERENCE)-(?P<system>.+)")
_TRAP = re.compile(r".+-TRAP-(?P<kind>SAME|DIFFERENT)")
_ASPECTS = {"REFERENCE-SYSTEM": "focus", "SYSTEM-REFERENCE": "coverage"}


@dataclass(frozen=True, slots=True)
class ReleasedValue:
    """A value of a released assignment, and the item it was given to."""

    doc_id: str
    system: str
    aspect: str
    value: float


@dataclass(slots=True)
class TaskNames:
    """The names of tasks in one file: a rater who hands in a task again has a second assignment.

    >>> names = TaskNames()
    >>> names.next("ann", "7"), names.next("bob", "7"), names.next("ann", "7")
    ('7', '7', '7 (time 2)')
    """

    _times: Counter[tuple[str, str]] = field(default_factory=Counter)

    def next(self, rater: str, task: str) -> str:
        """The name of the next assignment of this rater in this task."""
        self._times[rater, task] += 1
        return repeated_task(task, self._times[rater, task])


def repeated_task(task: str, time: int) -> str:
    """The name of a task that a rater does for the second time, or the third.

    >>> repeated_task("7", 1), repeated_task("7", 3)
    ('7', '7 (time 3)')
    """
    return task if time == 1 else f"{task} (time {time})"


def is_released_assignment(record: Mapping[str, Any]) -> bool:
    """Whether a record is a whole assignment with its z-scores by item."""
    return isinstance(record.get(RELEASED_SCALE), dict)


def is_judgment(record: Mapping[str, Any]) -> bool:
    """Whether a record is about a summary, and not the answer to a trap or a word on how an assignment went.

    >>> is_judgment({"rater": "ann", "task": "t", "trap": "same", "value": 95})
    False
    >>> is_judgment({"rater": "ann", "task": "t", "minutes": 41})
    False
    """
    if record.get("trap"):
        return False
    return any(not _names(record, name) for name in ("rater", "task")) or any(
        record.get(name) not in (None, "")
        for name in ("aspect", "human", "annotators", *FIELD_NAMES["doc_id"], "document")
    )


def released_values(record: Mapping[str, Any]) -> Iterator[ReleasedValue]:
    """The values of a released assignment, traps left out. Numbers of documents lose their leading zeros.

    >>> next(released_values({"z": {"ZH-000561-REFERENCE-SYSTEM-PG": -0.5}}))
    ReleasedValue(doc_id='ZH-561', system='PG', aspect='focus', value=-0.5)
    """
    for key, value in record[RELEASED_SCALE].items():
        if _TRAP.fullmatch(key):
            continue
        item = _ITEM.fullmatch(key)
        if item is None:
            raise DataError(
                f"{key!r} names no item: a released assignment calls it, for example, ES-17-REFERENCE-SYSTEM-BERT"
            )
        number = parse_rating(value, key, "an assignment")
        if number is not None:
            yield ReleasedValue(
                doc_id=f"{item['group']}-{item['number']}",
                system=item["system"],
                aspect=_ASPECTS[item["order"]],
                value=number,
            )


def parse_item_name(name: str) -> dict[str, str] | None:
    """What the name of an item says: the summary and the aspect, or the kind of trap; None where it says neither.

    >>> parse_item_name("ES-17-SYSTEM-REFERENCE-BERT")
    {'doc_id': 'ES-17', 'system': 'BERT', 'aspect': 'coverage'}
    >>> parse_item_name("ES-17-TRAP-SAME"), parse_item_name("17")
    ({'trap': 'same'}, None)
    """
    if trap := _TRAP.fullmatch(name):
        return {"trap": trap["kind"].lower()}
    item = _ITEM.fullmatch(name)
    if item is None:
        return None
    return {
        "doc_id": f"{item['group']}-{item['number']}",
        "system": item["system"],
        "aspect": _ASPECTS[item["order"]],
    }


def parse_assignment_names(record: Mapping[str, Any]) -> tuple[str, str]:
    """The rater and the task of a released assignment.

    >>> parse_assignment_names({"worker": "ES-w3", "task": 0})
    ('ES-w3', '0')
    """
    rater, task = parse_name(record, "rater"), parse_name(record, "task")
    if rater is None or task is None:
        raise DataError("an assignment has no `rater` (or `worker`) and `task`")
    return rater, task


def parse_name(record: Mapping[str, Any], name: str) -> str | None:
    """The value of a field under any of its names, as text; None where it is missing or empty."""
    return next((name_text(value, name) for value in _names(record, name)), None)


def _names(record: Mapping[str, Any], name: str) -> list[Any]:
    """The values of a field under its names, but those that are missing or empty."""
    values = (record.get(key) for key in FIELD_NAMES[name])
    return [value for value in values if value is not None and value != ""]
