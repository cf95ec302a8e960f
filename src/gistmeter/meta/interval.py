"""How sure is a correlation? Its confidence interval, and how often such intervals hold the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from gistmeter import stats
from gistmeter.meta.options import as_tuple, combine_options, part_of_progress
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import note_columns, note_few_systems
from gistmeter.meta.study.skipping import SkippedMetrics, naming
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.meta.options import Progress
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.stats import CorrelationInterval, Coverage
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.tables import Coefficient, Level, Undefined

IntervalName = Literal["percentile", "bca", "fisher"]
"""How an interval is made: by the bootstrap (percentile, BCa) or by Fisher's transformation."""


@dataclass(frozen=True, slots=True)
class MetricInterval:
    """The correlation of one metric with a judgment, with its interval."""

    metric: str
    level: Level
    interval: CorrelationInterval


@dataclass(frozen=True, slots=True)
class CorrelationIntervals(Result):
    """Correlations of metrics with one aspect, with their confidence intervals."""

    aspect: str
    coefficient: Coefficient
    rows: tuple[MetricInterval, ...]
    seed: int
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric and level."""
        return [
            {
                "metric": row.metric,
                "level": row.level,
                "coefficient": row.interval.coefficient,
                "value": row.interval.value,
                "low": row.interval.low,
                "high": row.interval.high,
                "undefined": row.interval.undefined,
            }
            for row in self.rows
        ]


@dataclass(frozen=True, slots=True)
class IntervalCoverage(Result):
    """How often intervals made on one half of a study hold the correlation of the other half."""

    metric: str
    aspect: str
    levels: tuple[Coverage, ...]
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each level and each method of making an interval."""
        return [
            {
                "level": coverage.level,
                "method": row.method,
                "coverage": row.share,
                "below": row.below,
                "above": row.above,
                "undefined": row.undefined,
            }
            for coverage in self.levels
            for row in coverage.rows
        ]


def interval(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    level: Level | Sequence[Level] = ("system", "summary"),
    coefficient: Coefficient = "pearson",
    interval: IntervalName = "percentile",
    method: Resampling = "both",
    resamples: int = 1000,
    confidence: float = 0.95,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> CorrelationIntervals:
    """Confidence intervals of correlations with what people said (Deutsch 2022, section 7.3 and Fig. 28).

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        Which scores to look at; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    level
        What is correlated, one level or several: `system`, `summary`, `pooled`, `per-system`.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`.
    interval
        `percentile` or `bca` (both by the bootstrap), or `fisher` (Fisher's transformation, for normal scores).
    method
        What the bootstrap draws anew, and so what the interval holds for: other `systems`, other `documents`,
        or `both`.
    resamples
        How many bootstrap resamples.
    confidence
        The confidence of the interval, between 0 and 1.
    undefined
        What becomes of a correlation with a constant: `drop`, `zero` or `error`.
    seed
        Says which resamples are drawn.
    workers
        How many threads; the result is the same for any number.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    CorrelationIntervals
        A row for each metric and level.

    Raises
    ------
    ArgumentError, DataError
        As for `correlate`; or there are too few systems or documents for the interval.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(12, 30))
    >>> study = meta.Study.from_tables({"good": people + rng.normal(size=(12, 30)), "rated": people}, aspects=["rated"])
    >>> [row] = meta.interval(study, level="summary", coefficient="pearson").rows
    >>> round(row.interval.value, 2), round(row.interval.low, 2), round(row.interval.high, 2)
    (0.68, 0.52, 0.75)
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    rows = []
    skipped = SkippedMetrics(strict=undefined == "error")
    [chosen] = skipped.check_aspects(study, [study.choose_aspect(aspect)], undefined)
    chosen_metrics = skipped.drop_constant(study, study.choose_metrics(names), undefined)
    for name in chosen_metrics:
        for options in combine_options(level, coefficient, undefined):
            with skipped.noting(name, options.name):
                z = study.oriented(chosen)
                x = study.oriented_toward(name, chosen, options)
                if interval == "fisher":
                    bounds = stats.fisher(x, z, confidence=confidence, **options.keywords())
                else:
                    bounds = stats.bootstrap(
                        x,
                        z,
                        method=method,
                        resamples=resamples,
                        confidence=confidence,
                        interval=interval,
                        seed=seed,
                        workers=workers,
                        **options.keywords(),
                    )
                rows.append(MetricInterval(name, options.level, bounds))
    skipped.check(rows)
    notes = (
        *note_columns(study, (*chosen_metrics, chosen)),
        *note_few_systems(study, as_tuple(level)),
        *skipped.notes_beside({row.metric for row in rows}),
    )
    return CorrelationIntervals(aspect=chosen, coefficient=coefficient, rows=tuple(rows), seed=seed, notes=notes)


def coverage(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metric: str,
    aspect: str | None = None,
    level: Level | Sequence[Level] = ("system", "summary"),
    coefficient: Coefficient = "pearson",
    trials: int = 1000,
    resamples: int = 1000,
    confidence: float = 0.95,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> IntervalCoverage:
    """How often an interval on one half of the study holds the correlation of the other (Deutsch 2022, Table 19).

    Systems and documents are both split at random, so the other half has other systems on other documents.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metric
        The score to look at. For a run, the one to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    level
        What is correlated, one level or several: `system`, `summary`, `pooled`, `per-system`.
    coefficient
        `pearson`, `spearman` or `kendall`.
    trials
        How often the study is split.
    resamples
        How many bootstrap resamples each interval is made of.
    confidence
        The confidence of the intervals: the share that should hold the correlation.
    undefined
        What becomes of a correlation with a constant: `drop`, `zero` or `error`.
    seed
        Says how the study is split.
    workers
        How many threads; the result is the same for any number.
    progress
        Called with how many trials are done, and how many there are.
    units
        For a run, files of content units.

    Returns
    -------
    IntervalCoverage
        For each level the share for Fisher's transformation and for the bootstrap by systems, documents and both.

    Raises
    ------
    ArgumentError, DataError
        As for `correlate`; or there are too few systems or documents to split.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(20, 1)) + rng.normal(size=(20, 30))
    >>> study = meta.Study.from_tables({"good": people + rng.normal(size=(20, 30)), "rated": people}, aspects=["rated"])
    >>> answer = meta.coverage(study, metric="good", level="summary", trials=20, resamples=50)
    >>> answer.to_frame()["method"].to_list()
    ['fisher', 'systems', 'documents', 'both']
    """
    study = study_of(scores, judgments, metrics=[metric], aspects=aspect, units=units, lower=lower, higher=higher)
    metric, chosen = study.resolve(metric), study.choose_aspect(aspect)
    all_options = combine_options(level, coefficient, undefined)
    with naming(metric):
        levels = [
            stats.coverage(
                study.oriented_toward(metric, chosen, options),
                study.oriented(chosen),
                trials=trials,
                resamples=resamples,
                confidence=confidence,
                seed=seed,
                workers=workers,
                progress=part_of_progress(progress, part, len(all_options)),
                **options.keywords(),
            )
            for part, options in enumerate(all_options)
        ]
    notes = note_columns(study, (metric, chosen))
    return IntervalCoverage(metric=metric, aspect=chosen, levels=tuple(levels), notes=notes)
