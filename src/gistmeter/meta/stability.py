"""How much would other documents change the ranking of systems?"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

from gistmeter import stats
from gistmeter.meta.options import part_of_progress
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.skipping import SkippedMetrics
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.meta.options import Progress
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.stats import RankingStability, ScoreSpread
    from gistmeter.stats.tables import Coefficient


@dataclass(frozen=True, slots=True)
class ScoreStability:
    """How stable the ranking by one score, or one judgment, is."""

    score: str
    ranking: RankingStability
    """How alike two rankings are, for growing numbers of documents."""
    spread: ScoreSpread
    """How far a system's mean moves, for the same numbers."""


@dataclass(frozen=True, slots=True)
class Stability(Result):
    """How alike two rankings by other documents are, and how much scores vary."""

    coefficient: Coefficient
    trials: int
    rows: tuple[ScoreStability, ...]
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each score and number of documents."""
        return [
            {
                "score": row.score,
                "documents": point.size,
                "alike": point.mean,
                "its deviation": point.deviation,
                "deviation of a score": sqrt(variance),
            }
            for row in self.rows
            for point, variance in zip(row.ranking.points, row.spread.mean_variance, strict=True)
        ]


def stability(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    coefficient: Coefficient = "kendall",
    trials: int = 1000,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    units: Sequence[str | Path] = (),
) -> Stability:
    """Variance of system scores, and how alike two rankings by other documents are (Deutsch 2022, Fig. 30 and 31).

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        Which scores to look at, all by default. All judgments are looked at too.
    coefficient
        How two rankings are compared: `pearson`, `spearman`, `kendall` or `kendall-c`.
    trials
        How many pairs of samples of documents are drawn for each number of documents.
    seed
        Says which documents are drawn.
    workers
        How many threads; the result is the same for any number.
    progress
        Called with how much is done, and how much there is.
    units
        For a run, files of content units.

    Returns
    -------
    Stability
        For each score, points for growing numbers of documents.

    Raises
    ------
    ArgumentError, DataError
        As for `correlate`; or a score is the same for all systems.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(8, 1)) + rng.normal(size=(8, 30))
    >>> study = meta.Study.from_tables({"rated": people}, aspects=["rated"])
    >>> frame = meta.stability(study, trials=50).to_frame()
    >>> frame["documents"].to_list()
    [10, 12, 14, 17, 19, 21, 23, 26, 28, 30]
    >>> frame["alike"][0] < frame["alike"][-1]
    True
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, units=units)
    skipped = SkippedMetrics()
    chosen = skipped.drop_constant(study, (*study.choose_metrics(names), *study.aspects))
    rows = []
    for part, name in enumerate(chosen):
        with skipped.noting(name):
            ranking = stats.ranking_stability(
                study[name],
                coefficient=coefficient,
                trials=trials,
                seed=seed,
                workers=workers,
                progress=part_of_progress(progress, part, len(chosen)),
            )
            sizes = [point.size for point in ranking.points]
            spread = stats.score_spread(study[name], sizes=sizes, resamples=trials, seed=seed, workers=workers)
            rows.append(ScoreStability(name, ranking, spread))
    skipped.check(rows)
    return Stability(coefficient=coefficient, trials=trials, rows=tuple(rows), notes=skipped.notes)
