"""Lite2Pyramid: content units that people wrote, found in summaries by a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.metrics.metric import Need
from gistmeter.metrics.pyramid.metric import JudgedUnitsMetric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.example import Example, Unit


@dataclass(frozen=True, slots=True)
class Lite2Pyramid(JudgedUnitsMetric):
    """How much of what people noted of the references the summary states, judged by a model.

    The units of a document are written once, by people; a model judges for each summary which of them it states, and
    the score is the mean over units, by their weights (section 3.1). `model=embedded` is gistmeter's own judge, which
    learned from people's labels on news summaries; `embedded-nli` is its entailment model, which did not; any other
    is the name or folder of an entailment model with three classes, or a file that `gistmeter train presence` or
    `gistmeter train entailment` wrote.
    `value` says what counts: p3c and l3c, the probability and the label of entailment among three classes; p2c and
    l2c, the same of two, the other classes' logits being added. `auto` is p2c for a model that learned from labels of
    presence and l3c for others. `labels` names the outputs of a model whose configuration does not, in their order:
    `labels=contradiction/neutral/entailment`.

    An empty summary has 0. A document whose units all weigh nothing has no score (NaN).
    """

    name = "lite2pyramid"
    needs = frozenset[Need]({"units"})

    def collect_units(self, examples: Sequence[Example]) -> list[tuple[Unit, ...]]:
        """The units that the examples carry."""
        return [example.units for example in examples]
