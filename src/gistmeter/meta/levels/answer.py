"""The table of metrics by level and coefficient, and which of them are the best of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.result import Result

if TYPE_CHECKING:
    from gistmeter.meta.comparisons import AllPairsTest, PairTest
    from gistmeter.stats.comparison import Correction
    from gistmeter.stats.resampling.samples import SwapMethod
    from gistmeter.stats.tables import Coefficient, Level


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The correlations of all metrics at one level by one coefficient."""

    level: Level
    coefficient: Coefficient
    values: tuple[float, ...]
    """In the order of the metrics of the table; NaN where a metric has no correlation."""
    best: tuple[str, ...]
    """The metric of the highest correlation, or several if they have the same."""
    tied: tuple[str, ...]
    """The other metrics that the test does not tell from the best."""
    test: PairTest | AllPairsTest | None
    """The test behind `tied`; None where nothing could be tested."""

    @property
    def name(self) -> str:
        """The level and the coefficient, as the head of the column."""
        return f"{self.level} {self.coefficient}"


@dataclass(frozen=True, slots=True)
class CorrelationTable(Result):
    """Correlations of metrics with one aspect, a column for each level and coefficient."""

    aspect: str
    metrics: tuple[str, ...]
    columns: tuple[TableColumn, ...]
    systems: int
    documents: int
    method: SwapMethod
    correction: Correction
    permutations: int
    """How many permutations were asked for; the test of a column says how many there were."""
    alpha: float
    seed: int
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric, with its correlation in each column."""
        return [
            {"metric": metric, **{column.name: column.values[row] for column in self.columns}}
            for row, metric in enumerate(self.metrics)
        ]

    def details(self) -> dict[str, Any]:
        """Which metrics are the best of each column and which are tied with them, and the tests that say so."""
        return {
            "human": self.aspect,
            "systems": self.systems,
            "documents": self.documents,
            "method": self.method,
            "correction": self.correction,
            "permutations": self.permutations,
            "alpha": self.alpha,
            "seed": self.seed,
            "columns": [
                {
                    "level": column.level,
                    "coefficient": column.coefficient,
                    "best": list(column.best),
                    "tied": list(column.tied),
                    "test": column.test.to_dict() if column.test else None,
                }
                for column in self.columns
            ],
        }
