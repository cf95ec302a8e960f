"""Bradley-Terry: how strong each of several systems is, from which of two was preferred how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import ArgumentError, DataError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

SHRINKAGE = 0.01
"""Weight of the squared strengths: keeps a system that never lost at a finite strength."""


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """The strength of each system, its mean being 0: a system wins against another with 1 / (1 + exp(-difference))."""

    values: FloatArray
    low: FloatArray
    """The lower ends of the intervals; NaN with a single document."""
    high: FloatArray
    wins: FloatArray
    """How often the system of a row was preferred to that of a column; a tie is half a win for both."""


def fit_strengths(wins: ArrayLike, *, resamples: int = 200, confidence: float = 0.95, seed: int = 0) -> Strengths:
    """The strengths of the Bradley-Terry model, with bootstrap intervals over documents.

    Parameters
    ----------
    wins
        Documents x systems x systems: how often the second axis's system was preferred to the third's.
    resamples
        How many times documents are drawn again for the intervals.
    confidence
        Of the intervals.
    seed
        Of the draws: the same seed gives the same figures.

    Returns
    -------
    Strengths
        A strength for each system, with its interval.

    Raises
    ------
    ArgumentError
        `confidence` is no share, or `resamples` is below 1.
    DataError
        It is no such table, there are fewer than two systems, or nothing was compared.

    Examples
    --------
    >>> wins = [[[0, 3], [1, 0]], [[0, 3], [1, 0]]]
    >>> fit_strengths(wins).values.round(2)  # 6 of 8: the difference is near log 3 = 1.10
    array([ 0.55, -0.55])
    """
    table = np.array(wins, dtype=np.float64)
    if not 0 < confidence < 1 or resamples < 1:
        raise ArgumentError(f"`confidence` is a share and `resamples` 1 or more, not {confidence} and {resamples}")
    if table.ndim != 3 or table.shape[1] != table.shape[2] or table.shape[1] < 2:
        raise DataError("wins are a table of documents x systems x systems, with two systems or more")
    if not np.isfinite(table).all() or (table < 0).any() or not table.sum():
        raise DataError("wins are counted, from 0 on, and there must be some")
    whole = table.sum(axis=0)
    values = _fit(whole)
    documents = len(table)
    if documents < 2:
        missing = np.full(len(values), np.nan)
        return Strengths(values=values, low=missing, high=missing, wins=whole)
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(documents, np.full(documents, 1 / documents), size=resamples)
    drawn = np.array([_fit(np.tensordot(weights, table, axes=1), values) for weights in counts])
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return Strengths(values=values, low=low, high=high, wins=whole)


def _fit(wins: FloatArray, start: FloatArray | None = None) -> FloatArray:
    """The most likely strengths, shrunken a little towards 0."""
    from scipy.optimize import minimize

    def loss(strengths: FloatArray) -> tuple[float, FloatArray]:
        difference = strengths[:, None] - strengths[None, :]
        value = (wins * np.logaddexp(0, -difference)).sum() + SHRINKAGE * (strengths**2).sum()
        pull = wins / (1 + np.exp(np.clip(difference, -500, 500)))
        return float(value), pull.sum(axis=0) - pull.sum(axis=1) + 2 * SHRINKAGE * strengths

    result: Any = minimize(loss, np.zeros(len(wins)) if start is None else start, jac=True, method="L-BFGS-B")
    strengths: FloatArray = result.x - result.x.mean()
    return strengths
