"""Scales on which the scores of one metric can stand in for those of another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.stats.ties import tie_width

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray


def standardise(table: FloatArray) -> FloatArray:
    """The scores with mean 0 and deviation 1 over all cells; 0 if all tie.

    >>> standardise(np.array([[1.0, 2.0], [3.0, np.nan]])).round(2)
    array([[-1.22,  0.  ],
           [ 1.22,   nan]])
    """
    return standardise_rows(table.reshape(1, -1)).reshape(table.shape)


def standardise_rows(table: FloatArray) -> FloatArray:
    """The scores with mean 0 and deviation 1 in each row; 0 in a row whose scores all tie."""
    present = ~np.isnan(table)
    counts = np.maximum(present.sum(axis=1, keepdims=True), 1)
    away = table - np.nansum(table, axis=1, keepdims=True) / counts
    spread = np.sqrt(np.nansum(away**2, axis=1, keepdims=True) / counts)
    constant = np.fmax.reduce(np.abs(away), axis=1, keepdims=True, initial=0.0) <= tie_width(table)
    return np.where(constant & present, 0.0, away / np.where(constant, 1.0, spread))
