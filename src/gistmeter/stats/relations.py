"""How metrics relate to one another: which say the same, and which side with what they should measure.

Metrics come as a mapping from their names to their tables, all of the same systems x documents.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.stats.correlation import correlate
from gistmeter.stats.tables import Coefficient, Level, Undefined, check_choice, format_size, score_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.stats.correlation import Correlation

    Tables: TypeAlias = Mapping[str, FloatArray]


@dataclass(frozen=True, slots=True, eq=False)
class MetricMatrix:
    """The correlations of metrics with one another (Deutsch 2022, Fig. 12), rows and columns as `names`."""

    names: tuple[str, ...]
    values: FloatArray
    """1 on the diagonal; NaN where a correlation is undefined."""
    used: IntArray
    """What each correlation rests on: documents (summary), systems (system, per-system) or cells (pooled)."""
    level: Level
    coefficient: Coefficient

    def value(self, first: str, second: str) -> float:
        """The correlation of two metrics."""
        return float(self.values[_metric_index(first, self.names), _metric_index(second, self.names)])


@dataclass(frozen=True, slots=True)
class AnchoredMetric:
    """One metric's correlations with two anchors; `difference` is the first less the second."""

    name: str
    first: float
    second: float
    difference: float


@dataclass(frozen=True, slots=True)
class Anchors:
    """Every metric's correlation with two anchors (Deutsch 2022, Table 5)."""

    first: str
    second: str
    between: float
    """The correlation of the anchors with one another."""
    rows: tuple[AnchoredMetric, ...]
    level: Level
    coefficient: Coefficient


def correlation_matrix(
    metrics: Mapping[str, ArrayLike],
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
) -> MetricMatrix:
    """Correlate every metric with every other; a pair is compared on the cells that both have.

    Parameters
    ----------
    metrics : mapping of str to array_like
        The table of each metric, all of the same systems x documents.
    level, coefficient, undefined
        Which correlation is taken, as in `correlate`. Unless `undefined` is "error", an undefined one is NaN.

    Returns
    -------
    MetricMatrix

    Raises
    ------
    ArgumentError
        There are fewer than two metrics, or a choice does not exist.
    DataError
        The tables have different shapes, or with `undefined="error"` a correlation is undefined.

    Examples
    --------
    >>> tables = {"a": [[1, 2], [3, 1], [5, 5]], "b": [[1, 3], [2, 1], [4, 4]], "c": [[9, 7], [5, 8], [1, 5]]}
    >>> matrix = correlation_matrix(tables)
    >>> matrix.values.round(2)
    array([[ 1.  ,  0.94, -1.  ],
           [ 0.94,  1.  , -0.96],
           [-1.  , -0.96,  1.  ]])
    >>> round(matrix.value("b", "c"), 2)
    -0.96
    """
    tables = _align_tables(metrics, level, coefficient, undefined)
    names = tuple(tables)
    values = np.full((len(names), len(names)), np.nan)
    used = np.zeros((len(names), len(names)), dtype=np.int64)
    for i, name in enumerate(names):
        with_itself = _correlation(tables, name, name, level, coefficient, "drop")
        values[i, i], used[i, i] = (1.0, with_itself.used) if with_itself else (np.nan, 0)
    for i, j in combinations(range(len(names)), 2):
        correlation = _correlation(tables, names[i], names[j], level, coefficient, undefined)
        if correlation:
            values[i, j] = values[j, i] = correlation.value
            used[i, j] = used[j, i] = correlation.used
    return MetricMatrix(names=names, values=values, used=used, level=level, coefficient=coefficient)


def anchor_correlations(
    metrics: Mapping[str, ArrayLike],
    first: str,
    second: str,
    *,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
) -> Anchors:
    """Correlate every metric with two of them, such as ROUGE-1 and the Pyramid score, the anchors.

    A metric much closer to ROUGE-1 than to the Pyramid score measures what ROUGE-1 does rather than shared
    information (Deutsch 2022, section 3.6).

    Parameters
    ----------
    metrics : mapping of str to array_like
        The tables of all metrics, the anchors among them, by name.
    first, second : str
        The names of the two anchors.
    level, coefficient, undefined
        As in `correlation_matrix`.

    Returns
    -------
    Anchors
        A row for each metric that is not an anchor.

    Raises
    ------
    ArgumentError
        An anchor is not among the metrics, both are the same, or a choice does not exist.
    DataError
        The tables have different shapes, or with `undefined="error"` a correlation is undefined.

    Examples
    --------
    >>> tables = {"a": [[1, 2], [3, 1], [5, 5]], "b": [[1, 3], [2, 1], [4, 4]], "c": [[1, 1], [2, 2], [2, 3]]}
    >>> anchors = anchor_correlations(tables, "a", "b")
    >>> [(row.name, round(row.first, 2), round(row.second, 2), round(row.difference, 2)) for row in anchors.rows]
    [('c', 0.79, 0.54, 0.25)]
    """
    tables = _align_tables(metrics, level, coefficient, undefined)
    for anchor in (first, second):
        _metric_index(anchor, tuple(tables))
    if first == second:
        raise ArgumentError(f"the anchors must be two metrics, not {first!r} twice")

    def value(name: str, anchor: str) -> float:
        correlation = _correlation(tables, name, anchor, level, coefficient, undefined)
        return correlation.value if correlation else float("nan")

    rows = []
    for name in tables:
        if name not in (first, second):
            with_first, with_second = value(name, first), value(name, second)
            rows.append(
                AnchoredMetric(name=name, first=with_first, second=with_second, difference=with_first - with_second)
            )
    return Anchors(
        first=first, second=second, between=value(first, second), rows=tuple(rows), level=level, coefficient=coefficient
    )


def _align_tables(
    metrics: Mapping[str, ArrayLike], level: Level, coefficient: Coefficient, undefined: Undefined
) -> Tables:
    """The metrics' tables, at least two and all of one shape."""
    check_choice("level", level, Level)
    check_choice("coefficient", coefficient, Coefficient)
    check_choice("undefined", undefined, Undefined)
    if len(metrics) < 2:
        raise ArgumentError(f"relating metrics needs at least 2 of them, not {len(metrics)}")
    tables = {name: score_table(table) for name, table in metrics.items()}
    sizes = {name: format_size(table) for name, table in tables.items()}
    first, size = next(iter(sizes.items()))
    for name, other in sizes.items():
        if other != size:
            raise DataError(
                f"metrics to relate must be of the same summaries, but {first} is {size} and {name} {other}"
            )
    return tables


def _correlation(
    tables: Tables, first: str, second: str, level: Level, coefficient: Coefficient, undefined: Undefined
) -> Correlation | None:
    """The correlation of two metrics; None if there is none, as with a metric that is constant throughout."""
    try:
        return correlate(tables[first], tables[second], level=level, coefficient=coefficient, undefined=undefined)
    except DataError as error:
        if undefined == "error":
            raise DataError(f"{first} with {second}: {error}") from error
        return None


def _metric_index(name: str, names: tuple[str, ...]) -> int:
    if name not in names:
        raise ArgumentError(f"there is no metric {name!r}{suggestion(name, names)} (there is {', '.join(names)})")
    return names.index(name)
