"""Ranks of several methods over several groups, such as metrics over languages, or layers over datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray


def average_ranks(values: ArrayLike) -> FloatArray:
    """The mean rank of each row over the columns, 1 for the highest (Koto, Baldwin and Lau 2022, Table 5).

    Parameters
    ----------
    values : array_like
        A row for each method, a column for each group. Equal values share their ranks. A method that is NaN in a group
        comes last in it; a group in which all are NaN is left out.

    Returns
    -------
    ndarray
        A mean rank for each row, NaN if there is no group.

    Raises
    ------
    DataError
        The values are no table.

    Examples
    --------
    >>> average_ranks([[0.1, 0.5], [0.3, 0.2], [0.2, 0.2]])
    array([2.  , 1.75, 2.25])
    >>> average_ranks([[0.1, np.nan], [0.3, np.nan]])
    array([2., 1.])
    """
    from scipy.stats import rankdata

    table = np.array(values, dtype=np.float64)
    if table.ndim != 2:
        raise DataError(f"ranks are of a table, methods x groups, not {table.ndim}-d")
    defined = table[:, ~np.isnan(table).all(axis=0)]
    if not defined.size:
        return np.full(len(table), np.nan)
    ranks: FloatArray = rankdata(-np.where(np.isnan(defined), -np.inf, defined), axis=0).mean(axis=1)
    return ranks
