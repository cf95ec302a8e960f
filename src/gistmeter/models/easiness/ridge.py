"""A ridge regression in JSON: a weight for each standardised feature, and what it predicts for the mean sentence."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray

RIDGE_WEIGHTS = Path(__file__).parent / "ridge.json"


@dataclass(frozen=True, slots=True)
class Ridge:
    """What a ridge regression learned: means and deviations of the features, their coefficients, and the intercept."""

    means: tuple[float, ...]
    deviations: tuple[float, ...]
    coefficients: tuple[float, ...]
    intercept: float

    @property
    def features(self) -> int:
        """How many features it reads."""
        return len(self.coefficients)

    def predict(self, rows: Sequence[Sequence[float]] | FloatArray) -> FloatArray:
        """The prediction for each row of features.

        >>> Ridge(means=(2.0,), deviations=(4.0,), coefficients=(0.5,), intercept=0.1).predict([[2.0], [4.0]])
        array([0.1 , 0.35])
        """
        table = np.asarray(rows, np.float64).reshape(-1, self.features)
        standardised = (table - np.array(self.means)) / np.array(self.deviations)
        return np.asarray(standardised @ np.array(self.coefficients) + self.intercept)

    def as_data(self) -> dict[str, Any]:
        """This regression as data that JSON can hold."""
        return asdict(self)


def fit_ridge(rows: FloatArray, target: FloatArray, penalty: float) -> Ridge:
    """The ridge regression of a target on features, each divided by its deviation; a constant feature counts nothing.

    `penalty` is added to the sums of squares of the standardised features.

    >>> fit_ridge(np.array([[0.0], [2.0]]), np.array([0.0, 1.0]), penalty=0.0).predict([[1.0]])
    array([0.5])
    """
    means = rows.mean(axis=0)
    deviations = rows.std(axis=0)
    deviations[deviations == 0] = 1.0
    table = (rows - means) / deviations
    squares = table.T @ table + penalty * np.eye(table.shape[1])
    coefficients = np.linalg.lstsq(squares, table.T @ (target - target.mean()), rcond=None)[0]
    return Ridge(
        means=tuple(map(float, means)),
        deviations=tuple(map(float, deviations)),
        coefficients=tuple(map(float, coefficients)),
        intercept=float(target.mean()),
    )
