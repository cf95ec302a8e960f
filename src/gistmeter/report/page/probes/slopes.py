"""Slope charts: a line for each system from what a score with references gives it to what a metric without does.

The picture of Figures 14 to 16 of Deutsch (2022): better is higher on both sides.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gistmeter.report.tables.numbers import decimals_for, format_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.probe import ScoreFindings, ScoreStanding

Kind = Literal["system", "optimised", "reference"]

BETWEEN = 190
"""From one axis to the other."""
LEAST_MARGIN = 100
LETTER = 9.2
"""The width of a bold letter of labels as a phone shows them, which has them larger; pixels, as all lengths here."""
TOP, ROW = 44, 16
"""Above the axes, and the height of a label."""
LEAST_HEIGHT = 240
_SHOWN_LETTERS = 22


@dataclass(frozen=True, slots=True)
class SlopeEnd:
    """One end of a line: where it is on its axis, and its label, which may stand a little higher or lower."""

    y: float
    label_y: float
    label: str


@dataclass(frozen=True, slots=True)
class Slope:
    """The line of a system, of the optimised summaries, or the mark of the references, which have a right end alone."""

    name: str
    kind: Kind
    left: SlopeEnd | None
    right: SlopeEnd | None

    @property
    def title(self) -> str:
        """What is said of the line when it is pointed at."""
        return ", ".join(end.label for end in (self.left, self.right) if end is not None)


@dataclass(frozen=True, slots=True)
class SlopeChart:
    """A slope chart in numbers: axes, lines and the sentence that stands for the picture."""

    slopes: tuple[Slope, ...]
    left_title: str
    right_title: str
    height: float
    description: str
    left: int
    """Where the left axis stands; as much room is on the right of the other."""

    top: int = TOP

    @property
    def right(self) -> int:
        """Where the right axis stands."""
        return self.left + BETWEEN

    @property
    def width(self) -> int:
        """Of the whole chart."""
        return self.right + self.left


def draw_slopes(findings: ScoreFindings) -> SlopeChart | None:
    """The chart of one score; None where nothing compares with references."""
    if findings.ranked is None or len(findings.standings) < 2:
        return None
    standings = findings.standings
    height = max(LEAST_HEIGHT, 1.2 * ROW * len(standings))
    against, scores = [each.against for each in standings], [each.score for each in standings]
    left = _locate_ends(standings, against, higher=findings.against_better != "lower", height=height)
    right = _locate_ends(standings, scores, higher=findings.better != "lower", height=height)
    slopes = tuple(
        Slope(name=each.name, kind=_choose_kind(each), left=left.get(each.name), right=right.get(each.name))
        for each in standings
    )
    labels = [end.label for end in (*left.values(), *right.values())]
    longest = max(map(len, (*labels, findings.ranked.metric, findings.name)))
    return SlopeChart(
        # Those that matter most are drawn last, above the others.
        slopes=tuple(sorted(slopes, key=lambda slope: slope.kind != "system")),
        left_title=findings.ranked.metric,
        right_title=findings.name,
        height=TOP + height + ROW,
        left=max(LEAST_MARGIN, round(24 + LETTER * longest)),
        description=(
            f"{len(standings)} lines from {findings.ranked.metric} on the left to {findings.name} on the right, better "
            "is higher; the table below has the numbers."
        ),
    )


def _choose_kind(standing: ScoreStanding) -> Kind:
    return "optimised" if standing.is_optimised else "reference" if standing.is_reference else "system"


def _locate_ends(
    standings: Sequence[ScoreStanding], values: Sequence[float], *, higher: bool, height: float
) -> dict[str, SlopeEnd]:
    """Where each value is on an axis, the best at the top, and its label; missing values have no place."""
    present = [(each, value) for each, value in zip(standings, values, strict=True) if not math.isnan(value)]
    if not present:
        return {}
    numbers = [value for _, value in present]
    low, high = min(numbers), max(numbers)
    decimals = decimals_for(numbers)

    def locate(value: float) -> float:
        share = 0.5 if high == low else (value - low) / (high - low)
        return TOP + height * (1 - share if higher else share)

    ordered = sorted(present, key=lambda pair: locate(pair[1]))
    heights = [locate(value) for _, value in ordered]
    labels = spread_labels(heights, ROW, lowest=TOP, highest=TOP + height)
    return {
        each.name: SlopeEnd(
            y=round(y, 1),
            label_y=round(label_y, 1),
            label=f"{_shorten(each.name)} {format_number(value, decimals)}",
        )
        for (each, value), y, label_y in zip(ordered, heights, labels, strict=True)
    }


def spread_labels(heights: Sequence[float], gap: float, *, lowest: float, highest: float) -> list[float]:
    """Heights of labels near those asked for, in their order, none nearer to the next than `gap`.

    >>> spread_labels([10, 12, 40], 8, lowest=0, highest=50)
    [10, 18, 40]
    >>> spread_labels([48, 49, 50], 8, lowest=0, highest=50)
    [34, 42, 50]
    """
    placed: list[float] = []
    for height in heights:
        placed.append(max(height, lowest) if not placed else max(height, placed[-1] + gap))
    limit = highest
    for position in range(len(placed) - 1, -1, -1):
        placed[position] = min(placed[position], limit)
        limit = placed[position] - gap
    return placed


def _shorten(name: str) -> str:
    """A name that fits beside an axis.

    >>> _shorten("lead"), _shorten("a" * 40)
    ('lead', 'aaaaaaaaaaaaaaaaaaaaa…')
    """
    return name if len(name) <= _SHOWN_LETTERS else f"{name[: _SHOWN_LETTERS - 1]}…"
