"""How well two tables of scores agree, both systems x documents (a metric's and the judges', say).

The level says what is correlated (Deutsch 2022, section 2.3.2):

    system      the systems' means over documents
    summary     the systems' scores on one document, averaged over documents
    pooled      all cells of the two tables, without regard to system or document
    per-system  the documents' scores for one system, averaged over systems

A cell that is NaN in one table is left out of both. A correlation with a constant is undefined; what becomes
of it is the caller's choice, and how many there were is reported.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.tables import (
    GROUPS,
    OBSERVATIONS,
    Coefficient,
    Level,
    Undefined,
    check_choice,
    groups,
    shared_cells,
    shared_systems,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

__all__ = ["Coefficient", "Correlation", "Level", "Undefined", "check_unpaired", "correlate"]

# Comparing all pairs is quickest for rows up to about this length; longer ones take scipy's n log n.
_LONG_ROW = 2000


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation, and what it rests on."""

    value: float
    level: Level
    coefficient: Coefficient
    used: int
    """How many documents (summary), systems (system, per-system) or cells (pooled) the value rests on."""
    undefined: int
    """How many correlations were undefined: an input was constant, or there was one observation only."""
    missing: int
    """How many cells were left out of both tables, being NaN in at least one."""


def correlate(
    x: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
    paired: bool = True,
) -> Correlation:
    """Correlate two tables of scores, systems x documents.

    `undefined` says what becomes of a correlation with a constant: "drop" leaves it out of the mean, "zero"
    takes it as 0, "error" refuses. One observation alone is missing data, and never 0. Kendall is tau-b; tau-c
    ("kendall-c") is for two scales of different length.

    With `paired=False` the tables have the same systems, but documents of their own, and each system's mean is
    over all it has (Deutsch 2022, eq. 8.3: the metric on the whole test set, the judges on a part of it). This
    is for the system level alone.

    >>> metric = [[0.1, 0.5, 0.2], [0.3, 0.4, 0.2], [0.4, 0.9, 0.2]]
    >>> judges = [[1, 2, 3], [2, 1, 4], [3, 5, 5]]
    >>> round(correlate(metric, judges, level="pooled").value, 3)
    0.323
    >>> correlate(metric, judges, level="summary", coefficient="kendall")
    Correlation(value=1.0, level='summary', coefficient='kendall', used=2, undefined=1, missing=0)
    """
    check_choice("level", level, Level)
    check_choice("coefficient", coefficient, Coefficient)
    check_choice("undefined", undefined, Undefined)
    if paired:
        a, b = shared_cells(x, z)
        missing = int(np.isnan(a).sum())
    else:
        check_unpaired(level)
        a, b = shared_systems(x, z)
        missing = int(np.isnan(a).sum() + np.isnan(b).sum())
    a, b = shared_cells(groups(a, level), groups(b, level))
    counts = (~np.isnan(a)).sum(axis=1)
    if not (counts > 1).any():
        things = OBSERVATIONS[level]
        raise DataError(f"a {level}-level correlation needs at least 2 {things} with scores in both tables")

    # A row without any shared cell is missing, and counted there; it is not an undefined correlation.
    a, b, counts = a[counts > 0], b[counts > 0], counts[counts > 0]
    values = _COEFFICIENTS[coefficient](a, b)
    lost = np.isnan(values)
    if lost.any() and undefined == "error":
        raise DataError(_undefined_message(level, int(lost.sum()), len(values)))
    if undefined == "zero":
        values[lost & (counts > 1)] = 0.0
    kept = values[~np.isnan(values)]
    if not kept.size:
        raise DataError(_undefined_message(level, int(lost.sum()), len(values)))
    used = len(kept) if level in GROUPS else int(counts[0])
    return Correlation(float(kept.mean()), level, coefficient, used, int(lost.sum()), missing)


def check_unpaired(level: Level) -> None:
    """Refuse tables of different documents at a level that compares cell by cell."""
    if level != "system":
        raise DataError(f"tables of different documents (paired=False) have a system level only, no {level} level")


def _undefined_message(level: Level, lost: int, rows: int) -> str:
    of = f" for {lost} of {rows} {GROUPS[level]}" if level in GROUPS else ""
    return f"the {level}-level correlation is undefined{of}: the scores in one of the tables are all the same"


# Each coefficient takes two arrays, rows x observations, NaN at the same places, and gives one value for each
# row: NaN where a side is constant or has one observation only.


def _pearson(x: FloatArray, z: FloatArray) -> FloatArray:
    dx, dz = _deviations(x), _deviations(z)
    norm = np.sqrt((dx * dx).sum(axis=1) * (dz * dz).sum(axis=1))
    return _bounded_ratio((dx * dz).sum(axis=1), norm)


def _bounded_ratio(above: FloatArray, below: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return np.asarray(np.clip(above / below, -1.0, 1.0))


def _deviations(x: FloatArray) -> FloatArray:
    """Distances from the row's mean, 0 where NaN, as shares of the largest (their squares cannot underflow).

    A constant row gives exact zeros, although its computed mean may be off by a rounding error.
    """
    centre = np.nansum(x, axis=1, keepdims=True) / (~np.isnan(x)).sum(axis=1, keepdims=True)
    low, high = np.fmin.reduce(x, axis=1, keepdims=True), np.fmax.reduce(x, axis=1, keepdims=True)
    away = np.where(np.isnan(x) | (low == high), 0.0, x - centre)
    largest = np.abs(away).max(axis=1, keepdims=True)
    scaled: FloatArray = away / np.where(largest > 0, largest, 1.0)
    return scaled


def _spearman(x: FloatArray, z: FloatArray) -> FloatArray:
    return _pearson(_ranks(x), _ranks(z))


def _ranks(x: FloatArray) -> FloatArray:
    """Ranks from 0 along each row; ties share the mean of their ranks, NaN stays NaN."""
    order = np.argsort(x, axis=1, kind="stable")  # NaN goes last
    ordered = np.take_along_axis(x, order, axis=1)
    changes = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(x), 1), dtype=bool)
    place = np.arange(x.shape[1])
    first = np.maximum.accumulate(np.where(np.hstack([edge, changes]), place, 0), axis=1)
    ends = np.where(np.hstack([changes, edge]), place, place[-1])
    last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty_like(x)
    np.put_along_axis(ranks, order, (first + last) / 2, axis=1)
    ranks[np.isnan(x)] = np.nan
    return ranks


def _kendall(x: FloatArray, z: FloatArray, variant: Literal["b", "c"]) -> FloatArray:
    """Tau-b, the cosine of the signs of all pairwise differences (a tie being 0), or tau-c."""
    if x.shape[1] > _LONG_ROW:
        return np.array([_kendall_of_long(a, b, variant) for a, b in zip(x, z, strict=True)])
    agreement, untied_x, untied_z = np.zeros((3, len(x)))
    for i in range(1, x.shape[1]):
        sx = np.nan_to_num(np.sign(x[:, i : i + 1] - x[:, :i]))
        sz = np.nan_to_num(np.sign(z[:, i : i + 1] - z[:, :i]))
        agreement += (sx * sz).sum(axis=1)
        untied_x += np.abs(sx).sum(axis=1)
        untied_z += np.abs(sz).sum(axis=1)
    if variant == "b":
        return _bounded_ratio(agreement, np.sqrt(untied_x * untied_z))
    # Stuart's tau-c: the most that n observations on scales of `fewest` values can reach is 1.
    fewest = np.minimum(_distinct(x), _distinct(z))
    most = (~np.isnan(x)).sum(axis=1) ** 2 * (fewest - 1) / fewest / 2
    return _bounded_ratio(agreement, most)


def _distinct(x: FloatArray) -> FloatArray:
    """How many different values each row has."""
    ordered = np.sort(x, axis=1)  # NaN goes last, and is greater than nothing
    return np.asarray(1.0 + (ordered[:, 1:] > ordered[:, :-1]).sum(axis=1))


def _kendall_of_long(x: FloatArray, z: FloatArray, variant: Literal["b", "c"]) -> float:
    from scipy.stats import kendalltau

    present = ~np.isnan(x)
    if present.sum() < 2:
        return math.nan
    return float(kendalltau(x[present], z[present], method="asymptotic", variant=variant).statistic)


_COEFFICIENTS: dict[str, Callable[[FloatArray, FloatArray], FloatArray]] = {
    "pearson": _pearson,
    "spearman": _spearman,
    "kendall": partial(_kendall, variant="b"),
    "kendall-c": partial(_kendall, variant="c"),
}
