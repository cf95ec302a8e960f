"""Numbers among the settings of a metric: each says within which bounds it makes sense, and is checked when it is made.

`order: Annotated[int, Within(1, 9)] = 2` is such a setting. The catalogue shows the bounds.
"""

from __future__ import annotations

import functools
import math
import typing
from dataclasses import dataclass
from typing import Annotated, Any

_NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class Within:
    """The smallest and the largest value that a setting may have, what such a number is called, and what it counts."""

    low: float
    high: float
    noun: str = ""
    unit: str = ""

    def __str__(self) -> str:
        bounds = f"from {_write(self.low)} to {_write(self.high)}"
        return " ".join(part for part in (self.noun, bounds, self.unit) if part)

    def describe_for(self, value: float) -> str:
        """The bounds, for a value that is beyond them; a bound so high that nobody means it is not told below."""
        below = value < self.low and self.high >= _NO_LIMIT
        return f"at least {_write(self.low)}" if below else str(self)


Share = Annotated[float, Within(0, 1, "a share")]
Probability = Annotated[float, Within(0, 1, "a probability")]
Layer = Annotated[int, Within(0, 1000)]
Seed = Annotated[int, Within(0, 2**63 - 1)]
Count = Annotated[int, Within(1, 1_000_000)]
"""How many of something, at least one."""


@dataclass(frozen=True, slots=True)
class NumberSetting:
    """What a setting of numbers takes: whole ones or any, within bounds, and perhaps none."""

    kind: type[int] | type[float]
    bounds: Within | None
    optional: bool

    def refuse(self, value: Any) -> str | None:
        """Why a value is refused, as the end of a sentence; None for one that is taken."""
        if value is None and self.optional:
            return None
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole and (self.kind is int or not isinstance(value, float)):
            return f"it takes {'a whole number' if self.kind is int else 'a number'}"
        if not whole and not math.isfinite(value):
            return f"it is {self.bounds}" if self.bounds else "it takes a finite number"
        if self.bounds is not None and not self.bounds.low <= value <= self.bounds.high:
            return f"it is {self.bounds.describe_for(value)}"
        return None


@functools.cache
def list_number_settings(cls: type) -> dict[str, NumberSetting]:
    """The settings of a class of metrics that are numbers, by name.

    >>> from gistmeter.metrics.overlap.chrf import Chrf
    >>> str(list_number_settings(Chrf)["char_order"].bounds)
    'from 1 to 30'
    """
    hints = typing.get_type_hints(cls, include_extras=True)
    settings = {
        name: _read_hint(hint) for name, hint in hints.items() if typing.get_origin(hint) is not typing.ClassVar
    }
    return {name: setting for name, setting in settings.items() if setting is not None}


def _read_hint(hint: Any) -> NumberSetting | None:
    options = [hint] if typing.get_origin(hint) is Annotated or isinstance(hint, type) else typing.get_args(hint)
    numbers = [option for option in options if _strip(option) in (int, float)]
    others = [option for option in options if option is not type(None) and option not in numbers]
    if len(numbers) != 1 or others:
        return None
    bounds = next((mark for mark in getattr(numbers[0], "__metadata__", ()) if isinstance(mark, Within)), None)
    return NumberSetting(_strip(numbers[0]), bounds, optional=type(None) in options)


def _strip(hint: Any) -> Any:
    return hint.__origin__ if typing.get_origin(hint) is Annotated else hint


def _write(number: float) -> str:
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"
