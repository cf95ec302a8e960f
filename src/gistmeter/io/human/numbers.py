"""Numbers that people gave, as files spell them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gistmeter.errors import DataError
from gistmeter.example import LARGEST_NUMBER, shorten_value
from gistmeter.io.fields import FIELD_NAMES


def parse_rating(value: Any, what: str, where: str) -> float | None:
    """A value as a number; None where it is missing (null, an empty cell or NaN).

    >>> parse_rating("3.5", "relevance", "row 1 of people.csv"), parse_rating("", "relevance", "row 2 of people.csv")
    (3.5, None)
    >>> parse_rating("good", "relevance", "row 3 of people.csv")
    Traceback (most recent call last):
    gistmeter.errors.DataError: row 3 of people.csv: the value of relevance is 'good', which is not a number
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise DataError(f"{where}: the value of {what} is {shorten_value(value)}, which is not a number") from None
    except OverflowError:  # an integer of hundreds of digits
        number = math.inf
    if math.isinf(number):
        raise DataError(f"{where}: the value of {what} is infinite; leave it out, or say a number")
    if abs(number) > LARGEST_NUMBER:
        raise DataError(f"{where}: the value of {what} is {number:g}, beyond {LARGEST_NUMBER:g}: it cannot be averaged")
    return None if math.isnan(number) else number


def find_value(record: Mapping[str, Any]) -> Any:
    """The value of a judgment, under any of its names; None if it has none."""
    return next((record[name] for name in FIELD_NAMES["value"] if record.get(name) is not None), None)


def parse_ratings(record: Mapping[str, Any], field: str, where: str) -> Mapping[str, Any]:
    """A field that maps aspects to what people said of them; empty where there is none."""
    values = record.get(field)
    if values is None or values == "":
        return {}
    if not isinstance(values, Mapping):
        raise DataError(
            f'{where}: `{field}` maps aspects to values, such as {{"relevance": 4}}, unlike {shorten_value(values)}'
        )
    return values


def parse_rater_values(values: Any, aspect: str, where: str) -> Sequence[Any]:
    """The values of single raters on one aspect, which are a list."""
    if values is None:
        return []
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise DataError(
            f"{where}: `annotators` gives {aspect} a list of values, one for each rater, unlike {shorten_value(values)}"
        )
    return values
