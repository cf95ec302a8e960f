"""How well do scores agree with people? Correlations at any level, of the whole study or within folds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gistmeter import stats
from gistmeter.io.folds import draw_folds, index_folds, read_folds
from gistmeter.meta.labels import measure_labels
from gistmeter.meta.options import as_tuple, combine_options, split_coefficients
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import GO_WITH_PEOPLE_OVERALL, note_columns, note_few_systems
from gistmeter.meta.study.skipping import SkippedMetrics
from gistmeter.meta.study.tables import label_table
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.meta.options import AnyCoefficient
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.stats import Correlation, FoldCorrelation, LabelAgreement
    from gistmeter.stats.tables import Coefficient, Level, Undefined

FoldAxis = Literal["documents", "systems"]
"""What is divided into folds: documents (`examples`) or systems."""


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """The correlation of one metric with a judgment."""

    metric: str
    aspect: str
    correlation: Correlation


@dataclass(frozen=True, slots=True)
class Correlations(Result):
    """Correlations of metrics with aspects that people judged."""

    aspects: tuple[str, ...]
    rows: tuple[MetricCorrelation, ...]
    systems: int
    documents: int
    undefined: Undefined
    notes: tuple[str, ...] = ()

    @property
    def aspect(self) -> str:
        """The aspect, or the aspects in a row."""
        return ", ".join(self.aspects)

    def records(self) -> list[dict[str, Any]]:
        """A row for each aspect, metric, level and coefficient."""
        return [
            {
                "metric": row.metric,
                "human": row.aspect,
                "level": row.correlation.level,
                "coefficient": row.correlation.coefficient,
                "value": row.correlation.value,
                "used": row.correlation.used,
                "undefined": row.correlation.undefined,
                "missing": row.correlation.missing,
            }
            for row in self.rows
        ]


@dataclass(frozen=True, slots=True)
class MetricFolds:
    """The correlations of one metric with a judgment within folds."""

    metric: str
    level: Level
    coefficient: Coefficient
    correlation: FoldCorrelation


@dataclass(frozen=True, slots=True)
class FoldCorrelations(Result):
    """Correlations of metrics with one aspect within folds, and averaged."""

    aspect: str
    rows: tuple[MetricFolds, ...]
    by: FoldAxis
    sizes: tuple[int, ...]
    """How many documents or systems each fold has."""
    undefined: Undefined
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric, level and coefficient: the mean over folds, the lowest and the highest."""
        return [
            {
                "metric": row.metric,
                "level": row.level,
                "coefficient": row.coefficient,
                "mean": row.correlation.value,
                "lowest": min(row.correlation.values),
                "highest": max(row.correlation.values),
                "undefined": row.correlation.undefined,
            }
            for row in self.rows
        ]


def correlate(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    aspect: str | Sequence[str] | None = None,
    level: Level | Sequence[Level] = ("system", "summary"),
    coefficient: AnyCoefficient | Sequence[AnyCoefficient] = ("pearson", "spearman", "kendall"),
    undefined: Undefined = "drop",
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> Correlations:
    """Correlate scores with what people said, at any level and by any coefficient.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        Which scores to correlate, such as `rouge2.recall`; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with, or several; by default all there are.
    level
        What is correlated, one level or several. `system`: the systems' means over documents. `summary`: the systems'
        scores on one document, averaged over documents. `pooled`: all summaries. `per-system`: one system's scores
        over documents, averaged over systems.
    coefficient
        `pearson`, `spearman`, `kendall` (tau-b) or `kendall-c` (tau-c); for judgments of 0 and 1 also `auc` and
        `balanced-accuracy`, which take all summaries together whatever the level (see `labels`). One or several.
    undefined
        What becomes of a correlation with a constant: `drop` leaves it out of the mean, `zero` takes it as 0, `error`
        refuses.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    Correlations
        A row for each metric, level and coefficient.

    Raises
    ------
    ArgumentError
        An argument is missing, or does not go with the others.
    DataError
        There is no such score or judgment, too little data, or (with `undefined="error"`) an undefined correlation.

    Examples
    --------
    >>> from gistmeter.meta import Study
    >>> study = Study.from_tables(
    ...     {"good": [[0.1, 0.5], [0.3, 0.4], [0.4, 0.9]], "rated": [[1, 2], [2, 1], [3, 5]]}, aspects=["rated"]
    ... )
    >>> correlate(study, level="system", coefficient="spearman").rows[0].correlation.value
    0.866...
    >>> correlate(study, level="summary").to_frame().select("metric", "coefficient", "used").rows()
    [('good', 'pearson', 2), ('good', 'spearman', 2), ('good', 'kendall', 2)]
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    skipped = SkippedMetrics(strict=undefined == "error")
    asked = tuple(map(study.choose_aspect, name_list(aspect) or study.aspects or (None,)))
    aspects = skipped.check_aspects(study, asked, undefined)
    chosen_metrics = skipped.drop_constant(study, study.choose_metrics(names), undefined)
    correlations, label_coefficients = split_coefficients(coefficient)
    rows = []
    for chosen, name in product(aspects, chosen_metrics):
        of_aspect = f" with {chosen}" if len(aspects) > 1 else ""
        for options in combine_options(level, correlations, undefined):
            with skipped.noting(name, options.name + of_aspect):
                x, z = study.oriented_toward(name, chosen, options), study.oriented(chosen)
                rows.append(MetricCorrelation(name, chosen, stats.correlate(x, z, **options.keywords())))
    for chosen in aspects if label_coefficients else ():
        truth = label_table(study, chosen)
        for name, kind in product(chosen_metrics, label_coefficients):
            with skipped.noting(name, kind):
                agreement = measure_labels(study, name, chosen, truth, kind)
                rows.append(MetricCorrelation(name, chosen, _as_correlation(agreement)))
    skipped.check(rows)
    return Correlations(
        aspects=aspects,
        rows=tuple(rows),
        systems=len(study.systems),
        documents=len(study.documents),
        undefined=undefined,
        notes=(
            *note_columns(study, (*chosen_metrics, *aspects)),
            *note_few_systems(study, as_tuple(level)),
            *skipped.notes_beside({row.metric for row in rows}),
        ),
    )


def folds(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    folds: int | str | Path | Sequence[Sequence[str]] = 5,
    by: FoldAxis = "documents",
    level: Level | Sequence[Level] = ("system", "summary"),
    coefficient: Coefficient | Sequence[Coefficient] = ("pearson", "spearman"),
    undefined: Undefined = "drop",
    seed: int = 0,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> FoldCorrelations:
    """Correlate scores with what people said within folds, and average: as for metrics trained on the other folds.

    This is the protocol of Lite2-3Pyramid's Tables 1 and 4. Scores by models that were trained on the other folds and
    scores that nobody trained are then compared on the same footing.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        Which scores to correlate; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    folds
        How many folds to draw; or the folds themselves, as lists of names; or a JSON file of such lists
        (`by_documents` or, as released ones say, `by_examples`; `by_systems`).
    by
        Whether folds are of documents or of systems.
    level, coefficient, undefined
        As for `correlate`.
    seed
        Says which folds are drawn.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    FoldCorrelations
        A row for each metric, level and coefficient, with the value in each fold.

    Raises
    ------
    ArgumentError, DataError
        As for `correlate`; or there are fewer than two folds, or a document (system) is in none of them.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(6, 12))
    >>> study = meta.Study.from_tables({"good": people + rng.normal(size=(6, 12)), "rated": people}, aspects=["rated"])
    >>> [row] = meta.folds(study, folds=3, level="summary", coefficient="pearson").rows
    >>> [round(value, 2) for value in row.correlation.values]
    [0.22, 0.71, 0.65]
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    fold_indices = _index_folds(folds, study.documents if by == "documents" else study.systems, by, seed)
    skipped = SkippedMetrics(strict=undefined == "error")
    [chosen] = skipped.check_aspects(study, [study.choose_aspect(aspect)], undefined)
    chosen_metrics = skipped.drop_constant(study, study.choose_metrics(names), undefined)
    rows = []
    for name in chosen_metrics:
        for options in combine_options(level, coefficient, undefined):
            with skipped.noting(name, options.name):
                x, z = study.oriented_toward(name, chosen, options), study.oriented(chosen)
                within = stats.correlate_by_folds(x, z, fold_indices, axis=by, **options.keywords())
                rows.append(
                    MetricFolds(metric=name, level=options.level, coefficient=options.coefficient, correlation=within)
                )
    skipped.check(rows)
    return FoldCorrelations(
        aspect=chosen,
        rows=tuple(rows),
        by=by,
        sizes=tuple(map(len, fold_indices)),
        undefined=undefined,
        notes=(
            *note_columns(study, (*chosen_metrics, chosen), undirected=GO_WITH_PEOPLE_OVERALL),
            *note_few_systems(study, as_tuple(level)),
            *skipped.notes_beside({row.metric for row in rows}),
        ),
    )


def _as_correlation(agreement: LabelAgreement) -> Correlation:
    """The agreement with labels in the form of a correlation over all summaries."""
    return stats.Correlation(
        value=agreement.value,
        level="pooled",
        coefficient=agreement.coefficient,
        used=agreement.positive + agreement.negative,
        undefined=0,
        missing=agreement.missing,
    )


def _index_folds(
    folds: int | str | Path | Sequence[Sequence[str]], names: Sequence[str], by: FoldAxis, seed: int
) -> list[list[int]]:
    """The folds as indices of names."""
    if isinstance(folds, int):
        return index_folds(draw_folds(names, folds, seed=seed), names)
    return index_folds(read_folds(folds, by) if isinstance(folds, str | Path) else folds, names)
