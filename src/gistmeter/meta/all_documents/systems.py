"""Where do systems stand by metrics and by people, and how sure is that, on judged and on all documents?"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter import stats
from gistmeter.meta.all_documents.tables import note_documents, read_scores, select_systems
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.skipping import SkippedMetrics
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.scores import Scores


@dataclass(frozen=True, slots=True)
class MeanInterval:
    """The mean of a system's scores, with its bootstrap interval over documents."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class SystemScore:
    """Where one system stands by one score."""

    system: str
    score: str
    judged: MeanInterval
    """Over the documents that people judged."""
    people: float
    """The mean of people's judgments of the system."""
    everything: MeanInterval | None = None
    """Over all documents that were scored, if they were given."""


@dataclass(frozen=True, slots=True)
class SystemScores(Result):
    """The means of systems by metrics, beside people's."""

    aspect: str
    rows: tuple[SystemScore, ...]
    judged: int
    """How many documents people judged."""
    scored: int | None
    """How many documents were scored, if all of them were given."""
    confidence: float
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each score and system."""
        return [
            {
                "score": row.score,
                "system": row.system,
                self.aspect: row.people,
                **_bounds("judged", row.judged),
                **({} if row.everything is None else _bounds("all", row.everything)),
            }
            for row in self.rows
        ]


def systems(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    everything: Scores | str | Path | None = None,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    units: Sequence[str | Path] = (),
) -> SystemScores:
    """The means of all systems by metrics and by people, with bootstrap intervals over documents.

    Its picture is Fig. 33 of Deutsch (2022), how diverse systems are; with the scores of all documents it is Fig. 30,
    how much surer the means are.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    everything
        The scores of all documents, judged or not: `Scores`, or their file.
    metrics
        Which scores to look at; all by default. For a run, those to compute first.
    aspect
        The judgment to show beside them; by default the only one there is.
    resamples
        How many bootstrap resamples.
    confidence
        The confidence of the intervals, between 0 and 1.
    seed
        Says which resamples are drawn.
    units
        For a run, files of content units.

    Returns
    -------
    SystemScores
        A row for each score and system.

    Raises
    ------
    ArgumentError, DataError
        As for `correlate`; or a system has no scores of all documents.

    Examples
    --------
    >>> from gistmeter.meta import Study
    >>> tables = {"own": [[0.1, 0.3, 0.2], [0.4, 0.6, 0.5]], "rated": [[1, 2, 3], [3, 4, 5]]}
    >>> study = Study.from_tables(tables, aspects=["rated"], systems=["lead", "bart"])
    >>> [(row.system, round(row.judged.value, 2), row.people) for row in systems(study).rows]
    [('lead', 0.2, 2.0), ('bart', 0.5, 4.0)]
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units)
    chosen = study.choose_aspect(aspect)
    all_scores = None if everything is None else read_scores(everything)
    people = _average(study[chosen])
    skipped = SkippedMetrics()
    rows: list[SystemScore] = []
    for name in study.choose_metrics(names):
        with skipped.noting(name):
            tables = [study[name]]
            if all_scores is not None:
                tables.append(select_systems(all_scores, name, study))
            spreads = [
                stats.score_spread(table, sizes=[table.shape[1]], resamples=resamples, confidence=confidence, seed=seed)
                for table in tables
            ]
            for index, system in enumerate(study.systems):
                judged, *others = [
                    MeanInterval(float(spread.value[index]), float(spread.low[0, index]), float(spread.high[0, index]))
                    for spread in spreads
                ]
                rows.append(
                    SystemScore(
                        system=system,
                        score=name,
                        judged=judged,
                        people=people[index],
                        everything=others[0] if others else None,
                    )
                )
    skipped.check(rows)
    return SystemScores(
        aspect=chosen,
        rows=tuple(rows),
        judged=len(study.documents),
        scored=None if all_scores is None else len(all_scores.documents),
        confidence=confidence,
        notes=(*(note_documents(all_scores, study) if all_scores is not None else ()), *skipped.notes),
    )


def _average(table: FloatArray) -> list[float]:
    """The mean of each row over the cells it has."""
    return [float(np.mean(row[~np.isnan(row)])) if not np.isnan(row).all() else nan for row in table]


def _bounds(label: str, mean: MeanInterval) -> dict[str, float]:
    return {label: mean.value, f"{label} low": mean.low, f"{label} high": mean.high}
