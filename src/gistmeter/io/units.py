"""Content units in records: texts with weights, and whether a summary has them, by label or by vote."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.example import Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

_MEMBERS = ("text", "weight", "sentence", "present")


def units_of(value: Any) -> tuple[Unit, ...]:
    """Units from a list of texts, or of objects with `text` and, if known, `weight`, `sentence`, `present`.

    >>> units_of(["It rained.", {"text": "The sun shone.", "weight": 2}])[1].weight
    2.0
    """
    if value is None:
        return ()
    units = _members(value, "units", "texts, or of objects with text, weight, sentence, present")
    return tuple(_unit(one, number) for number, one in enumerate(units, start=1))


def labelled(units: Sequence[Unit], labels: Any, votes: Any = None) -> tuple[Unit, ...]:
    """Units with what people said of them: one label for each, or the votes of several raters for each.

    A label is 1 (present), 0 (absent) or null (nobody judged). Where there are labels the votes are not looked at.

    >>> [unit.present for unit in labelled(units_of(["a", "b"]), None, [[1, 1, 0], [1, 0]])]
    [True, False]
    """
    if labels is None and votes is None:
        return tuple(units)
    if labels is not None:
        what, given = "labels", _members(labels, "labels", "0 and 1")
        found = [_label(one, f"label {number}") for number, one in enumerate(given, start=1)]
    else:
        what, found = "votes", [majority(one) for one in votes_of(votes)]
    if len(found) != len(units):
        raise DataError(f"there are {what} for {len(found)} units, but {len(units)} units")
    return tuple(replace(unit, present=present) for unit, present in zip(units, found, strict=True))


def votes_of(value: Any) -> list[list[bool | None]]:
    """The votes on each unit, from a list with a list of 1 (present), 0 (absent) or null for each."""
    return [
        [
            _label(vote, f"vote {k} on unit {number}")
            for k, vote in enumerate(_members(one, "votes", "0 and 1"), start=1)
        ]
        for number, one in enumerate(_members(value, "votes", "lists of 0 and 1"), start=1)
    ]


def majority(votes: Sequence[bool | None]) -> bool | None:
    """Whether more than half of the votes say present; a tie is absent, and no vote at all is None.

    >>> majority([True, True, False]), majority([True, False]), majority([None])
    (True, False, None)
    """
    known = [vote for vote in votes if vote is not None]
    return 2 * sum(known) > len(known) if known else None


def unit_record(unit: Unit) -> dict[str, Any]:
    """A unit as it stands in a record, without what is not known of it.

    >>> unit_record(Unit("It rained.", 2.0, present=True))
    {'text': 'It rained.', 'weight': 2.0, 'present': True}
    """
    found = {name: getattr(unit, name) for name in _MEMBERS}
    return {name: value for name, value in found.items() if value is not None and (name, value) != ("weight", 1.0)}


def _unit(value: Any, number: int) -> Unit:
    try:
        if isinstance(value, str):
            return Unit(value)
        if isinstance(value, dict):
            known = {name: value[name] for name in _MEMBERS if value.get(name) is not None}
            if "present" in known:
                known["present"] = _label(known["present"], "`present`")
            return Unit(**{"text": "", **known})
    except DataError as error:
        raise DataError(f"unit {number}: {error}") from None
    raise DataError(f"unit {number} is a text or an object with `text`, not {type(value).__name__}")


def _label(value: Any, what: str) -> bool | None:
    # 1.0 and "1" are what tables and text files make of 1.
    known = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False, "none": None}
    name = str(value).strip().lower()
    if name not in known:
        raise DataError(f"{what} is 1 (present), 0 (absent) or null (not judged), not {value!r}")
    return known[name]


def _members(value: Any, what: str, of: str) -> list[Any]:
    if isinstance(value, str) and value.startswith("["):  # a cell of a table
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    if not isinstance(value, list | tuple):
        raise DataError(f"`{what}` must be a list of {of}, not {type(value).__name__}")
    return list(value)
