"""The order of systems by one score, and the letters of those that do not differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.stats.ties import snap_ties, tie_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn


@dataclass(frozen=True, slots=True, eq=False)
class ColumnOrder:
    """The systems by one score as numbers: who comes when, with intervals, letters and p-values."""

    column: ScoreColumn
    order: NDArray[np.intp]
    """The systems, best first."""
    intervals: stats.Intervals
    """By system, as they are numbered."""
    documents: NDArray[np.intp]
    """How many documents each system has a score for."""
    groups: Sequence[str]
    """The letters, best first."""
    pvalues: FloatArray
    """Corrected, best first."""


def best_first(values: FloatArray, column: ScoreColumn) -> NDArray[np.intp]:
    """The order of the systems: best (or largest) first, those without a value last, ties as they were."""
    snapped = snap_ties(values, tie_width(values))
    return np.argsort(snapped if column.better == "lower" else -snapped, kind="stable")


def correct_pairs(pvalues: FloatArray) -> FloatArray:
    """The table of p-values with Holm's correction over all pairs."""
    upper = np.triu_indices(len(pvalues), 1)
    corrected = np.full_like(pvalues, np.nan)
    corrected[upper] = stats.holm(pvalues[upper])
    corrected.T[upper] = corrected[upper]
    return corrected


def group_letters(values: FloatArray, pvalues: FloatArray, alpha: float) -> list[str]:
    """The letters of the systems, which are best first; none where there was nothing to test."""
    scored = int(np.count_nonzero(~np.isnan(values)))
    if scored < 2:
        return [""] * len(values)
    return [*stats.letter_groups(range(scored), pvalues <= alpha), *[""] * (len(values) - scored)]
