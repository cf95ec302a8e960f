"""Correlations by folds: within each fold, then averaged, as papers that train metrics report them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.correlation import correlate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.stats.tables import Coefficient, Level, Undefined


@dataclass(frozen=True, slots=True)
class FoldCorrelation:
    """The mean over folds, and the value within each."""

    value: float
    values: tuple[float, ...]
    undefined: int
    """How many correlations within folds were undefined, a score being constant."""


def correlate_by_folds(
    x: ArrayLike,
    z: ArrayLike,
    folds: Sequence[Sequence[int]],
    *,
    axis: Literal["documents", "systems"] = "documents",
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
) -> FoldCorrelation:
    """Correlate two tables (systems x documents) within folds of documents or of systems, and average.

    >>> metric = [[0.1, 0.5, 0.2, 0.4], [0.3, 0.4, 0.2, 0.3], [0.4, 0.9, 0.1, 0.5]]
    >>> judges = [[1, 2, 3, 1], [2, 1, 4, 2], [3, 5, 5, 3]]
    >>> [round(one, 3) for one in correlate_by_folds(metric, judges, [[0, 1], [2, 3]], coefficient="spearman").values]
    [1.0, -0.183]
    """
    a, b = np.asarray(x, dtype=float), np.asarray(z, dtype=float)
    if len(folds) < 2 or not all(len(fold) for fold in folds):
        raise DataError("there must be at least two folds, and none of them empty")
    found = []
    for fold in folds:
        cells = (slice(None), list(fold)) if axis == "documents" else (list(fold), slice(None))
        found.append(correlate(a[cells], b[cells], level=level, coefficient=coefficient, undefined=undefined))
    values = tuple(one.value for one in found)
    return FoldCorrelation(float(np.mean(values)), values, sum(one.undefined for one in found))
