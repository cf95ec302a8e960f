"""Whether scores are normally distributed, as Fisher's interval and Williams' test assume (Deutsch 2022, C.1).

Each set of scores that enters one correlation is tested on its own (Shapiro-Wilk): at system level the systems'
means, at summary level the systems' scores on each document, at per-system level the documents' scores of each
system, pooled all cells together. Table 22 has the p-value of the first and the share rejected of the second.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.tables import OBSERVATIONS, Level, check_choice, check_share, correlated_rows, score_table

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

_MIN_OBSERVATIONS = 3
"""Shapiro and Wilk's statistic is defined from three observations on."""


@dataclass(frozen=True, slots=True, eq=False)
class Normality:
    """Shapiro-Wilk tests of one table of scores, one for each set of scores that is correlated at the level."""

    level: Level
    pvalues: FloatArray
    """One for each document (summary), each system (per-system) or one in all; NaN where there is no test."""
    tested: int
    rejected: int
    """How many tests say "not normal" at `alpha`."""
    alpha: float
    undefined: int
    """Sets without a test: all their scores are the same, or there are fewer than three."""
    missing: int
    """Cells that are NaN."""

    @property
    def share(self) -> float:
        """The share of the tests that say "not normal"."""
        return self.rejected / self.tested

    @property
    def pvalue(self) -> float:
        """The p-value where there is one test only (system, pooled), else the median of all."""
        return float(np.nanmedian(self.pvalues))


def normality(x: ArrayLike, *, level: Level = "summary", alpha: float = 0.05) -> Normality:
    """Test whether the scores that a correlation of this level takes are normally distributed.

    A small p-value says that they are not.

    Parameters
    ----------
    x : array_like
        A table of scores, systems x documents, NaN where one is missing.
    level : {"system", "summary", "pooled", "per-system"}
        The level of the correlation, as in `correlate`.
    alpha : float
        The p-value up to which scores count as not normal.

    Returns
    -------
    Normality
        The p-values, and how many of them are at most `alpha`. Those of more than about 5,000 scores at once (pooled)
        are approximate.

    Raises
    ------
    ArgumentError
        The level does not exist, or `alpha` is not between 0 and 1.
    DataError
        No set of scores has three different values or more.

    Examples
    --------
    >>> even, skewed = [1.0, 2, 3, 4, 5, 6], [1.0, 1, 1, 1, 1, 9]
    >>> result = normality(np.transpose([even, skewed]), level="summary")
    >>> result.pvalues.round(3), result.share
    (array([0.961, 0.   ]), 0.5)
    """
    check_choice("level", level, Level)
    check_share("alpha", alpha)
    table = score_table(x)
    rows = correlated_rows(table, level)
    pvalues = np.array([_pvalue(row[~np.isnan(row)]) for row in rows])
    tested = ~np.isnan(pvalues)
    if not tested.any():
        needed = f"{_MIN_OBSERVATIONS} {OBSERVATIONS[level]} or more"
        raise DataError(f"normality at {level} level needs {needed} whose scores are not all the same")
    return Normality(
        level=level,
        pvalues=pvalues,
        tested=int(tested.sum()),
        rejected=int((pvalues[tested] <= alpha).sum()),
        alpha=alpha,
        undefined=int((~tested).sum()),
        missing=int(np.isnan(table).sum()),
    )


def _pvalue(values: FloatArray) -> float:
    """The p-value of the Shapiro-Wilk test; NaN if there are too few values or all are the same."""
    from scipy.stats import shapiro

    if len(values) < _MIN_OBSERVATIONS or values.min() == values.max():
        return math.nan
    with warnings.catch_warnings():
        # scipy warns above 5,000 values; the docstring says so.
        warnings.simplefilter("ignore", UserWarning)
        return float(shapiro(values).pvalue)
