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

    People write the units of a document once. A model judges, for each summary, which of them it states, and the score
    is the weighted mean over the units (section 3.1). `model=embedded` is gistmeter's own judge, trained on people's
    labels of news summaries; `embedded-nli` is its entailment model, which was not. Any other `model` is the name or
    folder of an entailment model with three classes, or a file written by `gistmeter train presence` or `gistmeter
    train entailment`.

    `value` says which output counts: p3c and l3c are the probability and the label of entailment among three classes;
    p2c and l2c those among two, the logits of the other two classes added. `auto` is p2c for a model trained on labels
    of presence and l3c for others. `labels` names the outputs of a model whose configuration does not, in their order:
    `labels=contradiction/neutral/entailment`.

    An empty summary scores 0. The score is missing (NaN) when all units of a document have weight 0.
    """

    name = "lite2pyramid"
    needs = frozenset[Need]({"units"})

    def collect_units(self, examples: Sequence[Example]) -> list[tuple[Unit, ...]]:
        """The units that the examples carry."""
        return [example.units for example in examples]
