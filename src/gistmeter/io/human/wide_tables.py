"""Wide tables of judgments: a row for each summary (and rater), a column for each aspect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.io.human.numbers import parse_rating

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_NO_ASPECTS = frozenset(
    {"", "Unnamed: 0", "index", "scale", "trap", "minutes", "quality_score", "human", "annotators", "aspect", "value"}
)
"""Columns that hold no judgment: what spreadsheets add, and fields of other layouts."""
_LEAST_SHARE_OF_NUMBERS = 0.5
"""A column of which fewer values are numbers holds remarks, not judgments."""


def may_be_wide(record: Mapping[str, Any], *, judgments: bool = True) -> bool:
    """Whether a record may be a row of a wide table: it has no summary, and no judgments in another layout.

    Without `judgments` those do not count: it is a table of judgments, and no run.
    """
    others = (*(("human", "annotators", "aspect") if judgments else ()), *FIELD_NAMES["summary"])
    return all(record.get(name) is None for name in others)


def find_aspects(records: Sequence[Mapping[str, Any]]) -> list[str]:
    """The columns of a wide table that hold numbers, names of documents and systems aside.

    >>> find_aspects([{"docid": "1", "model": "a", "fluency": "3", "remark": "fine"}])
    ['fluency']
    """
    fields = {name for field, names in FIELD_NAMES.items() if field != "value" for name in names}
    columns = dict.fromkeys(name for record in records for name in record if name not in fields | _NO_ASPECTS)
    named = [column for column in columns if _holds_numbers(record.get(column) for record in records)]
    return named or (["value"] if _holds_numbers(record.get("value") for record in records) else [])


def _holds_numbers(values: Iterable[Any]) -> bool:
    present = [value for value in values if value is not None and value != ""]
    numbers = sum(map(_is_number, present))
    return bool(present) and numbers >= _LEAST_SHARE_OF_NUMBERS * len(present)


def _is_number(value: Any) -> bool:
    try:
        parse_rating(value, "", "")
    except DataError:
        return False
    return True
