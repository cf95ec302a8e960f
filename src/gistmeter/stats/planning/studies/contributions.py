"""Studies tested by swapping whole systems, simulated from what each system adds to the difference of two metrics.

Swapping the scores of a system turns round what the system adds to the difference. So far as those parts do not depend
on each other (at summary level they hardly do), the test flips the signs of as many numbers as there are systems,

    difference = e_1 + ... + e_K        swapped: the sum with signs of its own for each draw

and a study is drawn by drawing K numbers, without any table. On average over documents a system adds mu_k, and n
documents leave noise of variance cov / n in it. The mu_k of a pilot hold noise, too. By as much as that makes them
differ, they are drawn together, so that more documents leave less of what looks like favour for single systems. Where
they differ by less than noise alone would let them, the noise is made smaller.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.stats.planning.studies.simulated_studies import find_log_scale, scale_errors
from gistmeter.stats.planning.studies.study_model import fit_study_model
from gistmeter.stats.resampling.samples import SwapSampler
from gistmeter.stats.resampling.swap_marks import enumerate_swap_marks

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray
    from gistmeter.stats.planning.pilot import Pilot
    from gistmeter.stats.planning.studies.simulated_studies import PermutationPlan

_MIN_RUNS = 128
"""In so many ways at least systems are swapped to find out what each adds."""
_MAX_EXACT = 1000
"""Up to so many ways to swap are all tried, as `permutation_test` does by default."""
_MAX_DRAWN_SYSTEMS = 256
"""Of more systems than this, the sums are taken as normal."""


@dataclass(frozen=True, slots=True, eq=False)
class Contributions:
    """What each system of a pilot adds to the difference of two metrics."""

    values: FloatArray
    """On each document, documents x systems."""
    coupling: float
    """The correlation of what two systems add, over documents, on average."""

    @classmethod
    def of(cls, values: FloatArray) -> Contributions:
        """From the values on each document (documents x systems), of which documents without any are left out."""
        values = values[~np.isnan(values).any(axis=1)]
        if len(values) < 2:
            raise DataError("the pilot is too small to plan from: metrics differ on fewer than 2 documents")
        covariance = np.atleast_2d(np.cov(values.T))
        systems, variances = len(covariance), np.trace(covariance)
        pairs = covariance.sum() - variances
        return cls(values, float(pairs / (systems - 1) / variances) if variances > 0 else 0.0)

    @property
    def difference(self) -> float:
        """The difference of the metrics."""
        return float(self.values.mean(axis=0).sum())

    def resample(self, rng: np.random.Generator, *, systems: bool, documents: bool) -> Contributions:
        """The contributions in another pilot like this, of systems and documents drawn with replacement."""
        height, width = self.values.shape
        rows = rng.integers(height, size=height) if documents else np.arange(height)
        columns = rng.integers(width, size=width) if systems else np.arange(width)
        return Contributions(self.values[np.ix_(rows, columns)], self.coupling)


def find_contributions(pilot: Pilot, gap: float | None, *, scaled: bool) -> list[Contributions]:
    """What each system adds to the difference of x and each other metric, at summary level.

    With a `gap`, errors of the metrics are made smaller and larger until that is their difference in the pilot.
    `scaled` says whether metrics are put on the scale of the correlation before they are swapped.
    """
    z = pilot.judge_means
    contributions = []
    for other in pilot.others:
        tables = np.stack([pilot.x, other, z])
        if gap is not None:
            tables = _make_differ(pilot, tables, gap)
        sampler = SwapSampler(
            *tables, level=pilot.level, coefficient=pilot.coefficient, undefined=pilot.undefined, scaled=scaled
        )
        signs = _orthogonal_signs(len(z))
        differences = sampler.row_differences((signs < 0).astype(np.uint8))
        # Of a summary that is missing there is nothing to swap.
        contributions.append(Contributions.of(np.where(np.isnan(z.T), 0.0, differences.T @ signs / len(signs))))
    return contributions


def _make_differ(pilot: Pilot, tables: FloatArray, gap: float) -> FloatArray:
    """The tables of x, y and z with errors of such a size that the difference of x and y is `gap`."""
    scale = partial(scale_errors, tables, fit_study_model(list(tables)).slopes(pilot.level))
    return scale(find_log_scale(lambda log_scale: pilot.difference(scale(log_scale)), gap))


def _orthogonal_signs(systems: int) -> FloatArray:
    """Signs for each system, runs x systems, of which those of two systems agree as often as not.

    They are columns of a Hadamard matrix, picked at random: then what three systems add together, if anything, is not
    taken for what a fourth adds.
    """
    from scipy.linalg import hadamard

    runs = _MIN_RUNS
    while runs < 4 * systems:
        runs *= 2
    columns = 1 + np.random.default_rng(0).permutation(runs - 1)[:systems]
    return np.asarray(hadamard(runs)[:, columns].astype(np.float64))


class ContributionSimulator:
    """Studies like a pilot, tested by swapping whole systems: how often the test finds x to be better."""

    def __init__(
        self,
        contributions: Contributions,
        gap: float,
        pilot: Pilot,
        test: PermutationPlan,
        *,
        studies: int,
        swaps: int,
        seed: int,
    ) -> None:
        """`gap` is the difference that studies have on average; `seed` draws the same studies for all sizes."""
        self._pilot, self._test, self._gap = pilot, test, gap
        self._studies, self._swaps, self._seed = studies, swaps, seed
        values = contributions.values
        documents, self._systems = values.shape
        means = values.mean(axis=0)
        self._away = means - means.mean()
        self._noise = (values - means) / math.sqrt(documents - 1)
        self._coupling = contributions.coupling
        # What one document adds to the squares of distances between systems by chance, and what is left without it.
        centred = self._noise - self._noise.mean(axis=1, keepdims=True)
        self._chance = float((centred**2).sum())
        chance = 0.0 if pilot.method == "systems" else self._chance / documents
        self._squares = float(self._away @ self._away)
        self._between = self._squares - chance
        # How uncertain that is: squares of normal distances, of the pilot's own systems or of systems drawn at random.
        certain = max(0.0, self._between) if pilot.method == "documents" else 0.0
        self._error = math.sqrt(2 * (self._squares**2 - certain**2) / (self._systems - 1))

    def power_at(self, size: int) -> float:
        """The power of the test in studies in which the unit has that size.

        It is not a straight function of how much systems differ, which a pilot tells with an error: by as much as the
        mean of powers a standard error above and below is off, it would be off on average over pilots.
        """
        if not self._error:
            return self._power_with(self._between, size)
        power, above, below = (self._power_with(self._between + sign * self._error, size) for sign in (0, 1, -1))
        return min(1.0, max(0.0, 2 * power - (above + below) / 2))

    def _power_with(self, between: float, size: int) -> float:
        """The power if the squares of distances between systems, without chance, are so large."""
        counts = {**dict(self._pilot.axes), self._pilot.unit: size}
        systems, documents = counts["systems"], counts["documents"]
        if self._pilot.method == "documents":
            return self._share_found(self._draw_same_systems(documents, between))
        if systems > _MAX_DRAWN_SYSTEMS:
            return self._power_of_many(systems, documents, between)
        return self._share_found(self._draw_new_systems(systems, documents, between))

    def _share_found(self, drawn: FloatArray) -> float:
        """The share of studies (studies x systems) whose difference is above its bound."""
        systems = drawn.shape[1]
        marks = enumerate_swap_marks(np.ones((systems, 1), dtype=bool), "systems", at_most=_MAX_EXACT)
        if marks is None:
            signs = np.random.default_rng([self._seed, 1]).choice([-1.0, 1.0], size=(systems, self._swaps))
        else:
            signs = 1.0 - 2.0 * marks[:, :, 0].T
        bounds = self._test.bounds(drawn @ signs, exact=marks is not None)
        return float(np.mean(drawn.sum(axis=1) > bounds))

    def _distances(self, between: float) -> FloatArray:
        """How far the pilot's systems are from their mean, with squares of that sum."""
        return np.asarray(self._away * math.sqrt(max(0.0, between) / self._squares if self._squares > 0 else 0.0))

    def _draw_same_systems(self, documents: int, between: float) -> FloatArray:
        """What the pilot's systems add in studies of so many new documents."""
        rng = np.random.default_rng([self._seed, 0])
        noise = rng.standard_normal((self._studies, len(self._noise))) @ self._noise
        common = noise.mean(axis=1, keepdims=True)
        noise = common + (noise - common) * self._noise_share(documents, between)
        return np.asarray(self._gap / self._systems + self._distances(between) + noise / math.sqrt(documents))

    def _draw_new_systems(self, systems: int, documents: int, between: float) -> FloatArray:
        """What new systems add in studies of so many of them, and of new documents if those are drawn."""
        rng = np.random.default_rng([self._seed, 0])
        owners = rng.integers(self._systems, size=(self._studies, systems))
        distances = self._distances(between) * math.sqrt(self._systems / (self._systems - 1))
        drawn = self._gap / self._systems + distances[owners]
        if self._pilot.method == "both":
            noise = rng.standard_normal((self._studies, systems))
            common = noise.mean(axis=1, keepdims=True)
            deviations = np.sqrt((self._noise**2).sum(axis=0))
            typical = math.sqrt(float(np.mean(deviations**2)))
            noise = (noise - common) * deviations[owners] * self._noise_share(documents, between)
            noise += common * typical * math.sqrt(self._common_share(systems))
            drawn = drawn + noise / math.sqrt(documents)
        # The difference is a mean over systems: of more of them, each adds less.
        return np.asarray(drawn * (self._systems / systems))

    def _noise_share(self, documents: int, between: float) -> float:
        """By how much noise is made smaller, where systems differ by less than noise alone would let them."""
        chance = self._chance / documents
        return math.sqrt(max(0.0, 1.0 + min(0.0, between) / chance)) if chance > 0 else 1.0

    def _common_share(self, systems: int) -> float:
        """The variance of the mean noise of so many systems, by what it is for independent ones."""
        # Below 0, what a system gains others lose: that is so for any number of them.
        return max(
            0.0, 1.0 + (max(systems, 2) if self._coupling > 0 else self._systems) * self._coupling - self._coupling
        )

    def _power_of_many(self, systems: int, documents: int, between: float) -> float:
        """The power for so many new systems that sums over them are normal."""
        from scipy.special import ndtr, ndtri

        per_system = max(0.0, between) / (self._systems - 1)
        noise = 0.0
        if self._pilot.method == "both":
            noise = float((self._noise**2).sum()) / self._systems / documents
        unit = self._systems**2 / systems
        spread = math.sqrt(unit * (per_system + noise * self._common_share(systems)))
        squares = unit * (per_system + noise * self._noise_share(documents, between) ** 2) + self._gap**2 / systems
        tail = self._test.alpha / 2 if self._test.alternative == "two-sided" else self._test.alpha
        margin = self._gap + float(ndtri(tail)) * math.sqrt(squares)
        return float(ndtr(margin / spread)) if spread > 0 else float(margin > 0)
