"""Planned power beside the power of simulated studies of the planned size."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from bench.figures.page import Table
from gistmeter import stats
from gistmeter.stats.resampling.trials import run_trials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.stats.tables import Coefficient, Level

PILOT_DOCUMENTS = 60
_PILOTS = 80
_STUDIES = 600
_MORE_PILOTS = 240
_MORE_STUDIES = 2000
_TRUE_STUDIES = 2000
_TEXT = f"""Plans from pilots of {PILOT_DOCUMENTS} documents. Systems have a quality, and two metrics favour systems,
each its own (*favour* is the deviation of that). With *same systems* they are drawn once, and documents are drawn for
each pilot and study (`--method documents`); with *new systems* both are (`--method both`). The size of a study is its
documents, or its systems (`--unit systems`, with {PILOT_DOCUMENTS} documents). Planned is the mean power of {_PILOTS}
pilots ({_MORE_PILOTS} in the rows of Kendall, of sizes in systems and of system level), to which the true difference is
told: the mean of {_TRUE_STUDIES} studies of the pilot's size. Simulated is the share of {_STUDIES} studies (in those
rows {_MORE_STUDIES:,}) in which `meta test` as it is by default (scaled-systems, two-sided, alpha .05; 199
permutations) finds the first metric to be better. The standard error is that of the difference; *deviation* is how much
the plans of single pilots vary around their mean, and *median* what half of them give at least."""


@dataclass(frozen=True, slots=True)
class Population:
    """Systems with a quality and with what each of two metrics adds to it, and the errors of metrics on summaries."""

    level: Level
    coefficient: Coefficient
    systems: int
    favour: float
    errors: tuple[float, float]
    same_systems: bool = True
    unit: Literal["documents", "systems"] = "documents"
    pilots: int = _PILOTS
    studies: int = _STUDIES

    def draw(self, documents: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The tables of two metrics and of the judges, systems x documents."""
        of_systems = np.random.default_rng(3) if self.same_systems else rng
        quality = of_systems.normal(size=(self.systems, 1))
        favours = self.favour * of_systems.normal(size=(2, self.systems, 1))
        judges = quality + rng.normal(size=(self.systems, documents))
        x, y = (
            judges + favour + size * rng.normal(size=judges.shape)
            for favour, size in zip(favours, self.errors, strict=True)
        )
        return x, y, judges

    def difference(self) -> float:
        """The mean difference of the metrics in studies of the pilot's size."""

        def study(_: int, rng: np.random.Generator) -> float:
            x, y, z = self.draw(PILOT_DOCUMENTS, rng)
            of_x, of_y = (
                stats.correlate(metric, z, level=self.level, coefficient=self.coefficient).value for metric in (x, y)
            )
            return of_x - of_y

        return float(np.mean(run_trials(_TRUE_STUDIES, study, seed=1)))

    def plan(self, pilots: int, *, seed: int = 0, workers: int = 1) -> dict[int, np.ndarray]:
        """The power that plans give for each size, from each pilot."""
        difference = self.difference()

        def pilot(number: int, rng: np.random.Generator) -> dict[int, float]:
            x, y, z = self.draw(PILOT_DOCUMENTS, rng)
            plan = stats.plan_power(
                x,
                z,
                y=y,
                difference=difference,
                level=self.level,
                coefficient=self.coefficient,
                method="documents" if self.same_systems else "both",
                unit=self.unit,
                replicates=1,
                resamples=240,
                seed=number,
            )
            return {point.size: point.fitted for point in plan.curve}

        curves = run_trials(pilots, pilot, seed=seed, workers=workers)
        return {size: np.array([curve[size] for curve in curves]) for size in curves[0]}

    def simulate(self, size: int, studies: int, *, workers: int = 1) -> float:
        """The share of studies of that size in which the test finds the first metric to be better."""
        population = replace(self, systems=size) if self.unit == "systems" else self
        documents = PILOT_DOCUMENTS if self.unit == "systems" else size

        def study(number: int, rng: np.random.Generator) -> bool:
            result = stats.permutation_test(
                *population.draw(documents, rng),
                level=self.level,
                coefficient=self.coefficient,
                permutations=199,
                seed=number,
            )
            return result.pvalue <= 0.05 and result.statistic > 0

        return float(np.mean(run_trials(studies, study, seed=2, workers=workers)))


POPULATIONS = (
    Population("summary", "pearson", 12, 0.0, (1.2, 1.5)),
    Population("summary", "pearson", 16, 0.3, (1.2, 1.4)),
    Population("summary", "kendall", 12, 0.3, (1.2, 1.5), pilots=_MORE_PILOTS, studies=_MORE_STUDIES),
    Population("summary", "pearson", 16, 0.3, (1.2, 1.8), same_systems=False),
    Population(
        "summary",
        "pearson",
        12,
        0.3,
        (1.2, 1.5),
        same_systems=False,
        unit="systems",
        pilots=_MORE_PILOTS,
        studies=_MORE_STUDIES,
    ),
    Population(
        "system", "pearson", 16, 0.3, (1.5, 4.0), same_systems=False, pilots=_MORE_PILOTS, studies=_MORE_STUDIES
    ),
)


def planned_power() -> Iterator[Table]:
    """One table: sizes of studies, planned and simulated power."""
    rows: list[list[str | float | None]] = []
    for population in POPULATIONS:
        planned = population.plan(population.pilots, workers=2)
        for size in (30, 60, 120) if population.unit == "documents" else (12, 18, 24):
            simulated = population.simulate(size, population.studies, workers=2)
            mean, deviation = float(planned[size].mean()), float(planned[size].std(ddof=1))
            variance = deviation**2 / population.pilots + simulated * (1 - simulated) / population.studies
            kind = "same systems" if population.same_systems else "new systems"
            label = (
                f"{population.level}, {population.coefficient}, {population.systems} {kind}, "
                f"favour {population.favour:g}, {size} {population.unit}"
            )
            print(f"{label}: {mean:.3f} planned, {simulated:.3f} simulated", file=sys.stderr, flush=True)
            median = float(np.median(planned[size]))
            rows.append([label, mean, simulated, mean - simulated, float(np.sqrt(variance)), deviation, median])
    heads = ["", "planned", "simulated", "difference", "standard error", "deviation", "median"]
    yield Table("Documents and systems", _TEXT, heads, rows)
