"""Correlations by folds: within each fold, then averaged, as papers that train metrics report them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.tables import align_cells, check_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.stats.tables import Coefficient, Level, Undefined


FoldAxis = Literal["documents", "systems"]


@dataclass(frozen=True, slots=True)
class FoldCorrelation:
    """The correlation within each fold, and the mean over folds."""

    value: float
    """The mean over folds."""
    values: tuple[float, ...]
    """The correlation within each fold."""
    undefined: int
    """How many correlations within folds were undefined, a score being constant."""


def correlate_by_folds(
    x: ArrayLike,
    z: ArrayLike,
    folds: Sequence[Sequence[int]],
    *,
    axis: FoldAxis = "documents",
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
) -> FoldCorrelation:
    """Correlate two tables (systems x documents) within folds of documents or of systems, and average.

    Parameters
    ----------
    x, z : array_like
        The two tables, such as a metric's scores and the judges'.
    folds : sequence of sequences of int
        The columns (documents) or rows (systems) of each fold: at least two folds, none of them empty.
    axis : {"documents", "systems"}
        Whether the folds are of documents or of systems.
    level, coefficient, undefined
        Which correlation is taken within a fold, as in `correlate`.

    Returns
    -------
    FoldCorrelation

    Raises
    ------
    ArgumentError
        There are fewer than two folds, one of them is empty or names what is not in the tables, or a choice does not
        exist.
    DataError
        A fold has no correlation, or the two are not tables of the same summaries.

    Examples
    --------
    >>> metric = [[0.1, 0.5, 0.2, 0.4], [0.3, 0.4, 0.2, 0.3], [0.4, 0.9, 0.1, 0.5]]
    >>> judges = [[1, 2, 3, 1], [2, 1, 4, 2], [3, 5, 5, 3]]
    >>> result = correlate_by_folds(metric, judges, [[0, 1], [2, 3]], coefficient="spearman")
    >>> [round(value, 3) for value in result.values]
    [1.0, -0.183]
    """
    a, b = align_cells(x, z)
    check_choice("axis", axis, FoldAxis)
    if len(folds) < 2 or not all(len(fold) for fold in folds):
        raise ArgumentError("there must be at least two folds, and none of them empty")
    count = a.shape[1 if axis == "documents" else 0]
    outside = next((index for fold in folds for index in fold if not 0 <= index < count), None)
    if outside is not None:
        raise ArgumentError(f"folds are of the {axis} 0 to {count - 1}, but one has {outside}")
    correlations = []
    for fold in folds:
        cells = (slice(None), list(fold)) if axis == "documents" else (list(fold), slice(None))
        correlations.append(correlate(a[cells], b[cells], level=level, coefficient=coefficient, undefined=undefined))
    values = tuple(correlation.value for correlation in correlations)
    undefined_count = sum(correlation.undefined for correlation in correlations)
    return FoldCorrelation(float(np.mean(values)), values, undefined_count)
