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

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.tables import (
    GROUPS,
    OBSERVATIONS,
    Coefficient,
    LabelCoefficient,
    Level,
    Undefined,
    align_cells,
    align_systems,
    check_choice,
    correlated_rows,
)
from gistmeter.stats.ties import rank_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

__all__ = ["Coefficient", "Correlation", "Level", "Undefined", "check_unpaired", "correlate"]

_MAX_PAIRWISE_OBSERVATIONS = 2000
"""Comparing all pairs is quickest for rows up to about this length; longer rows take scipy's n log n."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation, and what it rests on."""

    value: float
    level: Level
    coefficient: Coefficient | LabelCoefficient
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

    Parameters
    ----------
    x, z : array_like
        The two tables, such as a metric's scores and the judges'. A cell that is NaN in one is left out of both.
    level : {"system", "summary", "pooled", "per-system"}
        What is correlated: the systems' means; their scores on each document, averaged over documents; all cells
        together; or the documents' scores of each system, averaged over systems.
    coefficient : {"pearson", "spearman", "kendall", "kendall-c"}
        "kendall" is tau-b; "kendall-c" is tau-c, for two scales of different length.
    undefined : {"drop", "zero", "error"}
        What becomes of a correlation with a constant: it is left out of the mean, counts as 0, or is refused. One
        observation alone is missing data, and never 0.
    paired : bool
        False if the tables have the same systems but documents of their own: each system's mean is then over all
        documents it has (Deutsch 2022, eq. 8.3: the metric on the whole test set, the judges on a part of it).
        This is for the system level alone.

    Returns
    -------
    Correlation
        The value, and how many documents, systems or cells it rests on.

    Raises
    ------
    ArgumentError
        A choice does not exist, or `paired=False` is asked for at another level than "system".
    DataError
        The tables do not fit together, are too small, or have no correlation that is defined.

    Examples
    --------
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
        a, b = align_cells(x, z)
        missing = int(np.isnan(a).sum())
    else:
        check_unpaired(level)
        a, b = align_systems(x, z)
        missing = int(np.isnan(a).sum() + np.isnan(b).sum())
    a, b = align_cells(correlated_rows(a, level), correlated_rows(b, level))
    counts = (~np.isnan(a)).sum(axis=1)
    if not (counts > 1).any():
        raise DataError(
            f"a {level}-level correlation needs at least 2 {OBSERVATIONS[level]} with scores in both tables"
        )

    # A row without any shared cell is missing, and counted there; it is not an undefined correlation.
    a, b, counts = a[counts > 0], b[counts > 0], counts[counts > 0]
    values = _COEFFICIENTS[coefficient](a, b)
    without_value = np.isnan(values)
    if without_value.any() and undefined == "error":
        raise DataError(_explain_undefined(level, int(without_value.sum()), len(values)))
    if undefined == "zero":
        values[without_value & (counts > 1)] = 0.0
    defined = values[~np.isnan(values)]
    if not defined.size:
        raise DataError(_explain_undefined(level, int(without_value.sum()), len(values)))
    return Correlation(
        value=float(defined.mean()),
        level=level,
        coefficient=coefficient,
        used=len(defined) if level in GROUPS else int(counts[0]),
        undefined=int(without_value.sum()),
        missing=missing,
    )


def check_unpaired(level: Level) -> None:
    """Refuse tables of different documents at a level that compares cell by cell."""
    if level != "system":
        raise ArgumentError(f"tables of different documents (paired=False) have a system level only, no {level} level")


def _explain_undefined(level: Level, undefined: int, rows: int) -> str:
    share = f" for {undefined} of {rows} {GROUPS[level]}" if level in GROUPS else ""
    return f"the {level}-level correlation is undefined{share}: the scores in one of the tables are all the same"


# Each coefficient takes two arrays, rows x observations, NaN at the same places, and gives one value for each
# row: NaN where a side is constant or has one observation only.


def _pearson(x: FloatArray, z: FloatArray) -> FloatArray:
    dx, dz = _deviations(x), _deviations(z)
    norm = np.sqrt((dx * dx).sum(axis=1) * (dz * dz).sum(axis=1))
    return _divide_within_bounds((dx * dz).sum(axis=1), norm)


def _divide_within_bounds(numerators: FloatArray, denominators: FloatArray) -> FloatArray:
    """The ratios, kept between -1 and 1 against rounding errors; NaN for 0 / 0."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.clip(numerators / denominators, -1.0, 1.0))


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
    return _pearson(rank_rows(x), rank_rows(z))


def _kendall(x: FloatArray, z: FloatArray, variant: Literal["b", "c"]) -> FloatArray:
    """Tau-b, the cosine of the signs of all pairwise differences (a tie being 0), or tau-c."""
    if x.shape[1] > _MAX_PAIRWISE_OBSERVATIONS:
        return np.array([_kendall_long_row(a, b, variant) for a, b in zip(x, z, strict=True)])
    agreement, untied_x, untied_z = np.zeros((3, len(x)))
    for i in range(1, x.shape[1]):
        sx = np.nan_to_num(np.sign(x[:, i : i + 1] - x[:, :i]))
        sz = np.nan_to_num(np.sign(z[:, i : i + 1] - z[:, :i]))
        agreement += (sx * sz).sum(axis=1)
        untied_x += np.abs(sx).sum(axis=1)
        untied_z += np.abs(sz).sum(axis=1)
    if variant == "b":
        return _divide_within_bounds(agreement, np.sqrt(untied_x * untied_z))
    # Stuart's tau-c: the most that n observations on scales of `fewest` values can reach is 1.
    fewest = np.minimum(_count_distinct(x), _count_distinct(z))
    most = (~np.isnan(x)).sum(axis=1) ** 2 * (fewest - 1) / fewest / 2
    return _divide_within_bounds(agreement, most)


def _count_distinct(x: FloatArray) -> FloatArray:
    """How many different values each row has."""
    ordered = np.sort(x, axis=1)  # NaN goes last, and is greater than nothing
    return np.asarray(1.0 + (ordered[:, 1:] > ordered[:, :-1]).sum(axis=1))


def _kendall_long_row(x: FloatArray, z: FloatArray, variant: Literal["b", "c"]) -> float:
    """Tau of two long rows by scipy, NaN with fewer than two observations."""
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
