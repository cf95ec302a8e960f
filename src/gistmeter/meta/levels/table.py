"""Which metrics agree best with people, at each level and by each coefficient? The main table of a paper on metrics."""

from __future__ import annotations

from math import isclose, isnan, nan
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError
from gistmeter.meta.comparisons import PairTest
from gistmeter.meta.correlate import correlate
from gistmeter.meta.groups.by_group import merge_notes
from gistmeter.meta.levels.answer import CorrelationTable, TableColumn
from gistmeter.meta.levels.details import CellPvalues, compare_with, measure_bounds
from gistmeter.meta.options import as_tuple, combine_options
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import LEFT_OUT, choose_ranked, note_columns, note_few_systems
from gistmeter.meta.test import test
from gistmeter.stats.comparison import SYSTEMS_PVALUES, Correction, describe_few_ways
from gistmeter.stats.resampling.samples import SwapMethod
from gistmeter.stats.tables import check_choice, check_share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gistmeter.meta.comparisons import AllPairsTest
    from gistmeter.meta.levels.details import Bounds
    from gistmeter.meta.options import CorrelationOptions
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.meta.study import Study
    from gistmeter.stats.tables import Coefficient, Level, Undefined


def table(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    level: Level | Sequence[Level] = ("system", "summary"),
    coefficient: Coefficient | Sequence[Coefficient] = ("pearson", "spearman", "kendall"),
    method: SwapMethod = "scaled-systems",
    correction: Correction = "bonferroni-metric",
    permutations: int = 1000,
    alpha: float = 0.05,
    baseline: str | None = None,
    intervals: bool | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> CorrelationTable:
    """Correlate metrics with people at all levels and by all coefficients, and say which are the best of each column.

    This is the table of Deutsch (2022, Tables 10 and 11). The values are those of `correlate`. Metrics that `test`,
    asked about the same metrics, level and coefficient, does not tell from the best are tied with it; where there are
    too few systems for any p-value to be significant, all are, and a note says so. A score of which neither high nor
    low is better (`length.words`) is left out, unless `lower` or `higher` names it.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        The metrics to compare, at least two; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    level
        What is correlated: `system`, `summary`, `pooled` or `per-system`, or several of these.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`, or several of these.
    method
        What the test swaps: `scaled-systems`, `systems`, `documents`, `both` or `crossed`, as for `test`.
    correction, permutations, alpha, undefined, seed, workers, lower, higher
        As for `test`.
    baseline
        A metric that each of the others is tested against, two-sided: `rouge1`, or `rouge1.f1`.
    intervals
        Whether each correlation gets a confidence interval; by default if there is a `baseline`.
    resamples, confidence
        Of the intervals, which resample both systems and documents, as for `interval`.
    units
        For a run, files of content units.

    Returns
    -------
    CorrelationTable
        A row for each metric, a column for each level and coefficient; with a baseline or intervals, a row for each
        metric, level and coefficient.

    Raises
    ------
    ArgumentError
        There are fewer than two metrics, a metric that was named has no direction, or an argument is missing.
    DataError
        There is no such score or judgment, or too little data.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(12, 30))
    >>> tables = {f"noise {n}": people + n * rng.normal(size=(12, 30)) for n in (1, 2, 8)}
    >>> study = meta.Study.from_tables({**tables, "rated": people}, aspects=["rated"])
    >>> answer = meta.table(study, coefficient="pearson")
    >>> answer.to_frame().columns
    ['metric', 'system pearson', 'summary pearson']
    >>> [(column.best, column.tied) for column in answer.columns]
    [(('noise 1',), ('noise 2', 'noise 8')), (('noise 1',), ())]
    >>> against = meta.table(study, level="summary", coefficient="pearson", baseline="noise 8", permutations=100)
    >>> against.to_frame().columns
    ['metric', 'level', 'coefficient', 'value', 'low', 'high', 'p', 'corrected p']
    """
    check_share("alpha", alpha)
    levels, coefficients = tuple(dict.fromkeys(as_tuple(level))), tuple(dict.fromkeys(as_tuple(coefficient)))
    check_choice("method", method, SwapMethod)
    check_choice("correction", correction, Correction)
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    chosen = study.choose_aspect(aspect)
    ranked = tuple(dict.fromkeys(choose_ranked(study, chosen, names)))
    if len(ranked) < 2:
        raise ArgumentError(
            f"a table compares at least two metrics, but there is {ranked[0]} only: name more (`metrics`)"
        )
    compared_with = None if baseline is None else _choose_baseline(study, baseline, ranked)
    correlations = correlate(
        study, metrics=ranked, aspect=chosen, level=levels, coefficient=coefficients, undefined=undefined
    )
    shown = tuple(dict.fromkeys(row.metric for row in correlations.rows))

    def compare(options: CorrelationOptions, names: Sequence[str]) -> tuple[PairTest | AllPairsTest | None, list[str]]:
        """The test of all metrics at one level by one coefficient, if there can be one, and what to note about it."""
        if len(names) < 2:
            return None, ["nothing is tested: fewer than two metrics have a correlation"]
        few = describe_few_ways(study.oriented(chosen), method, len(names), correction=correction, alpha=alpha)
        if few and len(names) > 2:
            return None, [f"{few}: all are marked as tied with the best"]
        try:
            tested = test(
                study,
                metrics=names,
                aspect=chosen,
                level=options.level,
                coefficient=options.coefficient,
                method=method,
                correction=correction,
                permutations=permutations,
                alpha=alpha,
                undefined=undefined,
                seed=seed,
                workers=workers,
            )
        except DataError as error:
            return None, [f"nothing is tested: {error}"]
        others = {*note_columns(study, (*names, chosen)), *note_few_systems(study, (options.level,))}
        return tested, [note.removesuffix(SYSTEMS_PVALUES) for note in tested.notes if note not in others]

    with_intervals = baseline is not None if intervals is None else intervals
    bounds: Bounds = {}
    if with_intervals:
        bounds = measure_bounds(
            study,
            shown,
            chosen,
            levels=levels,
            coefficients=coefficients,
            undefined=undefined,
            resamples=resamples,
            confidence=confidence,
            seed=seed,
            workers=workers,
        )

    def find_ends(options: CorrelationOptions) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The lower and the upper ends of the intervals of a column."""
        ends = [bounds.get((metric, options.level, options.coefficient), (nan, nan)) for metric in shown]
        return tuple(low for low, _ in ends), tuple(high for _, high in ends)

    columns: list[TableColumn] = []
    notes_by_column: dict[str, list[str]] = {}
    for options in combine_options(levels, coefficients, undefined):
        values = {
            row.metric: row.correlation.value
            for row in correlations.rows
            if (row.correlation.level, row.correlation.coefficient) == (options.level, options.coefficient)
            and not isnan(row.correlation.value)
        }
        tested, column_notes = compare(options, tuple(values))
        best, tied = _mark_best(values, tested)
        lows, highs = find_ends(options) if with_intervals else ((), ())
        against = CellPvalues((), ())
        if compared_with is not None:
            against = compare_with(
                study,
                compared_with,
                values,
                shown,
                chosen,
                options,
                method=method,
                permutations=permutations,
                alpha=alpha,
                seed=seed,
                workers=workers,
            )
        column = TableColumn(
            level=options.level,
            coefficient=options.coefficient,
            values=tuple(values.get(metric, nan) for metric in shown),
            best=best,
            tied=tied,
            test=tested,
            lows=lows,
            highs=highs,
            pvalues=against.pvalues,
            corrected_pvalues=against.corrected,
        )
        columns.append(column)
        notes_by_column[column.name] = [*column_notes, *against.notes]
    undirected = [name for name in study.choose_metrics(names) if name not in ranked]
    return CorrelationTable(
        aspect=chosen,
        metrics=shown,
        columns=tuple(columns),
        systems=len(study.systems),
        documents=len(study.documents),
        method=method,
        correction=correction,
        permutations=permutations,
        alpha=alpha,
        seed=seed,
        baseline=compared_with,
        confidence=confidence if with_intervals else None,
        resamples=resamples if with_intervals else None,
        notes=(
            *note_columns(study, undirected, undirected=LEFT_OUT),
            *correlations.notes,
            *merge_notes(notes_by_column),
        ),
    )


def _choose_baseline(study: Study, name: str, ranked: Sequence[str]) -> str:
    """The metric that others are tested against, which is one of the table."""
    baseline = study.resolve(name)
    if baseline not in ranked:
        raise ArgumentError(f"`baseline`: {baseline} is not among the metrics of the table ({', '.join(ranked)})")
    return baseline


def _mark_best(
    values: Mapping[str, float], tested: PairTest | AllPairsTest | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The metrics of the highest value, and the others that a test does not tell from them: all, if there is none."""
    if len(values) < 2:
        return (), ()
    highest = max(values.values())
    best = tuple(name for name, value in values.items() if isclose(value, highest, abs_tol=1e-9))
    worse: set[str] = set()
    if isinstance(tested, PairTest):
        worse = set(values) if tested.pvalue <= tested.alpha else set()
    elif tested is not None:
        worse = set(tested.beaten_by(tested.order[0]))
    return best, tuple(name for name in values if name not in worse and name not in best)
