"""Finished work of a crowd platform as records of judgments and controls: any table by a map, MTurk's batches as such.

A batch of MTurk has a row for each assignment: `WorkerId`, `HITId`, `AssignmentStatus`, `WorkTimeInSeconds`, what was
shown (`Input.*`) and what was answered (`Answer.*`, or all of it as JSON in `Answer.taskAnswers`). A row may be about
one item, or about several, whose columns end in a number (`Input.id_1`, `Answer.value_1`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.human.assignments import parse_item_name
from gistmeter.io.json_lines import decode_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

FIELDS = ("doc_id", "system", "aspect", "rater", "task", "value", "trap", "minutes", "item", "language")
"""What columns can be mapped to."""

_NAMES = {**FIELD_NAMES, "item": ("item", "item_id", "id"), "trap": ("trap",), "minutes": ("minutes",)}
_NUMBERED = re.compile(r"(?P<name>.+?)[_.\- ]?(?P<number>\d+)")
_REJECTED = frozenset({"rejected"})


def is_mturk_batch(record: Mapping[str, Any]) -> bool:
    """Whether a record is a row of a batch of MTurk.

    >>> is_mturk_batch({"HITId": "3A", "WorkerId": "A1", "Answer.value": "50"})
    True
    """
    return "WorkerId" in record and "HITId" in record


def read_mturk_batch(records: Iterable[Mapping[str, Any]], fields: Mapping[str, str]) -> list[dict[str, Any]]:
    """The answers of a batch, a record each. Workers get pseudonyms; rejected assignments are left out.

    >>> row = {"WorkerId": "A1", "HITId": "3A", "WorkTimeInSeconds": "90", "Input.id_1": "ES-7-REFERENCE-SYSTEM-PG",
    ...        "Answer.slider_1": "63", "Input.id_2": "ES-9-TRAP-SAME", "Answer.slider_2": "98"}
    >>> item, control = read_mturk_batch([row], {})
    >>> item["doc_id"], item["system"], item["aspect"], item["value"]
    ('ES-7', 'PG', 'focus', '63')
    >>> control
    {'rater': 'rater-1', 'task': '3A', 'minutes': 1.5, 'trap': 'same', 'value': '98'}
    """
    read: list[dict[str, Any]] = []
    pseudonyms: dict[str, str] = {}
    for number, row in enumerate(records, start=1):
        if str(row.get("AssignmentStatus") or "").strip().lower() in _REJECTED:
            continue
        worker = str(row["WorkerId"])
        work: dict[str, Any] = {
            "rater": pseudonyms.setdefault(worker, f"rater-{len(pseudonyms) + 1}"),
            "task": str(row["HITId"]),
        }
        if row.get("WorkTimeInSeconds") not in (None, ""):
            work["minutes"] = _parse_seconds(row["WorkTimeInSeconds"], number) / 60
        for shown, answers in _split_items(row, number, fields):
            read += _read_item(work, shown, answers, fields)
    return read


def rename_columns(records: Iterable[Mapping[str, Any]], fields: Mapping[str, str]) -> list[dict[str, Any]]:
    """Records of any table with gistmeter's names for the mapped columns; item names are taken apart."""
    renamed = []
    for record in records:
        row = {key: value for key, value in record.items() if key not in fields.values()}
        row |= {field: record[column] for field, column in fields.items() if column in record}
        item = parse_item_name(str(row.pop("item"))) if row.get("item") else None
        renamed.append({**row, **(item or {})})
    return renamed


def check_map(fields: Mapping[str, str], columns: Sequence[str]) -> None:
    """Refuse a map to what is no field, or from what is no column."""
    for field, column in fields.items():
        if field not in FIELDS:
            raise DataError(f"there is no field {field!r} of finished work ({', '.join(FIELDS)})")
        bare = column.removeprefix("Input.").removeprefix("Answer.")
        present = {name.removeprefix("Input.").removeprefix("Answer.") for name in columns}
        numbered = {match["name"] for name in present if (match := _NUMBERED.fullmatch(name))}
        if bare not in present | numbered:
            raise DataError(f"there is no column {column!r} for {field} (there is {', '.join(list(columns)[:12])})")


def _parse_seconds(value: Any, row: int) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise DataError(f"`WorkTimeInSeconds` of row {row} is {value!r}, not a number") from None


def _split_items(
    row: Mapping[str, Any], number: int, fields: Mapping[str, str]
) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """What was shown and answered, item by item."""
    shown = {key.removeprefix("Input."): value for key, value in row.items() if key.startswith("Input.")}
    answers = {key.removeprefix("Answer."): value for key, value in row.items() if key.startswith("Answer.")}
    packed = answers.pop("taskAnswers", None)
    if packed:
        decoded = decode_json(str(packed).encode(), f"`Answer.taskAnswers` of row {number}", "JSON")
        for part in decoded if isinstance(decoded, list) else [decoded]:
            answers.update(part if isinstance(part, dict) else {})
    answers = {key: value for key, value in _unpack_choices(answers).items() if value not in (None, "")}
    if not answers:
        raise DataError(f"row {number} has no answers: no column `Answer.*` is filled in")
    numbered = [match for key in answers if (match := _NUMBERED.fullmatch(key))]
    numbers = sorted({int(match["number"]) for match in numbered})
    # A comment on the whole may stand beside answers to items, which then have names of their own.
    if not numbered or (len(numbered) < len(answers) and not set(numbers) <= _list_named_items(shown, fields)):
        return [(shown, answers)]
    return [(_pick(shown, item), _pick(answers, item, alone=True)) for item in numbers]


def _list_named_items(shown: Mapping[str, Any], fields: Mapping[str, str]) -> set[int]:
    """The numbers of items that have a name, or a document, of their own."""
    mapped = {fields[field].removeprefix("Input.") for field in ("item", "doc_id") if field in fields}
    names = {*_NAMES["item"], *_NAMES["doc_id"], *mapped}
    matches = [match for key in shown if (match := _NUMBERED.fullmatch(key))]
    return {int(match["number"]) for match in matches if match["name"] in names}


def _unpack_choices(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Radio buttons as their value: `{"4": {"4": true}}` and the columns `fluency.1` to `fluency.5` are 4."""
    unpacked: dict[str, Any] = {}
    for key, value in answers.items():
        if isinstance(value, dict):
            chosen = [name for name, state in value.items() if state is True]
            unpacked[key] = chosen[0] if len(chosen) == 1 else None
            continue
        text = str(value).strip().lower()
        if text in ("true", "false") and "." in key:
            name, _, choice = key.rpartition(".")
            if text == "true":
                unpacked[name] = choice
            continue
        unpacked[key] = value
    return unpacked


def _pick(values: Mapping[str, Any], item: int, *, alone: bool = False) -> dict[str, Any]:
    """The columns of one item without its number; those without a number belong to all items unless `alone`."""
    picked = {}
    for key, value in values.items():
        match = _NUMBERED.fullmatch(key)
        if match is None:
            if not alone:
                picked[key] = value
        elif int(match["number"]) == item:
            picked[match["name"]] = value
    return picked


def _read_item(
    work: Mapping[str, Any], shown: Mapping[str, Any], answers: Mapping[str, Any], fields: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The records of one item: one where an aspect is named, else one for each answer that is a number."""
    bare = {field: column.removeprefix("Input.").removeprefix("Answer.") for field, column in fields.items()}
    values = {**shown, **answers}
    about: dict[str, Any] = {}
    for field in FIELDS:
        for name in (bare[field],) if field in bare else _NAMES[field]:
            if values.get(name) not in (None, "") and (field in bare or name not in answers):
                about.setdefault(field, values[name])
    value_name = bare.get("value")
    item = parse_item_name(str(about.pop("item"))) if "item" in about else None
    if item is not None:
        about = {key: value for key, value in about.items() if key != "doc_id"} | item
    record = {**work, **about}
    if value_name is not None:
        return [{**record, "value": values[value_name]}] if values.get(value_name) not in (None, "") else []
    numbers = {key: value for key, value in answers.items() if _is_number(value)}
    record.pop("value", None)
    if "aspect" in record or "trap" in record:
        return [{**record, "value": value} for value in list(numbers.values())[:1]]
    return [{**record, "aspect": key, "value": value} for key, value in numbers.items()]


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return not isinstance(value, bool)
