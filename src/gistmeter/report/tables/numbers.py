"""How numbers are written for people: as many digits as a column needs, and the same for all its rows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "MISSING",
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
