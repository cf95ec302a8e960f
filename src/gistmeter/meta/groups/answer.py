"""Answers by groups: a row for each metric, a column for each group, their mean, and the mean rank of the metric."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter import stats
from gistmeter.meta.comparisons import AllPairsTest, PairTest
from gistmeter.meta.correlate import Correlations
from gistmeter.meta.interval import CorrelationIntervals
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.stats.tables import Coefficient, LabelCoefficient, Level

    _Key = tuple[str, str, Level, Coefficient | LabelCoefficient]


@dataclass(frozen=True, slots=True)
class GroupCell:
    """What an answer says of one metric in one group."""

    value: float
    low: float = nan
    high: float = nan
    best: bool = False
    """Whether it is the best of the metrics that were tested."""
    tied: bool = False
    """Whether the test does not tell it from the best."""


@dataclass(frozen=True, slots=True)
class GroupRow:
    """What answers say of one metric, group by group."""

    metric: str
    aspect: str
    level: Level
    coefficient: Coefficient | LabelCoefficient
    cells: tuple[GroupCell | None, ...]
    """In the order of the groups; None where the group has no answer."""
    rank: float
    """Of the metric among the metrics, 1 being the best, averaged over the groups; NaN for what is not a metric."""

    @property
    def values(self) -> list[float]:
        """The value in each group, NaN where there is none."""
        return [nan if cell is None else cell.value for cell in self.cells]

    @property
    def mean(self) -> float:
        """The mean over the groups that have a value."""
        defined = [value for value in self.values if not np.isnan(value)]
        return float(np.mean(defined)) if defined else nan


@dataclass(frozen=True, slots=True)
class GroupSize:
    """How many systems and documents a group has."""

    group: str
    systems: int
    documents: int


@dataclass(frozen=True, slots=True)
class GroupedAnswer(Result):
    """The answers to one question in each of several groups."""

    fields: tuple[str, ...]
    """What the groups are by."""
    aspects: tuple[str, ...]
    """The judgments that metrics were compared with."""
    sizes: tuple[GroupSize, ...]
    rows: tuple[GroupRow, ...]
    answers: Mapping[str, Result]
    """The answer of each group that has one."""
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        """The names of the groups, as columns of a table that has others beside them."""
        other_columns = {"metric", "human", "level", "coefficient", "mean", "rank"}
        field = " ".join(self.fields)
        return [f"{field} {size.group}" if size.group in other_columns else size.group for size in self.sizes]

    def records(self) -> list[dict[str, Any]]:
        """A row for each metric, aspect, level and coefficient: a column for each group, their mean, the mean rank."""
        return [
            {
                "metric": row.metric,
                "human": row.aspect,
                "level": row.level,
                "coefficient": row.coefficient,
                **dict(zip(self.columns, row.values, strict=True)),
                "mean": row.mean,
                "rank": row.rank,
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """What the groups are by, their sizes, and the whole answer of each."""
        return {
            "group": list(self.fields),
            "human": list(self.aspects),
            "groups": [
                {
                    "group": size.group,
                    "systems": size.systems,
                    "documents": size.documents,
                    "answer": self.answers[size.group].to_dict() if size.group in self.answers else None,
                }
                for size in self.sizes
            ],
        }


@dataclass(frozen=True, slots=True)
class _Finding:
    """One number of an answer, and what it is of."""

    metric: str
    aspect: str
    level: Level
    coefficient: Coefficient | LabelCoefficient
    cell: GroupCell
    ranked: bool = True


def collect_rows(answers: Mapping[str, Result], groups: Sequence[str]) -> tuple[GroupRow, ...]:
    """The rows of all answers, each with its cells in the order of the groups; metrics are ranked among each other."""
    findings_by_group = {group: {_key(item): item for item in findings(answer)} for group, answer in answers.items()}
    first = {key: item for by_key in findings_by_group.values() for key, item in reversed(by_key.items())}
    order = dict.fromkeys(key for by_key in findings_by_group.values() for key in by_key)
    cells = {
        key: tuple(finding.cell if (finding := findings_by_group.get(group, {}).get(key)) else None for group in groups)
        for key in order
    }
    rank_of_key: dict[_Key, float] = {}
    for kind in dict.fromkeys(key[1:] for key in order):
        keys = [key for key in order if key[1:] == kind and first[key].ranked]
        values = [[nan if cell is None else cell.value for cell in cells[key]] for key in keys]
        if keys:
            rank_of_key |= dict(zip(keys, stats.average_ranks(values).tolist(), strict=True))
    return tuple(GroupRow(*key, cells=cells[key], rank=rank_of_key.get(key, nan)) for key in order)


def _key(item: _Finding) -> _Key:
    return item.metric, item.aspect, item.level, item.coefficient


@singledispatch
def findings(answer: Result) -> list[_Finding]:
    """The numbers of an answer that are set side by side for several groups."""
    raise NotImplementedError(f"{type(answer).__name__} has no table by groups")


@findings.register
def _(answer: Correlations) -> list[_Finding]:
    return [
        _Finding(
            metric=row.metric,
            aspect=row.aspect,
            level=row.correlation.level,
            coefficient=row.correlation.coefficient,
            cell=GroupCell(row.correlation.value),
        )
        for row in answer.rows
    ]


@findings.register
def _(answer: CorrelationIntervals) -> list[_Finding]:
    return [
        _Finding(
            metric=row.metric,
            aspect=answer.aspect,
            level=row.level,
            coefficient=row.interval.coefficient,
            cell=GroupCell(row.interval.value, low=row.interval.low, high=row.interval.high),
        )
        for row in answer.rows
    ]


@findings.register
def _(answer: PairTest) -> list[_Finding]:
    test = answer.test
    values = {answer.x: test.of_x, answer.y: test.of_y, "difference": test.statistic, "p": test.pvalue}
    return [
        _Finding(
            metric=name,
            aspect=answer.aspect,
            level=test.level,
            coefficient=test.coefficient,
            cell=GroupCell(value),
            ranked=name in (answer.x, answer.y),
        )
        for name, value in values.items()
    ]


@findings.register
def _(answer: AllPairsTest) -> list[_Finding]:
    names, values = answer.comparison.names, answer.comparison.values
    best = answer.order[0]
    return [
        _Finding(
            metric=names[index],
            aspect=answer.aspect,
            level=answer.level,
            coefficient=answer.coefficient,
            cell=GroupCell(
                float(values[index]),
                best=index == best,
                tied=index != best and answer.verdict(best, index) != "significant, corrected",
            ),
        )
        for index in range(len(names))
    ]
