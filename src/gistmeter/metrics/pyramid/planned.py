"""Lite2.xPyramid of units that people wrote by a plan: theirs where they exist, a machine's elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gistmeter.metrics.metric import Need
from gistmeter.metrics.pyramid.metric import JudgedUnitsMetric
from gistmeter.units.planned_mix import fill_units
from gistmeter.units.references import Coreference, units_facts
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Example, Unit


@dataclass(frozen=True, slots=True)
class PlannedPyramid(JudgedUnitsMetric):
    """Between lite2pyramid and lite3pyramid: people's units where they wrote any, a machine's for other sentences.

    It scores a file of units that people wrote for the sentences of a plan (`gistmeter units easiness -o plan.jsonl`),
    or what `gistmeter units mix --plan` made of it: the share of the machine is whatever people left open. A unit that
    names no sentence belongs to the most similar sentence. The settings are those of lite3pyramid.

    >>> from gistmeter.example import Example, Unit
    >>> reference = "Ann won the race. It rained in Rome."
    >>> people = (Unit("A race was won by Ann.", sentence=0),)
    >>> example = Example(doc_id="d", system="s", summary="x", references=(reference,), units=people)
    >>> [unit.text for unit in PlannedPyramid().collect_units([example])[0]]
    ['A race was won by Ann.', 'It rained in Rome']
    """

    roles: str = EMBEDDED
    coreference: Coreference = "confident"

    name = "lite2.xpyramid"
    needs = frozenset[Need]({"references", "units"})
    model_roles: ClassVar[frozenset[str]] = JudgedUnitsMetric.model_roles | {"parser", "coreference"}

    def collect_units(self, examples: Sequence[Example]) -> list[tuple[Unit, ...]]:
        """The units of people, and of the machine for sentences without any."""
        return [
            fill_units(
                example.references,
                example.units,
                example.language,
                document=example.doc_id,
                source=self.roles,
                coreference=self.coreference,
            )
            for example in examples
        ]

    def facts(self) -> Mapping[str, str]:
        """Which model judged, and what cut the units that people did not write."""
        return {**JudgedUnitsMetric.facts(self), **units_facts(self.roles, coreference=self.coreference)}
