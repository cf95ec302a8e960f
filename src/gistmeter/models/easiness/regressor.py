"""The regressors of easiness by name or file: a ridge regression, or boosted trees as XGBoost writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from gistmeter.errors import MetricError
from gistmeter.models.easiness.boosting import WEIGHTS, BoostedTrees, parse_boosted_trees, read_boosted_trees
from gistmeter.models.easiness.ridge import RIDGE_WEIGHTS, Ridge
from gistmeter.models.runtime.stored_json import read_weights_json
from gistmeter.weights import EMBEDDED

EMBEDDED_69 = "embedded-69"
"""The regressor on the paper's 69 features of phrase trees."""

Regressor = Ridge | BoostedTrees
_CONTENT = "a regressor as `gistmeter train easiness` or XGBoost writes it"


def regressor_file(name: str) -> Path:
    """The file of a regressor: `embedded`, `embedded-69`, or a path."""
    built_in = {EMBEDDED: RIDGE_WEIGHTS, EMBEDDED_69: WEIGHTS}
    return built_in[name] if name in built_in else Path(name).expanduser()


def read_regressor(name: str) -> Regressor:
    """The regressor of a name or a file.

    >>> read_regressor("embedded").features, read_regressor("embedded-69").features
    (8, 69)
    """
    file = regressor_file(name)
    if not file.is_file():
        raise MetricError(f"there is no regressor {file}: take embedded, embedded-69 or a file")
    stored = read_weights_json(file, _CONTENT, _Outline)
    if stored.coefficients is None:
        return read_boosted_trees(file)
    ridge = read_weights_json(file, _CONTENT, _StoredRidge)
    if not len(ridge.means) == len(ridge.deviations) == len(ridge.coefficients) or 0 in ridge.deviations:
        raise MetricError(f"{file} is not {_CONTENT}: a mean, a deviation and a coefficient for each feature")
    return Ridge(**msgspec.structs.asdict(ridge))


def parse_regressor(stored: dict[str, Any]) -> Regressor:
    """The regressor from the data that a training gives, before they are written."""
    if "coefficients" in stored:
        return Ridge(**msgspec.structs.asdict(msgspec.convert(stored, _StoredRidge)))
    return parse_boosted_trees(stored)


class _Outline(msgspec.Struct):
    """What tells a ridge regression from trees."""

    coefficients: Any = None


class _StoredRidge(msgspec.Struct):
    means: tuple[float, ...]
    deviations: tuple[float, ...]
    coefficients: tuple[float, ...]
    intercept: float
