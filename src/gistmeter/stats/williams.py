"""Williams' test that one metric agrees with the judges better than another does, for normally distributed scores."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.hypothesis import Alternative, TestResult
from gistmeter.stats.resampling.samples import count_observations
from gistmeter.stats.tables import align_cells, check_choice
from gistmeter.stats.ties import TIE_TOLERANCE

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.stats.tables import Coefficient, Level, Undefined


def williams_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    alternative: Alternative = "two-sided",
    undefined: Undefined = "drop",
) -> TestResult:
    """Williams' test for two correlations that share z, for normal scores (eq. 7.7 of the thesis).

    At summary level it is applied to the mean correlations as if they were of n systems. Signs count: a metric that
    correlates negatively is worse than one that does not correlate (nlpstats compares without signs).

    Parameters
    ----------
    x, y, z : array_like
        The tables of the two metrics and of the judges, systems x documents.
    level, coefficient, undefined
        As in `correlate`.
    alternative : {"two-sided", "greater", "less"}
        "greater" asks whether x agrees better with the judges than y.

    Returns
    -------
    TestResult
        Without draws.

    Raises
    ------
    ArgumentError
        A choice does not exist.
    DataError
        There are fewer than 4 observations, or the test is undefined.

    Examples
    --------
    >>> judges = np.array([[1.0], [2], [3], [4], [5], [6]])
    >>> good, poor = np.array([[1.0], [2], [3], [4], [6], [5]]), np.array([[3.0], [1], [6], [2], [5], [4]])
    >>> round(williams_test(good, poor, judges, level="system", alternative="greater").pvalue, 3)
    0.045
    """
    check_choice("alternative", alternative, Alternative)
    a, b, c = align_cells(x, y, z)
    of_x, of_y, between = (
        correlate(first, second, level=level, coefficient=coefficient, undefined=undefined).value
        for first, second in ((a, c), (b, c), (a, b))
    )
    n = count_observations(c, level, at_least=4)
    return TestResult(
        pvalue=_williams_pvalue(of_x, of_y, between, n, alternative),
        statistic=of_x - of_y,
        of_x=of_x,
        of_y=of_y,
        alternative=alternative,
        test="williams",
        level=level,
        coefficient=coefficient,
        method=None,
        draws=0,
        undefined=0,
        samples=np.empty(0),
    )


def _williams_pvalue(of_x: float, of_y: float, between: float, n: int, alternative: Alternative) -> float:
    """The p-value of Williams' test from the three correlations of n observations (`between` is that of x with y)."""
    from scipy.special import stdtr

    difference = of_x - of_y
    if abs(difference) <= TIE_TOLERANCE:
        t = 0.0
    else:
        determinant = 1 - between**2 - of_x**2 - of_y**2 + 2 * between * of_x * of_y
        variance = 2 * determinant * (n - 1) / (n - 3) + ((of_x + of_y) / 2) ** 2 * (1 - between) ** 3
        if variance <= 0:
            # Means of correlations, and rank correlations, need not fit together as correlations do.
            raise DataError("Williams' test is undefined: the three correlations contradict each other")
        t = difference * math.sqrt((n - 1) * (1 + between) / variance)
    if alternative == "two-sided":
        return float(2 * stdtr(n - 3, -abs(t)))
    return float(stdtr(n - 3, -t if alternative == "greater" else t))
