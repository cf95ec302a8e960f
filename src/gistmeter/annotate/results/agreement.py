"""How far the raters of a study agree: by alpha of the kind that fits the answers, and one rater against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.human.agreement import one_vs_rest
from gistmeter.human.alpha import krippendorff_alpha
from gistmeter.human.raters import standardise

if TYPE_CHECKING:
    from gistmeter.annotate.collection import Collected
    from gistmeter.annotate.tasks.task import Task
    from gistmeter.human.alpha import Measurement
    from gistmeter.judgments import Judgments


@dataclass(frozen=True, slots=True)
class StudyAgreement:
    """How far raters agree on an aspect."""

    aspect: str
    measurement: Measurement
    alpha: float
    rest: float
    """The mean correlation of one rater, drawn anew in each of 1,000 trials, with the mean of the others."""
    items: int
    """Items with two answers or more."""


def measure_agreement(collected: Collected, task: Task) -> tuple[StudyAgreement, ...]:
    """The agreement on each aspect; on the parts of judgments, all together, where the task has them.

    Values on a scale of 100 are compared after each rater's z-scores where aspects are one question, as in Koto, Lau
    and Baldwin (2021).
    """
    if collected.details is not None:
        return tuple(_measure("single answers", collected.details, None, task.measurement))
    judgments = collected.judgments
    if task.across_aspects:
        judgments = standardise(judgments, across_aspects=True, within="task")
    rows = [*(_measure("all", judgments, None, task.measurement) if len(judgments.aspects) > 1 else [])]
    for aspect in judgments.aspects:
        rows += _measure(aspect, judgments, aspect, task.measurement)
    return tuple(rows)


def _measure(name: str, judgments: Judgments, aspect: str | None, measurement: Measurement) -> list[StudyAgreement]:
    """The agreement on one aspect, or nothing where too few items have two answers."""
    try:
        alpha = krippendorff_alpha(judgments, aspects=aspect, measurement=measurement)
    except DataError:
        return []
    try:
        rest = one_vs_rest(judgments, aspects=aspect).value
    except DataError:
        rest = nan
    row = StudyAgreement(aspect=name, measurement=measurement, alpha=alpha.value, rest=rest, items=alpha.items)
    return [row]
