"""Pyramid: the weight of the content units that a summary has, by the most it could have."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.pyramid.evidence import UNJUDGED, explain_labels
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example, Unit


@dataclass(frozen=True, slots=True)
class Pyramid(Metric):
    """The weight of the content units that people found in the summary, divided by that of the best possible summary.

    The weight of a unit is the number of references that state it. The default is the modified score, which DUC and TAC
    report (Passonneau, 2010). Zhang and Bansal (2021), eq. 1, print the original score, whose best summary has as many
    units as were found in this summary (`normalise=original` on units of the references alone); the scores of TAC that
    they correlate with are modified ones. The modified score rewards a summary for the number of its units and the
    original one does not: with one heavy unit present, the original score is 1.

    With `normalise=modified` the best possible summary has as many units as a reference has on average, rounded up; a
    summary with more units can score above 1. With `normalise=original` it has as many units as this summary. That
    requires all units of the summary: those that no reference states have weight 0. A summary without any unit scores
    0.

    Missing (NaN) when a unit of a reference was not judged, or when no unit has a weight.

    >>> from gistmeter.example import Example, Unit
    >>> units = (Unit("a", 2, present=True), Unit("b", 2, present=False), Unit("c", 1, present=True))
    >>> example = Example(doc_id="d", system="s", summary="x", references=("r", "t"), units=units)
    >>> Pyramid().score([example]), Pyramid(normalise="original").score([example])
    (array([[0.6]]), array([[0.75]]))
    """

    normalise: Literal["modified", "original"] = "modified"

    name = "pyramid"
    paper = "Nenkova and Passonneau (2004), Evaluating Content Selection in Summarization: The Pyramid Method"
    columns = (Column("score", "weight of the units found, by that of the best possible summary"),)
    cheap: ClassVar[bool] = True
    missing: ClassVar[str] = UNJUDGED

    def __post_init__(self) -> None:
        check_choices(self)

    @property
    def needs(self) -> frozenset[Need]:
        """Units; and, to know how many of them a reference has, the references."""
        return frozenset({"units"} if self.normalise == "original" else {"units", "references"})

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The score of each summary."""
        return np.array([self._score_summary(example) for example in examples], dtype=float).reshape(-1, 1)

    def explain(self, example: Example) -> Evidence:
        """The units with their weights, heaviest first."""
        units = sorted(example.units, key=lambda unit: -unit.weight)
        present = [unit.weight for unit in units if unit.present]
        size = self._count_best_units(example)
        best = _weigh_heaviest(units, size)
        headline = (
            f"{format_count(len(present), 'unit')} present, weight {sum(present):g}; "
            f"the best summary with {format_count(size, 'unit')} has weight {best:g}"
        )
        return explain_labels(self.spelling, headline, example, units)

    def _score_summary(self, example: Example) -> float:
        if any(unit.present is None and unit.weight for unit in example.units):
            return math.nan
        if not any(unit.weight for unit in example.units):
            return math.nan
        best = _weigh_heaviest(example.units, self._count_best_units(example))
        return sum(unit.weight for unit in example.units if unit.present) / best if best else 0.0

    def _count_best_units(self, example: Example) -> int:
        """How many units the best summary has."""
        if self.normalise == "original":
            return sum(unit.present is True for unit in example.units)
        references = len(example.references)
        heaviest = max(unit.weight for unit in example.units)
        if heaviest > references:
            raise DataError(
                f"{example.name} has a unit of weight {heaviest:g} but {references} references: a unit weighs as much "
                "as there are references that state it; give all references, or take pyramid(normalise=original)"
            )
        # The units of all references together are as many as their weights add up to.
        return math.ceil(sum(unit.weight for unit in example.units) / references - 1e-9)


def _weigh_heaviest(units: Sequence[Unit], size: int) -> float:
    return sum(sorted((unit.weight for unit in units), reverse=True)[:size])
