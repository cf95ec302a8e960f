"""A pilot study: tables of scores to be resampled to other sizes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.correlation import correlate
from gistmeter.stats.intervals import check_resampling
from gistmeter.stats.planning.worse_metrics import noisy_scores
from gistmeter.stats.resampling.samples import (
    PairSampler,
    Resampling,
    count_observations,
    tally,
)
from gistmeter.stats.tables import Coefficient, Level, Undefined, align_cells, check_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray

Unit = Literal["documents", "systems", "raters"]

_SIZE_RATIOS = {"documents": (0.5, 1.0, 1.5, 2.0, 3.0, 4.0), "systems": (1.0, 1.5, 2.0, 3.0, 4.0)}
"""The sizes to resample to, as multiples of the pilot's."""
MIN_SIZES = {"documents": 2, "systems": 3, "raters": 1}
"""How many of each unit a correlation, or a panel, needs at least."""

_NOISY_METRICS = 4
"""How many worse metrics are made of a metric: noise can help by chance."""
_NOISE_DRAWS = 20
"""How many draws of noise the loss of correlation is averaged over."""
_MAX_NOISE = 2.0**10


@dataclass(frozen=True, slots=True, eq=False)
class Pilot:
    """Tables of the same summaries, NaN in the same cells: a metric's, other metrics' and the judges'.

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
        return sorted({max(MIN_SIZES[self.unit], round(ratio * self.size)) for ratio in _SIZE_RATIOS[self.unit]})

    @property
    def judge_means(self) -> FloatArray:
        """The judges' means, over all raters."""
        if self.unit != "raters":
            return self.z
        present = ~np.isnan(self.z)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(present, self.z, 0.0).sum(axis=2) / present.sum(axis=2))

    def resample(self, rng: np.random.Generator) -> Pilot:
        """Another pilot like this one, of documents and systems drawn with replacement as the method says."""
        fixed = {"documents": "systems", "systems": "documents"}.get(self.method)
        drawn = (np.arange(count) if axis == fixed else rng.integers(count, size=count) for axis, count in self.axes)
        cells = np.ix_(*drawn)
        return replace(self, x=self.x[cells], others=tuple(table[cells] for table in self.others), z=self.z[cells])

    def correlation(self, x: FloatArray, z: FloatArray) -> float:
        """One correlation of two tables."""
        return correlate(x, z, level=self.level, coefficient=self.coefficient, undefined=self.undefined).value

    def difference(self, tables: FloatArray) -> float:
        """How much better x agrees with z than y does in a study (3 x systems x documents); NaN if undefined."""
        x, y, z = tables
        try:
            return self.correlation(x, z) - self.correlation(y, z)
        except DataError:
            return math.nan

    @property
    def own_difference(self) -> float:
        """How much better x agrees with the judges than the other metric does."""
        z = self.judge_means
        return self.correlation(self.x, z) - self.correlation(self.others[0], z)

    def draw_panels(self, sizes: Sequence[int], rng: np.random.Generator) -> list[FloatArray]:
        """The means of panels of raters, chosen for each summary without replacement."""
        keys = np.where(np.isnan(self.z), np.inf, rng.random(self.z.shape))
        shuffled = np.take_along_axis(self.z, np.argsort(keys, axis=2), axis=2)
        ends = np.cumsum(sizes)
        return [
            np.asarray(shuffled[:, :, end - size : end].mean(axis=2)) for size, end in zip(sizes, ends, strict=True)
        ]

    def panel_agreement(self, size: int, splits: int, rng: np.random.Generator) -> float:
        """The mean correlation of two panels of raters of that size; NaN if it is always undefined."""
        correlations = []
        for _ in range(splits):
            try:
                correlations.append(self.correlation(*self.draw_panels([size, size], rng)))
            except DataError:
                continue
        return float(np.mean(correlations)) if correlations else math.nan

    def draw_correlations(self, size: int, draws: int, rng: np.random.Generator) -> list[FloatArray]:
        """The correlations with z of x and of each other metric, over resamples in which the unit has that size."""
        systems, documents = (size if axis == self.unit else count for axis, count in self.axes)
        rows = None if self.method == "documents" else _draw_counts(self.x.shape[0], systems, draws, rng)
        columns = None if self.method == "systems" else _draw_counts(self.x.shape[1], documents, draws, rng)
        z = self._draw_judges(size, rng)
        correlations = []
        for table in (self.x, *self.others):
            sampler = PairSampler(table, z, level=self.level, coefficient=self.coefficient, undefined=self.undefined)
            correlations.append(sampler.correlations(systems=rows, documents=columns))
        return correlations

    def _draw_judges(self, size: int, rng: np.random.Generator) -> FloatArray:
        """The judges' table: the means of panels of that size if the unit is raters."""
        return self.draw_panels([size], rng)[0] if self.unit == "raters" else self.z


def _draw_counts(available: int, size: int, draws: int, rng: np.random.Generator) -> FloatArray:
    """How often each of the available systems or documents is among `size` drawn ones."""
    return tally(rng.integers(available, size=(draws, size)), available)


def make_pilot(
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
    if (unit, method) in (("documents", "systems"), ("systems", "documents")):
        raise ArgumentError(f"more {unit} change nothing when {method} are resampled; resample both")
    judges = np.array(z, dtype=np.float64)
    if unit == "raters" and judges.ndim != 3:
        raise DataError(f"to plan raters, the judgments are systems x documents x raters, not {judges.ndim}-d")
    ratings = judges if judges.ndim == 3 else judges[..., None]
    present = ~np.isnan(ratings)
    if unit == "raters":
        present &= present.sum(axis=-1, keepdims=True) > 1
        if not present.any():
            raise DataError("to plan raters, summaries with at least 2 ratings are needed, but there are none")
    with np.errstate(invalid="ignore"):
        mean = np.where(present, ratings, 0.0).sum(axis=-1) / present.sum(axis=-1)
    table, *rest, mean = align_cells(mean if x is None else x, *others, mean)
    ratings = np.where(present & ~np.isnan(table)[..., None], ratings, np.nan)
    count_observations(table, level)
    check_resampling(method, *table.shape)
    pilot = Pilot(
        x=table,
        others=tuple(rest),
        z=ratings if unit == "raters" else mean,
        unit=unit,
        level=level,
        coefficient=coefficient,
        method=method,
        undefined=undefined,
    )
    pilot.correlation(table, mean)
    return pilot


def add_noisy_metrics(pilot: Pilot, gap: float, seed: int) -> Pilot:
    """The pilot with worse versions of its metric: noise makes their correlation lower by `gap`, on average."""
    rng = np.random.default_rng(seed)
    z = pilot.judge_means
    noises = [noisy_scores(pilot.x, 0.5, rng=rng) - pilot.x for _ in range(_NOISE_DRAWS)]
    value = pilot.correlation(pilot.x, z)

    def loss(amount: float) -> float:
        """How much lower the correlation is with so much noise, on average."""
        return value - float(np.mean([pilot.correlation(pilot.x + amount * noise, z) for noise in noises]))

    low, high = 0.0, _MAX_NOISE
    if loss(high) < gap:
        raise DataError(f"no noise makes a metric with a correlation of {value:.2f} worse by {gap}; ask for less")
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if loss(middle) < gap else (low, middle)
    return replace(pilot, others=tuple(pilot.x + high * noise for noise in noises[:_NOISY_METRICS]))
