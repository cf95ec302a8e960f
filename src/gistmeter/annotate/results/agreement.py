"""How far the raters of a study agree: by alpha of the kind that fits the answers, and one rater against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import DataError
from gistmeter.human.agreement import one_vs_rest
from gistmeter.human.alpha import krippendorff_alpha
from gistmeter.human.raters import standardise
from gistmeter.report.tables.numbers import format_number

if TYPE_CHECKING:
    from gistmeter.annotate.collection import Collected
    from gistmeter.annotate.tasks.task import Task
    from gistmeter.human.alpha import Measurement
    from gistmeter.judgments import Judgments


@dataclass(frozen=True, slots=True)
class StudyAgreement:
    """How far raters agree on an aspect."""

    aspect: str
    measurement: Measurement | Literal["F1"]
    """What differences between answers mean; `F1` where answers are texts, which are matched."""
    alpha: float
    """Krippendorff's; of texts the F1 of two raters."""
    rest: float
    """The mean correlation of one rater, drawn anew in each of 1,000 trials, with the mean of the others."""
    items: int
    """Items with two answers or more."""

    @property
    def is_f1(self) -> bool:
        """Whether `alpha` is the F1 of texts."""
        return self.measurement == "F1"

    def describe(self) -> str:
        """The agreement in a line.

        >>> StudyAgreement(aspect="focus", measurement="interval", alpha=0.5, rest=0.61, items=12).describe()
        'focus: alpha 0.50, one vs rest 0.61 (12 items)'
        """
        rest = "" if isnan(self.rest) else f", one vs rest {format_number(self.rest, 2)}"
        agreement = f"{'F1' if self.is_f1 else 'alpha'} {format_number(self.alpha, 2)}"
        return f"{self.aspect}: {agreement}{rest} ({self.items} items)"


def measure_agreement(collected: Collected, task: Task) -> tuple[StudyAgreement, ...]:
    """The agreement on each aspect; on the parts of judgments, all together, where the task has them.

    Values on a scale of 100 are compared after each rater's z-scores where aspects are one question, as in Koto, Lau
    and Baldwin (2021). Texts that raters wrote are matched, and the F1 of two raters is in the place of alpha.
    """
    matched = task.match_answers(collected.given)
    if matched is not None:
        row = StudyAgreement(
            aspect="what two raters wrote", measurement="F1", alpha=matched.f1, rest=nan, items=matched.items
        )
        return (row,)
    if collected.details is not None:
        # Kinds of marks are names, not numbers: one rater is compared with the rest by the share that each summary got.
        compared = collected.details if task.shows_parts else collected.judgments
        return tuple(_measure("single answers", collected.details, None, task.measurement, compared=compared))
    judgments = collected.judgments
    if task.across_aspects:
        judgments = standardise(judgments, across_aspects=True, within="task")
    rows = [*(_measure("all", judgments, None, task.measurement) if len(judgments.aspects) > 1 else [])]
    for aspect in judgments.aspects:
        rows += _measure(aspect, judgments, aspect, task.measurement)
    return tuple(rows)


def _measure(
    name: str,
    judgments: Judgments,
    aspect: str | None,
    measurement: Measurement,
    *,
    compared: Judgments | None = None,
) -> list[StudyAgreement]:
    """The agreement on one aspect, or nothing where too few items have two answers.

    `compared` is what one rater against the rest is measured on, where it is not the same.
    """
    try:
        alpha = krippendorff_alpha(judgments, aspects=aspect, measurement=measurement)
    except DataError:
        return []
    try:
        rest = one_vs_rest(compared or judgments, aspects=aspect).value
    except DataError:
        rest = nan
    row = StudyAgreement(aspect=name, measurement=measurement, alpha=alpha.value, rest=rest, items=alpha.items)
    return [row]
