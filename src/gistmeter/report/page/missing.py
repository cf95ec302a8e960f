"""Explanations that a report lacks: how many, and why."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

_REASONS_PER_METRIC = 3
"""How many reasons are named for a metric before the rest are only counted."""


@dataclass(slots=True)
class MissingExplanations:
    """Explanations that could not be made, counted by metric and reason.

    >>> missing = MissingExplanations()
    >>> missing.add("qaeval", "the model is not installed", 2)
    >>> missing.notes(60)
    ['2 of 60 explanations by qaeval are missing: the model is not installed']
    """

    _counts: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, label: str, reason: str, count: int = 1) -> None:
        """Count explanations by the metric of this label that are missing for this reason."""
        self._counts.setdefault(label, Counter())[reason] += count

    def notes(self, rows: int) -> list[str]:
        """A sentence for each metric that lacks explanations, of so many rows that could have one."""
        return [
            f"{reasons.total():,} of {rows:,} explanations by {label} are missing: {_list_reasons(reasons)}"
            for label, reasons in self._counts.items()
        ]


def _list_reasons(reasons: Counter[str]) -> str:
    """The most frequent reasons first, with how many explanations each holds of where there are several."""
    if len(reasons) == 1:
        return next(iter(reasons))
    shown = reasons.most_common(_REASONS_PER_METRIC)
    others = reasons.total() - sum(count for _, count in shown)
    parts = [f"{reason} ({count:,})" for reason, count in shown]
    return "; ".join([*parts, f"others ({others:,})"] if others else parts)
