"""How the correlation with the judges grows with the number of references (Deutsch 2022, Fig. 35)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.planning.stability import choose_sizes
from gistmeter.stats.resampling.pooling import Interval
from gistmeter.stats.resampling.trials import run_trials
from gistmeter.stats.tables import Coefficient, Level, Undefined, check_choice, score_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray
    from gistmeter.stats.resampling.trials import Progress

Combination = Literal["mean", "max", "jackknife"]


@dataclass(frozen=True, slots=True)
class ReferencePoint:
    """The correlation with a number of references, mean over random choices of them."""

    references: int
    value: float
    low: float
    """The ends of the 95% interval of that mean, which says how much is chance of the choice."""
    high: float
    trials: int


@dataclass(frozen=True, slots=True)
class ReferenceCurve:
    """The correlation for growing numbers of references."""

    points: tuple[ReferencePoint, ...]
    combine: Combination
    level: Level
    coefficient: Coefficient
    left_out: int
    """Documents with fewer references than the largest number asked for: they are in no point."""


def reference_curve(
    by_reference: ArrayLike,
    z: ArrayLike,
    *,
    combine: Combination = "mean",
    sizes: Sequence[int] | None = None,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
    trials: int = 30,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> ReferenceCurve:
    """The correlation with the judges for each number of references, chosen at random for each document.

    Parameters
    ----------
    by_reference : array_like
        Systems x documents x references: the metric's score against each reference alone, NaN where a document has
        fewer.
    z : array_like
        The judges' table, systems x documents.
    combine : {"mean", "max", "jackknife"}
        How several scores become one: their mean, the best, or ROUGE's jackknife, the mean of the best when each
        reference is left out in turn.
    sizes : sequence of int, optional
        The numbers of references; all from 1 on if none are given.
    level, coefficient, undefined
        Which correlation is taken, as in `correlate`.
    trials : int
        How many times references are chosen for each number.
    seed, workers : int
        The seed of the choices, and how many threads share the trials, which does not change the result.
    progress : callable, optional
        Called as `progress(done, total)` after each trial.

    Returns
    -------
    ReferenceCurve

    Raises
    ------
    ArgumentError
        A choice does not exist, a size is below 1 or above the number of references, or there are no trials.
    DataError
        The tables do not fit together, no document has enough references, or a correlation is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> judges = rng.normal(size=(10, 20))
    >>> by_reference = judges[:, :, None] + 2 * rng.normal(size=(10, 20, 4))
    >>> [(point.references, round(point.value, 2)) for point in reference_curve(by_reference, judges).points]
    [(1, 0.4), (2, 0.52), (3, 0.62), (4, 0.68)]
    """
    check_choice("combine", combine, Combination)
    table, judges = np.array(by_reference, dtype=np.float64), score_table(z)
    if table.ndim != 3 or table.shape[:2] != judges.shape:
        raise DataError(
            "scores by reference are systems x documents x references, of the judged systems and documents: "
            f"{' x '.join(map(str, judges.shape))} x references, not {' x '.join(map(str, table.shape))}"
        )
    if np.isinf(table).any():
        raise DataError("scores by reference must not be infinite; make them NaN to leave them out")
    available = np.any(~np.isnan(table), axis=0)
    numbers = choose_sizes(sizes, table.shape[2], tuple(range(1, table.shape[2] + 1)), "references")
    if max(numbers) > table.shape[2]:
        raise ArgumentError(f"there are {table.shape[2]} references at most, not {max(numbers)}")
    enough = available.sum(axis=1) >= max(numbers)
    if not enough.any():
        raise DataError(f"no document has {max(numbers)} references; ask for fewer")
    table, judges, available = table[:, enough], judges[:, enough], available[enough]

    def correlate_choice(trial: int, rng: np.random.Generator) -> float:
        """The correlation with references chosen at random for each document."""
        keys = np.where(available, rng.random(available.shape), np.inf)
        references = np.argsort(keys, axis=1)[:, : numbers[trial // trials]]
        combined = _combine(np.take_along_axis(table, references[None], axis=2), combine)
        return correlate(combined, judges, level=level, coefficient=coefficient, undefined=undefined).value

    values = run_trials(trials * len(numbers), correlate_choice, seed=seed, workers=workers, progress=progress)
    rows = np.array(values).reshape(len(numbers), trials)
    points = []
    for size, row in zip(numbers, rows, strict=True):
        mean = _mean_interval(row)
        points.append(ReferencePoint(size, value=mean.value, low=mean.low, high=mean.high, trials=trials))
    return ReferenceCurve(
        points=tuple(points),
        combine=combine,
        level=level,
        coefficient=coefficient,
        left_out=int((~enough).sum()),
    )


def _combine(scores: FloatArray, combine: Combination) -> FloatArray:
    """One score from the scores against several references, the last axis."""
    if combine == "mean":
        return np.asarray(scores.mean(axis=2))
    best = np.asarray(scores.max(axis=2))
    size = scores.shape[2]
    if combine == "max" or size == 1:
        return best
    # Without the best reference the second best counts, without any other the best.
    second = np.sort(scores, axis=2)[:, :, -2]
    return np.asarray(((size - 1) * best + second) / size)


def _mean_interval(values: FloatArray) -> Interval:
    """The mean with its 95% interval by Student's t."""
    from scipy.special import stdtrit

    mean = float(values.mean())
    if len(values) < 2:
        return Interval(mean, math.nan, math.nan)
    half_width = float(stdtrit(len(values) - 1, 0.975)) * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Interval(mean, mean - half_width, mean + half_width)
