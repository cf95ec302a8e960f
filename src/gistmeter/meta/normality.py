"""May a test or an interval assume normal scores?"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

from gistmeter import stats
from gistmeter.meta.options import as_tuple
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.skipping import SkippedMetrics
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.stats import Normality
    from gistmeter.stats.tables import Level


@dataclass(frozen=True, slots=True)
class ScoreNormality:
    """Whether one score, or one judgment, is normally distributed at one level."""

    score: str
    level: Level
    normality: Normality


@dataclass(frozen=True, slots=True)
class NormalityTests(Result):
    """Shapiro-Wilk tests of scores and judgments."""

    rows: tuple[ScoreNormality, ...]
    notes: tuple[str, ...] = ()

    @property
    def alpha(self) -> float:
        """The level of significance at which normality is rejected."""
        return self.rows[0].normality.alpha

    def records(self) -> list[dict[str, Any]]:
        """A row for each score and level; a p-value where there is one test only."""
        return [
            {
                "score": row.score,
                "level": row.level,
                "tested": row.normality.tested,
                "not normal": row.normality.rejected,
                "share": row.normality.share if row.normality.tested else nan,
                "p": row.normality.pvalue if row.normality.tested == 1 else None,
                "undefined": row.normality.undefined,
            }
            for row in self.rows
        ]


def normality(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    level: Level | Sequence[Level] = ("system", "summary"),
    units: Sequence[str | Path] = (),
) -> NormalityTests:
    """Shapiro-Wilk tests of scores and judgments (Deutsch 2022, Table 22).

    Each set of scores that enters one correlation is tested on its own: at `system` level the systems' means, at
    `summary` level the systems' scores on each document, at `per-system` level the documents' scores of each system,
    `pooled` all together. A small p-value says that scores are not normal.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        Which scores to test, all by default. All judgments are tested too.
    level
        Which sets of scores to test, one level or several.
    units
        For a run, files of content units.

    Returns
    -------
    NormalityTests
        A row for each score and level.

    Raises
    ------
    ArgumentError, DataError
        As for `correlate`; or no set has three scores that are not all the same.

    Examples
    --------
    >>> from gistmeter.meta import Study
    >>> even, skewed = [[1], [2], [3], [4], [5], [6]], [[1], [1], [1], [1], [1], [9]]
    >>> study = Study.from_tables({"even": even, "skewed": skewed}, aspects=["skewed"])
    >>> normality(study, level="system").to_frame()["not normal"].to_list()
    [0, 1]
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, units=units)
    skipped = SkippedMetrics()
    rows = []
    for name in skipped.drop_constant(study, (*study.choose_metrics(names), *study.aspects)):
        for one_level in as_tuple(level):
            with skipped.noting(name, f"test at {one_level} level"):
                rows.append(ScoreNormality(name, one_level, stats.normality(study[name], level=one_level)))
    skipped.check(rows)
    return NormalityTests(tuple(rows), skipped.notes_beside({row.score for row in rows}))
