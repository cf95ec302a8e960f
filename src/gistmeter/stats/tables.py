"""Tables of scores (systems x documents): checking them, aligning them, and the words that say how they are correlated.

A cell that is NaN in one table is left out of all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.stats.ties import snap_ties, tie_width
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

Level = Literal["system", "summary", "pooled", "per-system"]
Coefficient = Literal["pearson", "spearman", "kendall", "kendall-c"]
LabelCoefficient = Literal["auc", "balanced-accuracy"]
"""What stands in for a correlation where people's judgments are yes or no."""
Undefined = Literal["drop", "zero", "error"]

OBSERVATIONS = {"system": "systems", "summary": "systems", "pooled": "cells", "per-system": "documents"}
"""What one correlation of a level is computed over."""
GROUPS = {"summary": "documents", "per-system": "systems"}
"""What the correlations of a level are averaged over, for the levels that average."""


def check_choice(name: str, value: str, choices: object) -> None:
    """Refuse a word that is not among the choices, a Literal."""
    allowed = get_args(choices)
    if value not in allowed:
        hint = suggestion(str(value), allowed)
        raise ArgumentError(f"unknown {name} {value!r}{hint} ({name} is one of {', '.join(allowed)})")


def check_share(name: str, value: float) -> None:
    """Refuse a confidence or significance level that is not between 0 and 1."""
    if not 0 < value < 1:
        usual = 0.95 if name == "confidence" else 0.05
        raise ArgumentError(f"{name} is between 0 and 1, such as {usual}, not {value}")


def check_counts(**counts: int) -> None:
    """Refuse numbers below 1, such as 0 resamples; the keywords name them."""
    for name, number in counts.items():
        if number < 1:
            raise ArgumentError(f"{name} must be at least 1, not {number}")


def check_seed(seed: int) -> None:
    """Refuse a negative seed."""
    if seed < 0:
        raise ArgumentError(f"seed must be 0 or more, not {seed}")


def format_size(table: FloatArray) -> str:
    """How many systems and documents a table has, for a message.

    >>> format_size(np.zeros((1, 20)))
    '1 system x 20 documents'
    """
    return f"{format_count(table.shape[0], 'system')} x {format_count(table.shape[1], 'document')}"


def align_cells(*tables: ArrayLike) -> tuple[FloatArray, ...]:
    """The tables as float arrays of one shape, NaN in all where one is NaN."""
    arrays = tuple(score_table(table) for table in tables)
    first = arrays[0]
    for other in arrays[1:]:
        if other.shape != first.shape:
            sizes = " and ".join(format_size(table) for table in (first, other))
            raise DataError(f"scores to correlate must be of the same summaries, but they are {sizes}")
    masked = np.isnan(arrays).any(axis=0)
    for array in arrays:
        array[masked] = np.nan
    return arrays


def align_systems(x: ArrayLike, z: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two tables of the same systems on different documents as float arrays; each keeps its own gaps."""
    a, b = score_table(x), score_table(z)
    if len(a) != len(b):
        raise DataError(f"scores to correlate must be of the same systems, but they are of {len(a)} and {len(b)}")
    return a, b


def score_table(table: ArrayLike) -> FloatArray:
    """A copy of the table as a float array, systems x documents."""
    array = np.array(table, dtype=np.float64)
    if array.ndim != 2:
        raise DataError(f"scores to correlate are tables, systems x documents, not {array.ndim}-d")
    if np.isinf(array).any():
        raise DataError("scores to correlate must not be infinite; make them NaN to leave them out")
    return array


def correlated_rows(table: FloatArray, level: Level) -> FloatArray:
    """The table with one row for each correlation that the level takes; ties are made equal (see `ties`)."""
    if level == "system":
        return system_means(table)[None, :]
    rows = {"summary": np.ascontiguousarray(table.T), "pooled": table.reshape(1, -1), "per-system": table}[level]
    return snap_ties(rows, tie_width(table))


def system_means(table: FloatArray) -> FloatArray:
    """The systems' means; those that differ by no more than rounding are equal (`gistmeter.stats.ties`)."""
    present = [row[~np.isnan(row)] for row in table]
    means = np.array([math.fsum(row) / len(row) if len(row) else math.nan for row in present])
    return snap_ties(means, tie_width(table))
