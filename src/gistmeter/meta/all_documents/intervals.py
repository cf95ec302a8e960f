"""How much surer is a correlation when the metric scores all documents, not only those that people judged?"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter import stats
from gistmeter.meta.all_documents.tables import note_documents, read_scores, select_systems
from gistmeter.meta.options import CorrelationOptions
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import note_columns, note_few_systems
from gistmeter.meta.study.skipping import SkippedMetrics
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.scores import Scores
    from gistmeter.stats import WidthChange
    from gistmeter.stats.intervals import IntervalKind
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.tables import Coefficient, Undefined


@dataclass(frozen=True, slots=True)
class MetricWidths:
    """The system-level correlation of one metric with people, by judged and by all documents."""

    metric: str
    change: WidthChange


@dataclass(frozen=True, slots=True)
class AllDocumentIntervals(Result):
    """System-level correlations with intervals, with the metric's means over judged and over all documents."""

    aspect: str
    coefficient: Coefficient
    method: Resampling
    rows: tuple[MetricWidths, ...]
    judged: int
    """How many documents people judged."""
    scored: int
    """How many documents were scored."""
    seed: int
    notes: tuple[str, ...] = ()

    @property
    def mean_narrowed(self) -> float:
        """By what share intervals get narrower, averaged over the metrics."""
        shares = [row.change.narrowed for row in self.rows]
        return float(np.mean(shares)) if shares else nan

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric: both correlations with their intervals, and how much narrower the second is."""
        return [
            {
                "metric": row.metric,
                "judged": row.change.judged.value,
                "judged low": row.change.judged.low,
                "judged high": row.change.judged.high,
                "all": row.change.everything.value,
                "all low": row.change.everything.low,
                "all high": row.change.everything.high,
                "narrower by": row.change.narrowed,
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """How many documents there are, how intervals were made, and how much narrower they are on average."""
        return {
            "human": self.aspect,
            "coefficient": self.coefficient,
            "method": self.method,
            "judged_documents": self.judged,
            "all_documents": self.scored,
            "narrower_by": self.mean_narrowed,
            "seed": self.seed,
        }


def interval_all_documents(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    everything: Scores | str | Path,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    coefficient: Coefficient = "pearson",
    interval: IntervalKind = "percentile",
    method: Resampling = "both",
    resamples: int = 1000,
    confidence: float = 0.95,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> AllDocumentIntervals:
    """Intervals of system-level correlations, with a metric's means over judged documents and over all that it scored.

    In practice systems are compared on a whole test set, of which people judged a part. Correlating those means with
    people's (Deutsch 2022, eq. 8.3) is surer, the more so where rankings depend on which documents were drawn: Fig. 32
    (`method="documents"`), 39 (`"systems"`) and 40 (`"both"`).

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    everything
        The scores of all documents, judged or not: `Scores`, or their file. Systems are matched by name.
    metrics
        Which scores to look at; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`.
    interval
        `percentile` or `bca`.
    method
        What the bootstrap draws anew: `systems`, `documents` (of judged and of all for themselves), or `both`.
    resamples, confidence, undefined, seed, workers, lower, higher, units
        As for `interval`.

    Returns
    -------
    AllDocumentIntervals
        A row for each metric.

    Raises
    ------
    ArgumentError, DataError
        As for `interval`; or a system, or all metrics, have no scores of all documents.

    Examples
    --------
    >>> import numpy as np
    >>> import polars as pl
    >>> from gistmeter import Scores, meta
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(12, 1))
    >>> metric = quality + 4 * rng.normal(size=(12, 1000))
    >>> cells = [(f"document {d + 1}", f"system {s + 1}", metric[s, d]) for s in range(12) for d in range(1000)]
    >>> everything = Scores.from_metadata(pl.DataFrame(cells, schema=["doc_id", "system", "own"], orient="row"), None)
    >>> tables = {"own": metric[:, :40], "rated": quality + rng.normal(size=(12, 40))}
    >>> study = meta.Study.from_tables(tables, aspects=["rated"])
    >>> answer = meta.interval_all_documents(study, everything=everything, method="documents")
    >>> answer.scored, answer.mean_narrowed > 0.1
    (1000, True)
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    all_scores = read_scores(everything)
    chosen = study.choose_aspect(aspect)
    options = CorrelationOptions(level="system", coefficient=coefficient, undefined=undefined)
    skipped = SkippedMetrics(strict=undefined == "error")
    chosen_metrics = skipped.drop_constant(study, study.choose_metrics(names), undefined)
    rows = []
    for name in chosen_metrics:
        with skipped.noting(name):
            sign = study.sign_toward(name, chosen, options)
            change = stats.width_change(
                sign * study[name],
                sign * select_systems(all_scores, name, study),
                study.oriented(chosen),
                coefficient=coefficient,
                method=method,
                resamples=resamples,
                confidence=confidence,
                interval=interval,
                undefined=undefined,
                seed=seed,
                workers=workers,
            )
            rows.append(MetricWidths(name, change))
    skipped.check(rows)
    return AllDocumentIntervals(
        aspect=chosen,
        coefficient=coefficient,
        method=method,
        rows=tuple(rows),
        judged=len(study.documents),
        scored=len(all_scores.documents),
        seed=seed,
        notes=(
            *note_documents(all_scores, study),
            *note_columns(study, (*chosen_metrics, chosen)),
            *note_few_systems(study, ("system",)),
            *skipped.notes,
        ),
    )
