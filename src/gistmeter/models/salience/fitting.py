"""Fitting a predictor of salience: logistic regression in which salient spans and the others weigh the same.

They are far from as many. The bias is set back for that, so that what is predicted is how likely a span is salient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import expit, logit

if TYPE_CHECKING:
    from gistmeter.arrays import BoolArray, FloatArray

MAX_NEWTON_STEPS = 50
NEWTON_TOLERANCE = 1e-8


class FittedWeights(NamedTuple):
    """Weights for rows that are brought to mean 0 and spread 1."""

    mean: FloatArray
    spread: FloatArray
    weights: FloatArray
    bias: float


def fit_balanced(rows: FloatArray, labels: BoolArray, *, ridge: float) -> FittedWeights:
    """The weights that make the labels likeliest, held small by `ridge` (Newton's method).

    Both labels weigh the same; the bias is that of the share of true labels among the rows.

    >>> fitted = fit_balanced(np.array([[0.0], [1.0], [2.0], [5.0]]), np.array([False, False, False, True]), ridge=0.1)
    >>> bool(fitted.weights[0] > 0)
    True
    """
    mean, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    inputs = np.column_stack([(rows - mean) / spread, np.ones(len(rows))])
    share = labels.mean()
    masses = np.where(labels, 0.5 / share, 0.5 / (1 - share))
    penalty = ridge * np.eye(inputs.shape[1])
    penalty[-1, -1] = 1e-9  # the bias is free
    coefficients = np.zeros(inputs.shape[1])
    for _ in range(MAX_NEWTON_STEPS):
        probabilities = expit(inputs @ coefficients)
        gradient = inputs.T @ (masses * (probabilities - labels)) + penalty @ coefficients
        curvature = masses * probabilities * (1 - probabilities)
        step = np.linalg.solve(inputs.T @ (inputs * curvature[:, None]) + penalty, gradient)
        coefficients = coefficients - step
        if np.abs(step).max() < NEWTON_TOLERANCE:
            break
    bias = float(coefficients[-1] + logit(share))
    return FittedWeights(mean=mean, spread=spread, weights=coefficients[:-1], bias=bias)


def find_directions(states: FloatArray, count: int) -> tuple[FloatArray, FloatArray]:
    """The mean of states, and the `count` directions in which they vary most, as columns."""
    centre = states.mean(axis=0)
    if not count:
        return centre, np.zeros((states.shape[1], 0))
    centred = states - centre
    _, vectors = np.linalg.eigh(centred.T @ centred)
    directions = vectors[:, ::-1][:, :count]
    # The sign of a direction is arbitrary: the largest number of each is positive, so that the weights are the same.
    signs = np.sign(directions[np.abs(directions).argmax(axis=0), np.arange(count)])
    return centre, directions * signs
