"""Pairs of scores: how far apart they are, and when that is no more than a rounding error."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    FloatArray: TypeAlias = NDArray[np.float64]
    Places: TypeAlias = NDArray[np.intp]

# Differences this close (as shares of the largest score) are ties: the same sum, added up in another order.
_TOLERANCE = 1e-12


def pair_places(count: int) -> tuple[Places, Places]:
    """The places of the first and of the second member of every pair of `count` things.

    >>> pair_places(3)
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    return np.triu_indices(count, 1)


def tie_width(scores: FloatArray) -> float:
    """The difference up to which two of these scores, or their means, are the same but for rounding.

    >>> tie_width(np.array([[0.5, -50.0]]))
    5e-11
    """
    return _TOLERANCE * float(np.fmax.reduce(np.abs(scores), axis=None, initial=0.0))


def differences(values: FloatArray, places: tuple[Places, Places], width: float) -> FloatArray:
    """First less second of each pair along the last axis, exactly 0 where they tie; NaN where one is missing.

    >>> differences(np.array([0.3, 0.1 + 0.2, 0.1]), pair_places(3), 1e-12).round(3)
    array([0. , 0.2, 0.2])
    """
    first, second = places
    apart = values[..., first] - values[..., second]
    return np.where(np.abs(apart) <= width, 0.0, apart)
