"""Numbers that people gave, as files spell them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import DataError
from gistmeter.example import LARGEST_NUMBER, shorten_value
from gistmeter.io.fields import FIELD_NAMES

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray

_FEWEST_DECIMALS = 2
"""An average with fewer may be a majority or a grade that people settled on, and is not the raters' mean rounded."""

_MOST_DECIMALS = 16
"""No number from 0.1 on has more as a float; the mean of raters then differs from it by a rounding error of floats."""


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


def undo_rounding(averages: FloatArray, means: FloatArray) -> FloatArray:
    """The averages, but the means of raters (NaN where there are none) where they differ by rounding only.

    >>> undo_rounding(np.array([4.6667, 3.3333, 2.0, 1.0]), np.array([14 / 3, 4.0, np.nan, 2 / 3])).tolist()
    [4.666666666666667, 3.3333, 2.0, 1.0]
    """
    decimals = np.where(np.isnan(averages), 0, _MOST_DECIMALS)
    for number in reversed(range(_MOST_DECIMALS)):
        decimals[averages.round(number) == averages] = number
    most = decimals.max(initial=0)
    if most < _FEWEST_DECIMALS:
        return averages
    shown = np.where(decimals < _FEWEST_DECIMALS, most, decimals)  # 3.3 beside 4.67 is 3.30
    half_a_unit = 0.5 * 10.0**-shown
    return np.where(np.abs(averages - means) <= half_a_unit * (1 + 1e-9), means, averages)
