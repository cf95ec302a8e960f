"""A plan: how many documents, systems or raters are needed, how sure that is, and what to keep in mind about it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.stats.planning.laws import interval_indices

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.stats.planning.pilot import Pilot, Unit
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.tables import Coefficient, Level

Goal = Literal["width", "power", "reliability"]

MAX_NEEDED = 10**9
"""No number above this is looked for: so many are as good as endlessly many."""

_MAX_PILOT_RATIO = 4
"""A number beyond this many times the pilot is an extrapolation."""
_MAX_MISFIT = 0.1
"""How far the fitted curve may be from what was measured before the plan says so."""


@dataclass(frozen=True, slots=True)
class PlanPoint:
    """What the pilot gives when resampled to a size, and what the fitted curve says."""

    size: int
    value: float
    fitted: float


@dataclass(frozen=True, slots=True)
class Plan:
    """How many documents, systems or raters are needed."""

    goal: Goal
    target: float
    unit: Unit
    needed: int | None
    """None if no number is enough."""
    low: int | None
    """The ends of the 95% interval of `needed`, from other pilots like this one; None if no number is enough.

    With a small pilot it holds the true number less often, 87% of the time in a simulation with 60 documents.
    """
    high: int | None
    pilot: int
    """How many the pilot has."""
    curve: tuple[PlanPoint, ...]
    limit: float
    """The width, power or reliability that endlessly many would give."""
    extrapolated: bool
    """Whether `needed` is more than 4 times the pilot."""
    caveats: str
    level: Level
    coefficient: Coefficient
    method: Resampling


@dataclass(frozen=True, slots=True)
class Target:
    """What a plan is for: a goal, the value of it to reach, and what to say before the other caveats."""

    goal: Goal
    value: float
    caveat: str = ""


def find_smallest(is_enough: Callable[[int], bool], least: int) -> float:
    """The smallest number from `least` on that is enough, all above it being so; infinite if none is.

    >>> find_smallest(lambda number: number * number > 50, 2), find_smallest(lambda number: False, 2)
    (8, inf)
    """
    if not is_enough(MAX_NEEDED):
        return math.inf
    low, high = least - 1, MAX_NEEDED
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def make_plan(
    target: Target, pilot: Pilot, *, numbers: Sequence[float], curve: tuple[PlanPoint, ...], limit: float
) -> Plan:
    """The plan when `numbers` are needed by the pilot (the first) and by other pilots like it."""
    whole_numbers = [int(number) if number < MAX_NEEDED else None for number in numbers]
    needed = whole_numbers[0]
    low, high = (whole_numbers[index] for index in interval_indices(np.minimum(numbers, MAX_NEEDED)))
    return Plan(
        goal=target.goal,
        target=target.value,
        unit=pilot.unit,
        needed=needed,
        low=low,
        high=high,
        pilot=pilot.size,
        curve=curve,
        limit=limit,
        extrapolated=needed is not None and needed > _MAX_PILOT_RATIO * pilot.size,
        caveats=target.caveat + _write_caveats(target.goal, pilot, needed, high, curve, limit),
        level=pilot.level,
        coefficient=pilot.coefficient,
        method=pilot.method,
    )


def _write_caveats(
    goal: Goal, pilot: Pilot, needed: int | None, high: int | None, curve: Sequence[PlanPoint], limit: float
) -> str:
    """What a reader of the plan should keep in mind, in sentences."""
    unit, size = pilot.unit, pilot.size
    (_, systems), (_, documents) = pilot.axes
    text = {
        "documents": f"Documents to come are taken to be like the pilot's {size}.",
        "systems": f"Systems to come are taken to be like the pilot's {size}; closer ones are harder to rank.",
        "raters": f"Raters to come are taken to be like the pilot's {size} per summary.",
    }[unit]
    if needed is None:
        rest = {"documents": f"{systems} systems", "systems": f"{documents} documents"}
        other = rest.get(unit, f"{systems} systems and {documents} documents")
        text += f" No number of {unit} is enough: with endlessly many the {goal} would be {limit:.2f}"
        text += "." if goal == "reliability" else f", because there are {other}."
    elif needed > _MAX_PILOT_RATIO * size:
        text += f" {needed} is {needed / size:.0f} times the pilot: an extrapolation, to be checked with more data."
    if needed is not None and high is None:
        text += f" Another pilot of this size might say that no number of {unit} is enough."
    # A width in shares of itself; a power or a reliability is a share.
    misfit = max(abs(point.value - point.fitted) / (point.value or 1.0 if goal == "width" else 1.0) for point in curve)
    if misfit > _MAX_MISFIT:
        text += f" The fitted curve is off by up to {misfit:.0%} where it was measured."
    return text
