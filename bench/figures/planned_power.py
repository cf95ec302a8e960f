"""Planned power beside the power of simulated studies of the planned size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.page import Table
from gistmeter import stats
from gistmeter.stats.resampling.trials import run_trials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.stats.tables import Coefficient, Level

_PILOTS = 20
_STUDIES = 300
_TEXT = f"""A plan for documents from a pilot of 60, for the systems that the pilot has (`--method documents`). Systems
are drawn once, with quality and with favour of two metrics for some of them; documents are drawn for each pilot and
study. The planned power is the mean of {_PILOTS} pilots, to which the true difference is told. The simulated power is
the share of {_STUDIES} studies of that size in which `meta test` as it is by default (scaled-systems, two-sided, alpha
.05, 300 permutations) finds the first metric to be better, with a standard error of at most .029."""


@dataclass(frozen=True, slots=True)
class _Population:
    """Systems with their quality and with what each of two metrics adds to it."""

    quality: np.ndarray
    favour: np.ndarray
    errors: tuple[float, float]

    def draw(self, documents: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        judges = self.quality + rng.normal(size=(len(self.quality), documents))
        x, y = (
            judges + added + size * rng.normal(size=judges.shape)
            for added, size in zip(self.favour, self.errors, strict=True)
        )
        return x, y, judges


def planned_power() -> Iterator[Table]:
    """One table: sizes of studies, planned and simulated power."""
    rows: list[list[str | float | None]] = []
    cases: tuple[tuple[Level, Coefficient, int, float, tuple[float, float]], ...] = (
        ("summary", "pearson", 12, 0.0, (1.2, 1.5)),
        ("summary", "pearson", 16, 0.3, (1.2, 1.4)),
        ("summary", "kendall", 12, 0.3, (1.2, 1.5)),
    )
    for level, coefficient, systems, favour, errors in cases:
        rng = np.random.default_rng(3)
        population = _Population(rng.normal(size=(systems, 1)), favour * rng.normal(size=(2, systems, 1)), errors)
        planned = _plan(population, level, coefficient)
        for size in (30, 60, 120):
            simulated = _simulate(population, size, level, coefficient)
            label = f"{level}, {coefficient}, {systems} systems, favour {favour:g}, {size} documents"
            rows.append([label, planned[size], simulated, planned[size] - simulated])
    yield Table("Documents", _TEXT, ["", "planned", "simulated", "difference"], rows)


def _plan(population: _Population, level: Level, coefficient: Coefficient) -> dict[int, float]:
    """The power that plans give for each size, on average over pilots."""
    x, y, z = population.draw(4000, np.random.default_rng(1))
    of_x, of_y = (stats.correlate(metric, z, level=level, coefficient=coefficient).value for metric in (x, y))

    def pilot(number: int, rng: np.random.Generator) -> dict[int, float]:
        x, y, z = population.draw(60, rng)
        plan = stats.plan_power(
            x,
            z,
            y=y,
            difference=of_x - of_y,
            level=level,
            coefficient=coefficient,
            method="documents",
            replicates=1,
            resamples=400,
            seed=number,
        )
        return {point.size: point.fitted for point in plan.curve}

    curves = run_trials(_PILOTS, pilot, seed=0, workers=2)
    return {size: float(np.mean([curve[size] for curve in curves])) for size in curves[0]}


def _simulate(population: _Population, size: int, level: Level, coefficient: Coefficient) -> float:
    """The share of studies of a size in which the test finds the first metric to be better."""

    def study(number: int, rng: np.random.Generator) -> bool:
        result = stats.permutation_test(
            *population.draw(size, rng), level=level, coefficient=coefficient, permutations=300, seed=number
        )
        return result.pvalue <= 0.05 and result.statistic > 0

    return float(np.mean(run_trials(_STUDIES, study, seed=2, workers=2)))
