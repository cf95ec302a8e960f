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
    lows: tuple[float, ...] = ()
    highs: tuple[float, ...] = ()
    """The ends of confidence intervals, in the order of the metrics, where these were asked for."""
    pvalues: tuple[float, ...] = ()
    corrected_pvalues: tuple[float, ...] = ()
    """Of tests against the baseline, if there is one, two-sided; before and after Holm's correction."""

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
    baseline: str | None = None
    confidence: float | None = None
    """Of the intervals; None where none were asked for."""
    resamples: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_detailed(self) -> bool:
        """Whether there are intervals or tests against a baseline, so that each correlation has a row of its own."""
        return self.baseline is not None or self.confidence is not None

    def cells(self) -> list[tuple[str, TableColumn, int]]:
        """The metric, the column and the number of the metric of each row, if each correlation has one."""
        return [(metric, column, row) for column in self.columns for row, metric in enumerate(self.metrics)]

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric, with its correlation in each column; with details, a row for each correlation."""
        if self.is_detailed:
            return [self._describe_cell(metric, column, row) for metric, column, row in self.cells()]
        return [
            {"metric": metric, **{column.name: column.values[row] for column in self.columns}}
            for row, metric in enumerate(self.metrics)
        ]

    def _describe_cell(self, metric: str, column: TableColumn, row: int) -> dict[str, Any]:
        cell: dict[str, Any] = {
            "metric": metric,
            "level": column.level,
            "coefficient": column.coefficient,
            "value": column.values[row],
        }
        if self.confidence is not None:
            cell |= {"low": column.lows[row], "high": column.highs[row]}
        if self.baseline is not None:
            cell |= {"p": column.pvalues[row], "corrected p": column.corrected_pvalues[row]}
        return cell

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
            "baseline": self.baseline,
            "confidence": self.confidence,
            "resamples": self.resamples,
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
