"""How numbers are written for people: as many digits as a column needs, and the same for all its rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "MISSING",
    "NumberCell",
    "bound_decimals",
    "decimals_for",
    "format_count",
    "format_interval",
    "format_number",
    "format_percent",
    "format_pvalue",
]

MISSING = "–"


def decimals_for(values: Iterable[float]) -> int:
    """How many decimals a column of such values is written with; missing values do not count.

    >>> decimals_for([0.512, 0.47]), decimals_for([34.1, 8.2]), decimals_for([512.0])
    (3, 2, 1)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return 3 if largest < 10 else 2 if largest < 100 else 1 if largest < 1000 else 0


def bound_decimals(bounds: Iterable[tuple[float, float]], decimals: int) -> int:
    """Decimals of interval bounds: one fewer than the value's, unless that would blur a narrow interval.

    >>> bound_decimals([(0.41, 0.55)], 3), bound_decimals([(0.411, 0.429)], 3)
    (2, 3)
    """
    if decimals == 0:
        return 0
    coarse = decimals - 1
    widths = [high - low for low, high in bounds if high > low]
    return coarse if widths and min(widths) >= 2 * 10.0**-coarse else decimals


def format_number(value: float, decimals: int, *, sign: bool = False) -> str:
    """A number, or a dash where it is missing; a minus is a real minus sign.

    >>> format_number(0.51249, 3), format_number(-0.5, 2), format_number(0.5, 2, sign=True), format_number(math.nan, 3)
    ('0.512', '−0.50', '+0.50', '–')
    """
    if math.isnan(value):
        return MISSING
    text = f"{value:{'+' if sign else ''},.{decimals}f}"
    if float(text.replace(",", "")) == 0:
        text = text.lstrip("+-")
    return text.replace("-", "−")


def format_interval(low: float, high: float, decimals: int, *, sign: bool = False) -> str:
    """Two bounds in brackets, or nothing when there are none.

    >>> format_interval(0.47, 0.55, 2), format_interval(math.nan, math.nan, 2)
    ('[0.47, 0.55]', '')
    """
    if math.isnan(low) or math.isnan(high):
        return ""
    return f"[{format_number(low, decimals, sign=sign)}, {format_number(high, decimals, sign=sign)}]"


@dataclass(frozen=True, slots=True)
class NumberCell:
    """A number and its interval, or either alone, with decimals of its own: a cell of a table.

    >>> cell = NumberCell(0.51249, 0.474, 0.553, bounds=2)
    >>> cell.write(), cell.write(times=100), cell.write(digits=1), NumberCell(low=-0.01, high=0.02, sign=True).write()
    ('0.512 [0.47, 0.55]', '51.2 [47, 55]', '0.5 [0.5, 0.6]', '[−0.010, +0.020]')
    """

    value: float | None = None
    low: float = math.nan
    high: float = math.nan
    decimals: int = 3
    bounds: int | None = None
    """Decimals of the interval; as many as the value has where nothing is said."""
    sign: bool = False
    """Whether a number above 0 has a plus."""

    @property
    def numbers(self) -> tuple[float, ...]:
        """The numbers in it that are not missing."""
        numbers = (*(() if self.value is None else (self.value,)), self.low, self.high)
        return tuple(number for number in numbers if not math.isnan(number))

    def write(self, *, times: int = 1, digits: int | None = None) -> str:
        """The cell as text, multiplied, with so many decimals; by default its own, two fewer where it is multiplied."""
        fewer = 0 if times == 1 else 2
        decimals, bounds = (
            max(own - fewer, 0) if digits is None else digits
            for own in (self.decimals, self.decimals if self.bounds is None else self.bounds)
        )
        value = "" if self.value is None else format_number(self.value * times, decimals, sign=self.sign)
        interval = format_interval(self.low * times, self.high * times, bounds, sign=self.sign)
        return f"{value} {interval}".strip()


def format_pvalue(value: float) -> str:
    """A p-value.

    >>> format_pvalue(0.03214), format_pvalue(0.0001), format_pvalue(math.nan)
    ('0.032', '<0.001', '–')
    """
    if math.isnan(value):
        return MISSING
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def format_percent(share: float) -> str:
    """A share as percent.

    >>> format_percent(0.95), format_percent(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * share:g}%"
