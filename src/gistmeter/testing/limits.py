"""Limits of scores: read from names and numbers, and compared with the scores of a summary."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from gistmeter.arguments import check_arguments
from gistmeter.errors import ArgumentError, MetricError
from gistmeter.example import Example
from gistmeter.metrics.registry import parse_metric
from gistmeter.scoring.inputs import as_run
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.metrics.metric import Column, Metric

Side = Literal["at least", "at most"]


@dataclass(frozen=True, slots=True)
class Limit:
    """What a score must be."""

    label: str
    """The metric as the user wrote it."""
    metric: Metric
    column: Column
    side: Side
    number: float

    @property
    def name(self) -> str:
        """The score, such as `rouge2.f1`."""
        return f"{self.label}.{self.column.name}"

    def holds(self, value: float) -> bool:
        """Whether a value is within the limit; a missing one is not."""
        return value >= self.number if self.side == "at least" else value <= self.number


@dataclass(frozen=True, slots=True)
class ScoredLimits:
    """A summary with its scores, and the limits on them."""

    example: Example
    limits: tuple[Limit, ...]
    values: dict[str, float]
    notes: tuple[str, ...]

    @property
    def failed(self) -> tuple[Limit, ...]:
        """The limits that do not hold."""
        return tuple(limit for limit in self.limits if not limit.holds(self.values[limit.name]))


@check_arguments
def read_limits(
    thresholds: Mapping[str, Any], at_least: Mapping[str, Any], at_most: Mapping[str, Any]
) -> tuple[Limit, ...]:
    """The limits that names and numbers stand for; `thresholds` have two underscores for the point of a score.

    >>> [(limit.name, limit.side) for limit in read_limits({"rouge2__recall": 0.3}, {}, {"js": 0.4})]
    [('rouge2.recall', 'at least'), ('js.divergence', 'at most')]
    """
    limits = [_read_limit(name.replace("__", "."), number, None) for name, number in thresholds.items()]
    limits += [_read_limit(name, number, "at least") for name, number in at_least.items()]
    limits += [_read_limit(name, number, "at most") for name, number in at_most.items()]
    if not limits:
        raise ArgumentError("no limit is given: name a score and what it must reach, such as rouge2=0.2")
    return tuple(limits)


@check_arguments
def score_limits(
    limits: tuple[Limit, ...],
    *,
    summary: str,
    document: str | None,
    documents: str | Sequence[str],
    references: str | Sequence[str],
    language: str,
) -> ScoredLimits:
    """The scores of a summary by all that the limits name."""
    example = Example(
        doc_id="test",
        system="summary",
        summary=summary,
        references=references,  # type: ignore[arg-type]  # a single text is made a tuple by Example
        document=document,
        documents=documents,  # type: ignore[arg-type]
        language=language,
    )
    run = as_run([example])
    scores = score_in_memory(run, {limit.label: limit.metric for limit in limits}, cache=False)
    (read,) = run.examples()
    values = {limit.name: scores.table[limit.name][0] for limit in limits}
    return ScoredLimits(
        example=read,
        limits=limits,
        values={name: math.nan if value is None else float(value) for name, value in values.items()},
        notes=scores.notes,
    )


def _read_limit(name: str, number: float, side: Side | None) -> Limit:
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise ArgumentError(f"the limit of {name} is a number, not {number!r}")
    label, metric, column = _find_column(name)
    if side is None and column.better == "lower":
        raise ArgumentError(f'lower values of {label}.{column.name} are better: write at_most={{"{name}": {number}}}')
    if side is None and column.better == "neither":
        raise ArgumentError(
            f"{label}.{column.name} is neither better when higher nor when lower: write "
            f'at_least={{"{name}": {number}}} or at_most={{"{name}": {number}}}'
        )
    return Limit(label=label, metric=metric, column=column, side=side or "at least", number=float(number))


def _find_column(name: str) -> tuple[str, Metric, Column]:
    """The metric and the column of a score's name; a metric alone stands for its main column."""
    label, dot, short = name.rpartition(".")
    if dot and short.isidentifier():
        try:
            metric = parse_metric(label)
        except MetricError:
            metric = parse_metric(name)  # a metric with a point in its name, or the error for what was written
            label, short = name, ""
    else:
        label, short, metric = name, "", parse_metric(name)
    columns = {column.name: column for column in metric.summary_columns}
    if not columns:
        raise MetricError(f"{label} scores whole systems: it has no score of one summary")
    if short and short not in columns:
        raise MetricError(f"{label} has no score {short!r} (it has {', '.join(columns)})")
    main = next((columns[own] for own in (metric.name, "f1") if own in columns), metric.summary_columns[0])
    return label, metric, columns[short] if short else main
