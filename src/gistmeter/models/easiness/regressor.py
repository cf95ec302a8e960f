"""The regressors of easiness by name or file: a ridge regression, or boosted trees as XGBoost writes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gistmeter.errors import MetricError
from gistmeter.models.easiness.boosting import WEIGHTS, BoostedTrees, parse_boosted_trees, read_json
from gistmeter.models.easiness.ridge import RIDGE_WEIGHTS, Ridge
from gistmeter.weights import EMBEDDED

EMBEDDED_69 = "embedded-69"
"""The regressor on the paper's 69 features of phrase trees."""

Regressor = Ridge | BoostedTrees


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
    try:
        return parse_regressor(read_json(file))
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        raise MetricError(f"{file} is not a regressor as `gistmeter train easiness` or XGBoost writes it") from None


def parse_regressor(stored: dict[str, Any]) -> Regressor:
    """The regressor from decoded JSON."""
    if "coefficients" not in stored:
        return parse_boosted_trees(stored)
    means, deviations, coefficients = (
        tuple(map(float, stored[name])) for name in ("means", "deviations", "coefficients")
    )
    if not len(means) == len(deviations) == len(coefficients):
        raise ValueError
    return Ridge(means=means, deviations=deviations, coefficients=coefficients, intercept=float(stored["intercept"]))
