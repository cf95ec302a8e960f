"""What tests between metrics give: one test of two metrics, or a table of all pairs, and what to note about them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter.result import Result
from gistmeter.stats.comparison import IGNORED_EFFECTS

if TYPE_CHECKING:
    from gistmeter.stats import MetricComparison, SystemEffects, TestResult
    from gistmeter.stats.tables import Coefficient, Level

Verdict = Literal["significant, corrected", "significant alone", "not significant"]
"""What a table of tests says of a pair: significant after the correction, only before it, or not."""


@dataclass(frozen=True, slots=True)
class PairTest(Result):
    """One test of two metrics: does `x` agree with people better than `y`?"""

    x: str
    y: str
    aspect: str
    test: TestResult
    alpha: float
    seed: int
    effects: SystemEffects | None = None
    """Whether the metrics favour different systems; None where there are too few summaries to say."""
    by_systems: TestResult | None = None
    """The test by swapping whole systems, if there are system effects that the test itself ignores."""
    notes: tuple[str, ...] = ()

    @property
    def pvalue(self) -> float:
        """The p-value of the test."""
        return self.test.pvalue

    def records(self) -> list[dict[str, Any]]:
        """One row: both correlations, their difference, and its p-value."""
        row = {
            "x": self.x,
            "y": self.y,
            "human": self.aspect,
            "level": self.test.level,
            "coefficient": self.test.coefficient,
            "of x": self.test.of_x,
            "of y": self.test.of_y,
            "difference": self.test.statistic,
            "p": self.test.pvalue,
        }
        return [row | ({"systems p": self.by_systems.pvalue} if self.by_systems else {})]

    def details(self) -> dict[str, Any]:
        """The p-value and the statistic by their usual names, how the test was made, and the system effects."""
        return {
            "pvalue": self.test.pvalue,
            "statistic": self.test.statistic,
            "test": self.test.test,
            "method": self.test.method,
            "alternative": self.test.alternative,
            "alpha": self.alpha,
            "permutations": self.test.draws,
            "exact": self.test.exact,
            "seed": self.seed,
            "system_effects": {"f": self.effects.f, "p": self.effects.pvalue} if self.effects else None,
        }


@dataclass(frozen=True, slots=True)
class AllPairsTest(Result):
    """One-sided tests of every metric against every other, corrected for their number."""

    aspect: str
    level: Level
    coefficient: Coefficient
    comparison: MetricComparison
    notes: tuple[str, ...] = ()

    @property
    def order(self) -> list[int]:
        """The indices of the metrics, the best first."""
        indices: list[int] = np.argsort(-self.comparison.values, kind="stable").tolist()
        return indices

    def verdict(self, better: int, worse: int) -> Verdict:
        """What the tests say of the metric of one index being better than that of another."""
        alpha = self.comparison.alpha
        # NaN, which stands on the diagonal, compares as False.
        if self.comparison.adjusted[better, worse] <= alpha:
            return "significant, corrected"
        return "significant alone" if self.comparison.pvalues[better, worse] <= alpha else "not significant"

    def beaten_by(self, better: int) -> list[str]:
        """The metrics that the one of this index beats, after the correction."""
        names = enumerate(self.comparison.names)
        return [name for worse, name in names if self.verdict(better, worse) == "significant, corrected"]

    def records(self) -> list[dict[str, Any]]:
        """A row for each pair, the better metric of the sample first: correlations, p-values and the verdict."""
        tested = self.comparison
        shows_systems = not np.isnan(tested.by_systems).all()
        rows = []
        for x, y in itertools.combinations(self.order, 2):
            row: dict[str, Any] = {
                "x": tested.names[x],
                "y": tested.names[y],
                "of x": float(tested.values[x]),
                "of y": float(tested.values[y]),
                "difference": float(tested.values[x] - tested.values[y]),
                "p": float(tested.pvalues[x, y]),
                "corrected p": float(tested.adjusted[x, y]),
                "x is better": self.verdict(x, y),
            }
            rows.append(row | ({"systems p": float(tested.by_systems[x, y])} if shows_systems else {}))
        return rows

    def details(self) -> dict[str, Any]:
        """The metrics, the best first, with those they beat; all p-values, metrics x metrics; how they were made."""
        tested = self.comparison
        return {
            "metrics": [
                {
                    "metric": tested.names[index],
                    "value": float(tested.values[index]),
                    "better than": self.beaten_by(index),
                }
                for index in self.order
            ],
            "names": list(tested.names),
            "pvalues": tested.pvalues.tolist(),
            "adjusted": tested.adjusted.tolist(),
            "system_effects": tested.effects.tolist(),
            "by_systems": tested.by_systems.tolist(),
            "method": tested.method,
            "correction": tested.correction,
            "alpha": tested.alpha,
            "permutations": tested.ways or tested.permutations,
            "exact": tested.ways is not None,
            "seed": tested.seed,
        }


def note_test(test: TestResult, effects: SystemEffects | None, *, ignored: bool, alpha: float) -> tuple[str, ...]:
    """System effects, if the test ignores them, and whether any p-value could have been small enough."""
    notes = []
    if ignored and effects:
        measured = f"F = {effects.f:.1f}, p {_below_or_about(effects.pvalue)}"
        notes.append(f"the metrics favour different systems ({measured}). {IGNORED_EFFECTS.format(method=test.method)}")
    if test.least > alpha:
        ways = "ways to swap" if test.exact else "permutations"
        least = f"no p-value can be below {test.least:.2g}, and none reaches alpha {alpha:g}"
        notes.append(f"there are {test.draws:,} {ways}: {least}")
    return tuple(notes)


def _below_or_about(pvalue: float) -> str:
    """A p-value in a sentence.

    >>> _below_or_about(0.0000123), _below_or_about(0.0213)
    ('< .001', '= .021')
    """
    return "< .001" if pvalue < 0.001 else f"= {pvalue:.3f}".replace("0.", ".")
