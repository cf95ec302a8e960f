"""Missing values are NaN: what is counted of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def average_present(values: ArrayLike) -> float:
    """The mean of what is not missing; missing (NaN) when all is.

    >>> average_present([1.0, float("nan"), 3.0]), average_present([])
    (2.0, nan)
    """
    array = np.asarray(values, dtype=np.float64)
    present = array[~np.isnan(array)]
    return float(present.mean()) if len(present) else float("nan")
