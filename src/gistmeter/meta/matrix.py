"""How do metrics relate to one another? Their correlations, or the correlation of each with two anchors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter import stats
from gistmeter.errors import ArgumentError
from gistmeter.meta.options import CorrelationOptions
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import AS_IS, note_columns
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.stats import Anchors, MetricMatrix
    from gistmeter.stats.tables import Coefficient, Level, Undefined


@dataclass(frozen=True, slots=True)
class MetricRelations(Result):
    """The correlation of every metric with every other."""

    matrix: MetricMatrix
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric, with a value for each other."""
        names, values = self.matrix.names, self.matrix.values
        return [
            {"metric": name, **{other: float(values[i, j]) for j, other in enumerate(names)}}
            for i, name in enumerate(names)
        ]


@dataclass(frozen=True, slots=True)
class AnchorRelations(Result):
    """The correlation of every metric with two anchors."""

    anchors: Anchors
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric: its correlation with either anchor, and how far they differ."""
        first, second = self.anchors.first, self.anchors.second
        return [
            {"metric": row.name, first: row.first, second: row.second, "difference": row.difference}
            for row in self.anchors.rows
        ]


def matrix(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    anchors: tuple[str, str] | Sequence[str] | None = None,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> MetricRelations | AnchorRelations:
    """Correlate metrics with one another, or with two anchors (Deutsch 2022, Fig. 12 and Table 5).

    A score of which lower is better has its sign turned, so that two scores that agree correlate positively.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        Which scores to relate, aspects among them if they are named; all metrics by default.
    anchors
        Two scores or aspects, such as `rouge1.recall` and `pyr_score`: each metric is correlated with these two only.
    level
        What is correlated: `system`, `summary`, `pooled` or `per-system`.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`.
    undefined
        What becomes of a correlation with a constant: `drop`, `zero` or `error`.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    MetricRelations or AnchorRelations
        The latter if there are anchors.

    Raises
    ------
    ArgumentError
        There are not two anchors, or an argument does not go with the others.
    DataError
        There is no such score, or there are fewer than two.

    Examples
    --------
    >>> from gistmeter.meta import Study
    >>> tables = {"a": [[1, 2], [3, 1], [5, 5]], "b": [[1, 3], [2, 1], [4, 4]], "rated": [[1, 1], [2, 2], [2, 3]]}
    >>> study = Study.from_tables(tables, aspects=["rated"])
    >>> matrix(study).to_frame()["b"].round(2).to_list()
    [0.94, 1.0]
    >>> matrix(study, metrics="a", anchors=("b", "rated")).to_frame().row(0, named=True)["metric"]
    'a'
    """
    if anchors is not None and len(anchors) != 2:
        raise ArgumentError(f"`anchors` are two scores, such as rouge1.recall and pyr_score, not {len(anchors)}")
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, units=units, lower=lower, higher=higher)
    chosen = dict.fromkeys((*study.choose_metrics(names), *map(study.resolve, anchors or ())))
    tables = {name: study.oriented(name) for name in chosen}
    notes = note_columns(study, chosen, undirected=AS_IS)
    options = CorrelationOptions(level=level, coefficient=coefficient, undefined=undefined)
    if anchors is None:
        return MetricRelations(stats.correlation_matrix(tables, **options.keywords()), notes)
    return AnchorRelations(stats.anchor_correlations(tables, *map(study.resolve, anchors), **options.keywords()), notes)
