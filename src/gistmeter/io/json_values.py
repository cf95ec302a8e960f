"""Values as JSON can hold them."""

from __future__ import annotations

import math
from typing import Any


def nan_to_null(value: Any) -> Any:
    """The value with None (null in JSON, which knows neither NaN nor infinity) for every number that is not finite.

    >>> nan_to_null({"value": float("nan"), "bounds": (0.5, 1)})
    {'value': None, 'bounds': [0.5, 1]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: nan_to_null(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [nan_to_null(inside) for inside in value]
    return value
