"""Does one metric agree with people better than another? A test of two metrics, or of all pairs at once."""

# ruff: noqa: PT028  (the function is the question `test`, not a test case)

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError
from gistmeter.meta.options import CorrelationOptions
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import LEFT_OUT, choose_ranked, note_directions
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.stats import MetricComparison, TestResult
    from gistmeter.stats.comparison import Correction
    from gistmeter.stats.hypothesis import Alternative
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.tables import Coefficient, Level, Undefined

TestName = Literal["permutation", "bootstrap", "williams"]
"""Which test: by swapping scores, by resampling, or Williams' for normal scores."""

Verdict = Literal["significant, corrected", "significant alone", "not significant"]
"""What a table of tests says of a pair: significant after the correction, only before it, or not."""


@dataclass(frozen=True, slots=True)
class PairTest(Result):
    """One test of two metrics: does `x` agree with people better than `y`?"""

    x: str
    y: str
    aspect: str
    test: TestResult
    notes: tuple[str, ...] = ()

    @property
    def pvalue(self) -> float:
        """The p-value of the test."""
        return self.test.pvalue

    def records(self) -> list[dict[str, Any]]:
        """One row: both correlations, their difference, and its p-value."""
        return [
            {
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
        ]

    def details(self) -> dict[str, Any]:
        """The p-value and the statistic by their usual names."""
        return {"pvalue": self.test.pvalue, "statistic": self.test.statistic}


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
        indices: list[int] = np.argsort(-self.comparison.values).tolist()
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
        """A row for each metric, the best first, with those it beats."""
        return [
            {
                "metric": self.comparison.names[index],
                "value": float(self.comparison.values[index]),
                "better than": ", ".join(self.beaten_by(index)) or "–",
            }
            for index in self.order
        ]

    def details(self) -> dict[str, Any]:
        """All p-values, metrics x metrics, before and after the correction."""
        return {
            "names": list(self.comparison.names),
            "pvalues": self.comparison.pvalues.tolist(),
            "adjusted": self.comparison.adjusted.tolist(),
        }


def test(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    level: Level = "system",
    coefficient: Coefficient = "kendall",
    test: TestName = "permutation",
    method: Resampling = "both",
    alternative: Alternative = "two-sided",
    correction: Correction = "bonferroni-metric",
    permutations: int = 1000,
    alpha: float = 0.05,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> PairTest | AllPairsTest:
    """Test whether one metric agrees with people better than another: two metrics, or all pairs of several.

    Two metrics are tested as `test` and `alternative` say. Of more than two every one is tested against every other
    by one-sided permutation tests, corrected for their number (Deutsch 2022, section 7.4 and Fig. 29). A score of which
    neither high nor low is better (`length.words`) is left out of all pairs, unless `lower` or `higher` names it.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        The metrics to compare; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    level
        What is correlated: `system`, `summary`, `pooled` or `per-system`.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`.
    test
        For two metrics: `permutation` (of their scores), `bootstrap`, or `williams` (for normal scores).
    method
        What is swapped or drawn anew: the scores of `systems`, of `documents`, or `both`.
    alternative
        For two metrics: `two-sided`, `greater` (the first agrees better) or `less`.
    correction
        For more than two: `bonferroni-metric` (for the tests of one metric), `bonferroni-all`, `holm` or `none`.
    permutations
        How many permutations, or resamples of the bootstrap.
    alpha
        For more than two, the level of significance.
    undefined
        What becomes of a correlation with a constant: `drop`, `zero` or `error`.
    seed
        Says which permutations are drawn.
    workers
        How many threads; the result is the same for any number.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    PairTest or AllPairsTest
        The former for two metrics.

    Raises
    ------
    ArgumentError
        The bootstrap or Williams' test was asked for with more than two metrics, a metric that was named has no
        direction, or an argument is missing.
    DataError
        There is no such score or judgment, fewer than two metrics, or too little data.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(12, 30))
    >>> tables = {f"noise {n}": people + n * rng.normal(size=(12, 30)) for n in (1, 2, 8)}
    >>> study = meta.Study.from_tables({**tables, "rated": people}, aspects=["rated"])
    >>> meta.test(study, metrics=["noise 1", "noise 2"], level="summary", coefficient="pearson").pvalue
    0.000999...
    >>> meta.test(study, level="summary", coefficient="pearson").to_frame()["better than"].to_list()
    ['noise 2, noise 8', 'noise 8', '–']
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, units=units, lower=lower, higher=higher)
    chosen = study.choose_aspect(aspect)
    notes = note_directions(study, (*study.choose_metrics(names), chosen), undirected=LEFT_OUT)
    names = choose_ranked(study, chosen, names)
    options = CorrelationOptions(level=level, coefficient=coefficient, undefined=undefined)
    if len(names) == 2:
        x, y, z = (study.oriented(name) for name in (*names, chosen))
        if test == "williams":
            result = stats.williams_test(x, y, z, alternative=alternative, **options.keywords())
        elif test == "bootstrap":
            result = stats.bootstrap_test(
                x,
                y,
                z,
                alternative=alternative,
                resamples=permutations,
                method=method,
                seed=seed,
                workers=workers,
                **options.keywords(),
            )
        else:
            result = stats.permutation_test(
                x,
                y,
                z,
                alternative=alternative,
                permutations=permutations,
                method=method,
                seed=seed,
                workers=workers,
                **options.keywords(),
            )
        return PairTest(x=names[0], y=names[1], aspect=chosen, test=result, notes=notes)
    if test != "permutation":
        raise ArgumentError(f"`test` {test} compares two metrics; name two, or test all pairs by permutation")
    comparison = stats.compare_all(
        {name: study.oriented(name) for name in names},
        study.oriented(chosen),
        permutations=permutations,
        correction=correction,
        alpha=alpha,
        method=method,
        seed=seed,
        workers=workers,
        **options.keywords(),
    )
    return AllPairsTest(aspect=chosen, level=level, coefficient=coefficient, comparison=comparison, notes=notes)
