"""The door of the statistics: tables of scores (systems x documents), and the words that say what to do with them.

A cell that is NaN in one table is left out of all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from gistmeter.errors import DataError, suggestion

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    FloatArray: TypeAlias = NDArray[np.float64]

Level = Literal["system", "summary", "pooled", "per-system"]
Coefficient = Literal["pearson", "spearman", "kendall", "kendall-c"]
Undefined = Literal["drop", "zero", "error"]

# What a level correlates, and what it averages over (if it averages).
OBSERVATIONS = {"system": "systems", "summary": "systems", "pooled": "cells", "per-system": "documents"}
GROUPS = {"summary": "documents", "per-system": "systems"}


def check_choice(name: str, value: str, choices: object) -> None:
    """Refuse a word that is not among the choices, a Literal."""
    known = get_args(choices)
    if value not in known:
        hint = suggestion(str(value), known)
        raise DataError(f"unknown {name} {value!r}{hint} ({name} is one of {', '.join(known)})")


def check_share(name: str, value: float) -> None:
    """Refuse a confidence or significance level that is no share."""
    if not 0 < value < 1:
        raise DataError(f"{name} is between 0 and 1, such as {0.95 if name == 'confidence' else 0.05}, not {value}")


def shared_cells(*tables: ArrayLike) -> tuple[FloatArray, ...]:
    """The tables as float arrays of one shape, NaN in all where one is NaN."""
    arrays = tuple(scores(table) for table in tables)
    first = arrays[0]
    for other in arrays[1:]:
        if other.shape != first.shape:
            sizes = " and ".join(f"{table.shape[0]} systems x {table.shape[1]} documents" for table in (first, other))
            raise DataError(f"scores to correlate must be of the same summaries, but they are {sizes}")
    masked = np.isnan(arrays).any(axis=0)
    for array in arrays:
        array[masked] = np.nan
    return arrays


def shared_systems(x: ArrayLike, z: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Two tables of the same systems on different documents; each keeps its own gaps."""
    a, b = scores(x), scores(z)
    if len(a) != len(b):
        raise DataError(f"scores to correlate must be of the same systems, but they are of {len(a)} and {len(b)}")
    return a, b


def scores(table: ArrayLike) -> FloatArray:
    """A copy of the table as a float array, systems x documents."""
    array = np.array(table, dtype=np.float64)
    if array.ndim != 2:
        raise DataError(f"scores to correlate are tables, systems x documents, not {array.ndim}-d")
    if np.isinf(array).any():
        raise DataError("scores to correlate must not be infinite; make them NaN to leave them out")
    return array


def groups(table: FloatArray, level: Level) -> FloatArray:
    """The table with one row for each correlation that the level takes."""
    if level == "system":
        return means(table)[None, :]
    if level == "summary":
        return np.ascontiguousarray(table.T)
    return table.reshape(1, -1) if level == "pooled" else table


def means(table: FloatArray) -> FloatArray:
    """The systems' means, from exact sums: systems with the same scores in another order must tie exactly."""
    present = [row[~np.isnan(row)] for row in table]
    return np.array([math.fsum(row) / len(row) if len(row) else math.nan for row in present])
