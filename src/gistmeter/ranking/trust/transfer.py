"""Transfer: what judged datasets together say of a new one, and how well each is foretold by the others.

The pooled answer is the mean of the datasets' curves, each counting once however many systems it has. One curve
fitted to the pairs of all would be too sure of itself, because datasets differ in how a metric agrees with people; it
foretells a dataset that was left out less well. The pooled interval says where the curve of another such dataset may
lie: it is the interval of a slope that is drawn from the resampled slopes of a dataset chosen at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.ranking.trust.curves import Isotonic, Logistic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.ranking.trust.calibration import Calibration, Fewer, SystemPairs

Shape = Literal["logistic", "isotonic"]
_CURVES: dict[Shape, type[Logistic | Isotonic]] = {"logistic": Logistic, "isotonic": Isotonic}

COIN_LOSS = float(np.log(2))
"""The log-loss of saying 50% every time."""


@dataclass(frozen=True, slots=True)
class PooledSlopes:
    """Where the slope of another dataset may lie, for gaps over so many documents."""

    documents: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One dataset, foretold by the others."""

    dataset: str
    loss: float
    """The mean log-loss of what the others say of its pairs; `COIN_LOSS` is that of a coin."""
    own_loss: float
    """The same for its own curve."""
    predicted: float
    """The share of its pairs on which people agree with the metric, as the others would have it."""
    observed: float


def pool_slopes(
    calibrations: Sequence[Calibration], *, documents: Sequence[int], confidence: float = 0.95
) -> tuple[PooledSlopes, ...]:
    """The interval of the slope on another dataset, for gaps over each of these numbers of documents."""
    if not calibrations:
        raise DataError("there is no calibration to pool")
    tail = (1 - confidence) / 2
    pooled = []
    for count in documents:
        slopes = np.stack(
            [
                calibration.resampled * factor_at(calibration.fewer, count, calibration.documents)
                for calibration in calibrations
            ]
        )
        low, high = np.quantile(slopes, [tail, 1 - tail])
        pooled.append(PooledSlopes(count, float(low), float(high)))
    return tuple(pooled)


def leave_one_out(pairs: Mapping[str, SystemPairs], *, shape: Shape = "logistic") -> tuple[LeftOut, ...]:
    """Foretell each dataset by the mean of the curves of the others.

    >>> from gistmeter.ranking.trust.calibration import system_pairs
    >>> rng = np.random.default_rng(0)
    >>> def judged():
    ...     quality = rng.normal(size=(12, 1))
    ...     return system_pairs(quality + rng.normal(size=(12, 40)), quality + rng.normal(size=(12, 40)))
    >>> [left_out.loss < COIN_LOSS for left_out in leave_one_out({"a": judged(), "b": judged()})]
    [True, True]
    """
    if len(pairs) < 2:
        raise DataError("leaving one dataset out needs at least two")
    curves = {name: _CURVES[shape].fit(of_set.gaps, of_set.agrees) for name, of_set in pairs.items()}
    results = []
    for name, dataset_pairs in pairs.items():
        others = np.mean([curve.at(dataset_pairs.gaps) for other, curve in curves.items() if other != name], axis=0)
        own = curves[name].at(dataset_pairs.gaps)
        results.append(
            LeftOut(
                dataset=name,
                loss=log_loss(others, dataset_pairs.agrees),
                own_loss=log_loss(own, dataset_pairs.agrees),
                predicted=float(others.mean()),
                observed=float(dataset_pairs.agrees.mean()),
            )
        )
    return tuple(results)


def log_loss(shares: ArrayLike, agrees: ArrayLike) -> float:
    """The mean log-loss of these shares for pairs that people agree with (1) or not (0).

    >>> round(log_loss([0.5, 0.5], [0, 1]), 4)
    0.6931
    """
    p, a = np.asarray(shares, dtype=np.float64), np.asarray(agrees, dtype=np.float64)
    # Far out a logistic curve is 1 to the last digit; one wrong pair there must not make the mean infinite.
    p = np.clip(p, 1e-9, 1 - 1e-9)
    return float(-(a * np.log(p) + (1 - a) * np.log1p(-p)).mean())


def factor_at(fewer: Sequence[Fewer], documents: int, everything: int) -> float:
    """The share of the slope that is left over so many documents, between the measured numbers of them.

    >>> from gistmeter.ranking.trust.calibration import Fewer
    >>> round(factor_at([Fewer(25, 0.8), Fewer(50, 0.9)], 35, everything=100), 3)
    0.849
    >>> factor_at([Fewer(25, 0.8)], 1000, everything=100), factor_at([Fewer(25, 0.8)], 3, everything=100)
    (1.0, 0.8)
    """
    counts = [*(subset.documents for subset in fewer), everything]
    factors = [*(subset.factor for subset in fewer), 1.0]
    return float(np.interp(np.log(documents), np.log(counts), factors))
