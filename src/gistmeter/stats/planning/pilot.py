"""A pilot study: tables of scores to be resampled to other sizes, and the law that what is found there follows.

    value(n)^2 = floor^2 + slope^2 / n

The floor is what the other units leave: with "both", more documents do not help against having few systems. Without
a floor ("inputs" for documents, "systems" for systems) value(n) = slope / sqrt(n). Rankings of a fixed set of systems
converge more slowly than that; there the exponent of n is fitted as well.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.intervals import check_resampling
from gistmeter.stats.planning.power import noisy_scores
from gistmeter.stats.resampling.samples import PairSampler, Resampling, SwapSampler, observations, swap_marks, tally
from gistmeter.stats.tables import Coefficient, Level, Undefined, check_choice, shared_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

Unit = Literal["documents", "systems", "raters"]

_SIZES = {"documents": (0.5, 1.0, 1.5, 2.0, 3.0, 4.0), "systems": (1.0, 1.5, 2.0, 3.0, 4.0)}
FEWEST = {"documents": 2, "systems": 3, "raters": 1}

# A worse metric is made several times: noise can help by chance.
_TWINS = 4
_TRIED_TWINS = 20
_MOST_NOISE = 2.0**10


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """Tables of the same summaries, NaN at the same places: a metric's, other metrics' and the judges'.

    If the unit is raters, z is systems x documents x raters.
    """

    x: FloatArray
    others: tuple[FloatArray, ...]
    z: FloatArray
    unit: Unit
    level: Level
    coefficient: Coefficient
    method: Resampling
    undefined: Undefined

    @property
    def axes(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """The numbers of systems and documents, by name."""
        return ("systems", self.x.shape[0]), ("documents", self.x.shape[1])

    @property
    def size(self) -> int:
        """How many of the unit there are; of raters, how many each summary has at least."""
        if self.unit != "raters":
            return dict(self.axes)[self.unit]
        counts = np.sum(~np.isnan(self.z), axis=2)
        return int(counts[counts > 0].min())

    @property
    def sizes(self) -> list[int]:
        """The sizes to resample to."""
        if self.unit == "raters":
            return list(range(1, self.size + 1))
        return sorted({max(FEWEST[self.unit], round(times * self.size)) for times in _SIZES[self.unit]})

    @property
    def judged(self) -> FloatArray:
        """The judges' means, over all raters."""
        if self.unit != "raters":
            return self.z
        given = ~np.isnan(self.z)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(given, self.z, 0.0).sum(axis=2) / given.sum(axis=2))

    def again(self, rng: np.random.Generator) -> Pilot:
        """Another pilot like this one, of documents and systems drawn with replacement as the method says."""
        fixed = {"inputs": "systems", "systems": "documents"}.get(self.method)
        drawn = (np.arange(have) if axis == fixed else rng.integers(have, size=have) for axis, have in self.axes)
        place = np.ix_(*drawn)
        return replace(self, x=self.x[place], others=tuple(table[place] for table in self.others), z=self.z[place])

    def correlation(self, x: FloatArray, z: FloatArray) -> float:
        """One correlation of two tables."""
        return correlate(x, z, level=self.level, coefficient=self.coefficient, undefined=self.undefined).value

    def panels(self, sizes: Sequence[int], rng: np.random.Generator) -> list[FloatArray]:
        """The means of panels of raters, chosen for each summary without replacement."""
        keys = np.where(np.isnan(self.z), np.inf, rng.random(self.z.shape))
        shuffled = np.take_along_axis(self.z, np.argsort(keys, axis=2), axis=2)
        ends = np.cumsum(sizes)
        return [
            np.asarray(shuffled[:, :, end - size : end].mean(axis=2)) for size, end in zip(sizes, ends, strict=True)
        ]

    def agreement(self, size: int, splits: int, rng: np.random.Generator) -> float:
        """The mean correlation of two panels of raters of that size; NaN if it is always undefined."""
        found = []
        for _ in range(splits):
            try:
                found.append(self.correlation(*self.panels([size, size], rng)))
            except DataError:
                continue
        return float(np.mean(found)) if found else math.nan

    def sampled(self, size: int, draws: int, rng: np.random.Generator) -> list[FloatArray]:
        """The correlations with z of x and of each other metric, over resamples in which the unit has that size."""
        systems, documents = (size if axis == self.unit else have for axis, have in self.axes)
        rows = None if self.method == "inputs" else _drawn(self.x.shape[0], systems, draws, rng)
        columns = None if self.method == "systems" else _drawn(self.x.shape[1], documents, draws, rng)
        z = self._judges(size, rng)
        found = []
        for table in (self.x, *self.others):
            sampler = PairSampler(table, z, level=self.level, coefficient=self.coefficient, undefined=self.undefined)
            found.append(sampler.correlations(systems=rows, documents=columns))
        return found

    def swapped(self, size: int, draws: int, rng: np.random.Generator) -> FloatArray:
        """The differences of x and another metric when their scores are swapped at random, summary by summary."""
        drawn = (rng.integers(have, size=size) if axis == self.unit else np.arange(have) for axis, have in self.axes)
        place = np.ix_(*drawn)
        other = self.others[int(rng.integers(len(self.others)))]
        sampler = SwapSampler(
            self.x[place],
            other[place],
            self._judges(size, rng)[place],
            level=self.level,
            coefficient=self.coefficient,
            undefined=self.undefined,
        )
        shape = self.x[place].shape
        both = sampler.correlations(swap_marks((shape[0], shape[1]), draws, "both", rng))
        return np.asarray(both[:, 0] - both[:, 1])

    def _judges(self, size: int, rng: np.random.Generator) -> FloatArray:
        return self.panels([size], rng)[0] if self.unit == "raters" else self.z


def _drawn(have: int, size: int, draws: int, rng: np.random.Generator) -> FloatArray:
    return tally(rng.integers(have, size=(draws, size)), have)


def check_counts(**counts: int) -> None:
    """Refuse to do something less than once."""
    for name, number in counts.items():
        if number < 1:
            raise DataError(f"{name} must be at least 1, not {number}")


def checked_pilot(
    x: ArrayLike | None,
    others: Sequence[ArrayLike],
    z: ArrayLike,
    *,
    unit: Unit,
    level: Level,
    coefficient: Coefficient,
    method: Resampling,
    undefined: Undefined,
) -> Pilot:
    """The pilot of these tables, with cells that are missing in one made missing in all.

    `z` may be systems x documents x raters. Without an x it is the raters' mean.
    """
    choices = ((unit, Unit), (method, Resampling), (level, Level), (coefficient, Coefficient), (undefined, Undefined))
    for name, (value, choice) in zip(("unit", "method", "level", "coefficient", "undefined"), choices, strict=True):
        check_choice(name, value, choice)
    if (unit, method) in (("documents", "systems"), ("systems", "inputs")):
        raise DataError(f"more {unit} change nothing when {method} are resampled; resample both")
    judges = np.array(z, dtype=np.float64)
    if unit == "raters" and judges.ndim != 3:
        raise DataError(f"to plan raters, the judgments are systems x documents x raters, not {judges.ndim}-d")
    ratings = judges if judges.ndim == 3 else judges[..., None]
    given = ~np.isnan(ratings)
    if unit == "raters":
        given &= given.sum(axis=-1, keepdims=True) > 1
        if not given.any():
            raise DataError("to plan raters, summaries with at least 2 ratings are needed, but there are none")
    with np.errstate(invalid="ignore"):
        mean = np.where(given, ratings, 0.0).sum(axis=-1) / given.sum(axis=-1)
    table, *rest, mean = shared_cells(mean if x is None else x, *others, mean)
    ratings = np.where(given & ~np.isnan(table)[..., None], ratings, np.nan)
    observations(table, level)
    check_resampling(method, *table.shape)
    pilot = Pilot(
        table, tuple(rest), ratings if unit == "raters" else mean, unit, level, coefficient, method, undefined
    )
    pilot.correlation(table, mean)
    return pilot


def with_twins(pilot: Pilot, gap: float, seed: int) -> Pilot:
    """The pilot with worse versions of its metric: noise makes their correlation lower by `gap`, on average."""
    rng = np.random.default_rng(seed)
    z = pilot.judged
    noises = [noisy_scores(pilot.x, 0.5, rng=rng) - pilot.x for _ in range(_TRIED_TWINS)]
    value = pilot.correlation(pilot.x, z)

    def lost(amount: float) -> float:
        return value - float(np.mean([pilot.correlation(pilot.x + amount * noise, z) for noise in noises]))

    low, high = 0.0, _MOST_NOISE
    if lost(high) < gap:
        raise DataError(f"no noise makes a metric with a correlation of {value:.2f} worse by {gap}; ask for less")
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if lost(middle) < gap else (low, middle)
    return replace(pilot, others=tuple(pilot.x + high * noise for noise in noises[:_TWINS]))


@dataclass(frozen=True, slots=True)
class Law:
    """value(n)^2 = floor + slope n^-exponent.

    >>> Law(floor=9.0, slope=64.0).at(4)
    5.0
    """

    floor: float
    slope: float
    exponent: float = 1.0

    def at(self, size: float) -> float:
        """The value at a size."""
        return math.sqrt(self.floor + self.slope * size**-self.exponent)


def fitted_law(pilot: Pilot, sizes: Sequence[int], squares: FloatArray) -> Law | None:
    """The law of the squares found at these sizes, by least squares of relative errors; None if there is none."""
    from scipy.optimize import nnls

    if not np.isfinite(squares).all():
        return None
    if not (squares > 0).all():
        return Law(0.0, 0.0) if not squares.any() else None
    inverse = 1 / np.asarray(sizes, dtype=np.float64)
    if (pilot.unit, pilot.method) not in (("documents", "inputs"), ("systems", "systems")):
        (floor, slope), _ = nnls(np.stack([1 / squares, inverse / squares], axis=1), np.ones(len(squares)))
        return Law(float(floor), float(slope))
    if pilot.unit == "documents" and pilot.level == "system" and pilot.coefficient != "pearson":
        exponent, constant = np.polyfit(np.log(inverse), np.log(squares), 1)
        return Law(0.0, math.exp(constant), float(np.clip(exponent, 0.1, 2.0)))
    return Law(0.0, float(np.exp(np.mean(np.log(squares / inverse)))))


def mean_square(values: FloatArray, *, centred: bool = False) -> float:
    """The mean square of the values that are not NaN, if wanted of their distances from the mean.

    >>> mean_square(np.array([1.0, 3, np.nan])), mean_square(np.array([1.0, 3, np.nan]), centred=True)
    (5.0, 1.0)
    """
    known = values[~np.isnan(values)]
    if not len(known):
        return math.nan
    return float(known.var() if centred else (known**2).mean())


def interval_places(numbers: FloatArray) -> list[int]:
    """Where the ends of the 95% interval of the first number stand, by the bias-corrected bootstrap of the others.

    >>> interval_places(np.array([5.0, 4, 6, 3, 7]))
    [3, 4]
    """
    from scipy.special import ndtr, ndtri

    others = numbers[1:]
    if not len(others):
        return [0, 0]
    below = (np.mean(others < numbers[0]) + np.mean(others <= numbers[0])) / 2
    bias = ndtri(np.clip(below, 0.5 / len(others), 1 - 0.5 / len(others)))
    # Numbers that occur, none in between: there is no mean of a number and "never".
    places = np.round(ndtr(2 * bias + ndtri([0.025, 0.975])) * (len(others) - 1)).astype(int)
    return [int(place) + 1 for place in np.argsort(others, kind="stable")[places]]
