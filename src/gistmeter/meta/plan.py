"""How much must be judged? Numbers of documents, systems or raters, from a pilot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError
from gistmeter.judgments import MEAN_RATER, Judgments
from gistmeter.meta.options import CorrelationOptions
from gistmeter.meta.sources import name_list, read_judgments, study_of
from gistmeter.meta.study import Study
from gistmeter.meta.study.directions import choose_ranked, note_columns
from gistmeter.result import Result

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray
    from gistmeter.meta.options import Progress
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.stats import Plan
    from gistmeter.stats.planning.studies.simulated_studies import PlannedAlternative
    from gistmeter.stats.resampling.samples import Resampling, SwapMethod
    from gistmeter.stats.tables import Coefficient, Level

PlannedUnit = Literal["documents", "systems"]
"""What more of is planned."""


@dataclass(frozen=True, slots=True)
class StudyPlan(Result):
    """How many documents, systems or raters a study needs."""

    plan: Plan
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """One row: the goal, how many are needed, and what endlessly many would give."""
        return [
            {
                "goal": f"{self.plan.goal} {self.plan.target:g}",
                "unit": self.plan.unit,
                "needed": self.plan.needed,
                "low": self.plan.low,
                "high": self.plan.high,
                "pilot": self.plan.pilot,
                "limit": self.plan.limit,
            }
        ]

    def details(self) -> dict[str, Any]:
        """The curve behind the plan: what the pilot gives at each size, and what was fitted."""
        points = self.plan.curve
        return {"curve": [{"size": point.size, "value": point.value, "fitted": point.fitted} for point in points]}


def plan(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    width: float | None = None,
    difference: float | None = None,
    reliability: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: PlannedAlternative = "two-sided",
    swapping: SwapMethod = "scaled-systems",
    unit: PlannedUnit = "documents",
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: Resampling = "both",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> StudyPlan:
    """How many documents, systems or raters are needed, from a pilot: give `width`, `difference` or `reliability`.

    With two metrics and no `difference`, the difference that the pilot shows between them is the one to find.

    Parameters
    ----------
    scores, judgments
        The pilot: a `Study`; or scores and judgments, in memory or as files (see `open_study`). For `reliability` the
        judgments alone are enough, as either.
    metrics
        The score to plan for; two for a test of their difference. Not needed for `reliability`.
    aspect
        The judgment to compare with; by default the only one there is. Needed for `reliability`.
    width
        Goal: an interval of the correlation of this width.
    difference
        Goal: a test that finds a difference of this size in correlation.
    reliability
        Goal: raters whose means correlate this well with those of as many others.
    power
        How often a difference must be found.
    alpha
        The level of significance of the test that finds it.
    alternative
        Whether the test is `two-sided`, as in `test` by default, or asks if the first metric is better (`greater`).
    swapping
        What the permutation test will swap: the `method` of `test`.
    unit
        What more of is planned: `documents` or `systems`. For `reliability` it is raters.
    level
        What is correlated: `system`, `summary`, `pooled` or `per-system`.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`.
    method
        What interval and test take as drawn at random: `systems`, `documents` or `both`.
    seed
        Says which resamples are drawn.
    workers
        How many threads; the result is the same for any number.
    progress
        Called with how many resampled pilots are done, and how many there are.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    StudyPlan
        How many are needed, with an interval, and the curve behind it.

    Raises
    ------
    ArgumentError
        There is no goal, or the metric or the aspect to plan for is missing.
    DataError
        There is no such score or judgment, or the pilot is too small.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(12, 40))
    >>> study = meta.Study.from_tables({"good": people + rng.normal(size=(12, 40)), "rated": people}, aspects=["rated"])
    >>> meta.plan(study, metrics="good", width=0.1, method="documents").plan.needed
    44
    """
    how = _PlanKeywords(
        level=level, coefficient=coefficient, method=method, seed=seed, workers=workers, progress=progress
    )
    if reliability is not None:
        if aspect is None:
            raise ArgumentError("say which judgment's raters to plan for with `aspect`")
        return StudyPlan(stats.plan_raters(_read_ratings(scores, judgments, aspect), reliability=reliability, **how))
    names = name_list(metrics)
    if not names:
        raise ArgumentError("say which score to plan for with `metrics`")
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    names = study.choose_metrics(names)
    chosen = study.choose_aspect(aspect)
    if len(names) > 1:
        choose_ranked(study, chosen, names)
    x = study.oriented_toward(names[0], chosen, CorrelationOptions(level=level, coefficient=coefficient))
    y = study.oriented(names[1]) if len(names) > 1 else None
    z = study.oriented(chosen)
    notes = note_columns(study, (*names, chosen))
    if y is not None and difference is None and alternative == "two-sided":
        options = CorrelationOptions(level=level, coefficient=coefficient)
        of_x, of_y = (stats.correlate(table, z, **options.keywords()).value for table in (x, y))
        if of_x < of_y:  # whether metrics differ does not depend on which is named first
            x, y = y, x
    if width is not None:
        return StudyPlan(stats.plan_width(x, z, width=width, unit=unit, **how), notes)
    if difference is None and y is None:
        raise ArgumentError("say what to plan for: `width`, `difference` (or two metrics), or `reliability`")
    planned = stats.plan_power(
        x,
        z,
        y=y,
        difference=difference,
        power=power,
        alpha=alpha,
        alternative=alternative,
        swapping=swapping,
        unit=unit,
        **how,
    )
    return StudyPlan(planned, notes)


class _PlanKeywords(TypedDict):
    """What all plans of `gistmeter.stats` take."""

    level: Level
    coefficient: Coefficient
    method: Resampling
    seed: int
    workers: int
    progress: Progress | None


def _read_ratings(scores: ScoreSource, judgments: JudgmentSource, aspect: str) -> FloatArray:
    """One aspect's single ratings as systems x documents x raters, NaN where a rater did not rate."""
    source = judgments
    if source is None and isinstance(scores, str | Path):
        source = scores
    elif source is None and isinstance(scores, Sequence):
        source = scores[-1]
    elif source is None and isinstance(scores, Study):
        source = scores.judgments
    if source is None:
        raise ArgumentError("say where the judgments of single raters are with `judgments`")
    label = "the table of judgments" if isinstance(source, Judgments) else str(source)
    table = read_judgments(source).table
    rows = table.filter((table["aspect"] == aspect) & (table["rater"] != MEAN_RATER))
    if rows.is_empty():
        raise DataError(f"{label} has no single raters' values of {aspect!r} (only averages, or none)")
    axes = [
        {name: index for index, name in enumerate(rows[column].unique(maintain_order=True))}
        for column in ("system", "doc_id", "rater")
    ]
    ratings = np.full([len(axis) for axis in axes], np.nan)
    for *names, value in rows.select("system", "doc_id", "rater", "value").iter_rows():
        ratings[tuple(axis[name] for axis, name in zip(axes, names, strict=True))] = value
    return ratings
