"""Content units in records: texts with weights, and whether a summary has them, by label or by vote."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.example import Unit, UnitSpan, shorten_value
from gistmeter.io.json_lines import decode_json_line

if TYPE_CHECKING:
    from collections.abc import Sequence

# Checked by hand, not decoded into a struct: units are texts or objects, in JSON, in cells of tables and in Python, and
# 1, 1.0, "1" and true are the same label; whoever calls adds file and line to a fault.
_UNIT_FIELDS = ("text", "weight", "sentence", "present")
_SPAN_FIELDS = {"start", "end", "reference"}


def parse_units(value: Any) -> tuple[Unit, ...]:
    """Units from a list of texts, or of objects with `text` and, if known, `weight`, `sentence`, `present`, `spans`.

    A span has `start` and `end`, and `reference`, the number of a reference from 0, where it is not in the summary.

    >>> parse_units(["It rained.", {"text": "The sun shone.", "weight": 2}])[1].weight
    2.0
    """
    if value is None:
        return ()
    units = _parse_list(value, "units", "texts, or of objects with text, weight, sentence, present")
    return tuple(_parse_unit(unit, number) for number, unit in enumerate(units, start=1))


def label_units(units: Sequence[Unit], labels: Any, votes: Any = None) -> tuple[Unit, ...]:
    """Units with what people judged: a label for each unit, or the votes of several raters for each.

    A label is 1 (present), 0 (absent) or null (nobody judged). Where there are labels the votes do not count.

    >>> [unit.present for unit in label_units(parse_units(["a", "b"]), None, [[1, 1, 0], [1, 0]])]
    [True, False]
    """
    if labels is None and votes is None:
        return tuple(units)
    if labels is not None:
        source = "labels"
        members = _parse_list(labels, "labels", "0 and 1")
        judgments = [_parse_label(label, f"label {number}") for number, label in enumerate(members, start=1)]
    else:
        source = "votes"
        judgments = [majority(unit_votes) for unit_votes in parse_votes(votes)]
    if len(judgments) != len(units):
        raise DataError(f"there are {source} for {len(judgments)} units, but {len(units)} units")
    return tuple(replace(unit, present=present) for unit, present in zip(units, judgments, strict=True))


def weigh_units(units: Sequence[Unit], weights: Sequence[str]) -> tuple[Unit, ...]:
    """Units with their weights, one number for each.

    >>> [unit.weight for unit in weigh_units(parse_units(["a", "b"]), ["4", "0.5"])]
    [4.0, 0.5]
    """
    if len(weights) != len(units):
        raise DataError(f"there are weights for {len(weights)} units, but {len(units)} units")
    weighted = []
    for number, (unit, weight) in enumerate(zip(units, weights, strict=True), start=1):
        try:
            weighted.append(replace(unit, weight=float(weight)))
        except (ValueError, DataError):
            raise DataError(f"weight {number} is a number from 0 up, not {weight!r}") from None
    return tuple(weighted)


def parse_votes(value: Any) -> list[list[bool | None]]:
    """The votes on each unit, from a list with a list of 1 (present), 0 (absent) or null for each."""
    return [
        [
            _parse_label(vote, f"vote {vote_number} on unit {number}")
            for vote_number, vote in enumerate(_parse_list(unit_votes, "votes", "0 and 1"), start=1)
        ]
        for number, unit_votes in enumerate(_parse_list(value, "votes", "lists of 0 and 1"), start=1)
    ]


def majority(votes: Sequence[bool | None]) -> bool | None:
    """Whether more than half of the votes say present; a tie is absent, and no vote at all is None.

    >>> majority([True, True, False]), majority([True, False]), majority([None])
    (True, False, None)
    """
    cast = [vote for vote in votes if vote is not None]
    return 2 * sum(cast) > len(cast) if cast else None


def unit_to_record(unit: Unit) -> dict[str, Any]:
    """A unit as a record has it, without fields that are unknown or have their usual value.

    >>> unit_to_record(Unit("It rained.", 2.0, present=True))
    {'text': 'It rained.', 'weight': 2.0, 'present': True}
    """
    fields = {name: getattr(unit, name) for name in _UNIT_FIELDS}
    record = {name: value for name, value in fields.items() if value is not None and (name, value) != ("weight", 1.0)}
    return {**record, "spans": [_span_to_record(span) for span in unit.spans]} if unit.spans else record


def _parse_unit(value: Any, number: int) -> Unit:
    try:
        if isinstance(value, str):
            return Unit(value)
        if isinstance(value, dict):
            fields = {name: value[name] for name in _UNIT_FIELDS if value.get(name) is not None}
            if "present" in fields:
                fields["present"] = _parse_label(fields["present"], "`present`")
            if value.get("spans") is not None:
                spans = _parse_list(value["spans"], "spans", "objects with start, end and perhaps reference")
                fields["spans"] = tuple(map(_parse_span, spans))
            return Unit(**{"text": "", **fields})
    except DataError as error:
        raise DataError(f"unit {number}: {error}") from None
    raise DataError(f"unit {number} is a text or an object with `text`, not {type(value).__name__}")


def _parse_span(value: Any) -> UnitSpan:
    if not isinstance(value, dict) or not {"start", "end"} <= value.keys() <= _SPAN_FIELDS:
        raise DataError(
            f"a span is an object with `start`, `end` and perhaps `reference`, the number of one from 0, not "
            f"{shorten_value(value)}"
        )
    return UnitSpan(**value)


def _span_to_record(span: UnitSpan) -> dict[str, int]:
    borders = {"start": span.start, "end": span.end}
    return borders if span.reference is None else {**borders, "reference": span.reference}


def _parse_label(value: Any, what: str) -> bool | None:
    """A label as true, false or None; `what` names it in the error."""
    # 1.0 and "1" are what tables and text files make of 1.
    labels = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False, "none": None}
    spelling = str(value).strip().lower()
    if spelling not in labels:
        raise DataError(f"{what} is 1 (present), 0 (absent) or null (not judged), not {value!r}")
    return labels[spelling]


def _parse_list(value: Any, field: str, members: str) -> list[Any]:
    """A list, also from a cell of a table; the error names the field and says what its members should be."""
    if isinstance(value, str) and value.startswith("["):  # a cell of a table
        value = decode_json_line(value.encode(errors="surrogatepass"), f"`{field}`")
    if not isinstance(value, list | tuple):
        raise DataError(f"`{field}` must be a list of {members}, not {type(value).__name__}")
    return list(value)
