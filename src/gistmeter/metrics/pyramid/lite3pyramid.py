"""Lite3Pyramid: content units that a program cuts from the references, found in summaries by a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gistmeter.metrics.metric import Need, check_choices
from gistmeter.metrics.pyramid.metric import JudgedUnitsMetric
from gistmeter.text.languages import language_code
from gistmeter.units.references import Coreference, extract_reference_units, units_facts
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Example, Unit


@dataclass(frozen=True, slots=True)
class Lite3Pyramid(JudgedUnitsMetric):
    """How much of the references the summary states, without people: units and judgments are by machine.

    The units are semantic triplets: who did what to whom, one for each argument after a verb (section 3.2). The units
    of all references count together. With `coreference` later mentions are replaced by the first name, and further
    names give units of their own ("Ann Lee is the coach"): `confident` names a thing once in a unit and leaves alone
    what may be wrong, `all` replaces every mention as the paper does, `no` leaves all words as they are. With
    `roles=embedded` the embedded parser cuts the units; any other `roles` is a file of roles and coreference written by
    another program (`gistmeter units extract --help` describes it). `model`, `value` and `labels` are those of
    lite2pyramid.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="Ann Lee won.", references=("Ann Lee won the race in May.",))
    >>> [unit.text for unit in Lite3Pyramid().collect_units([example])[0]]
    ['Ann Lee won the race', 'Ann Lee won in May']
    """

    roles: str = EMBEDDED
    coreference: Coreference = "confident"

    name = "lite3pyramid"
    needs = frozenset[Need]({"references"})
    model_roles: ClassVar[frozenset[str]] = JudgedUnitsMetric.model_roles | {"parser", "coreference"}

    def __post_init__(self) -> None:
        JudgedUnitsMetric.__post_init__(self)
        check_choices(self)

    @property
    def cuts_english_units(self) -> bool:
        """Units are cut by the embedded parser, unless a file has the roles."""
        return self.roles == EMBEDDED

    def collect_units(self, examples: Sequence[Example]) -> list[tuple[Unit, ...]]:
        """The units of the references."""
        return [
            extract_reference_units(
                example.references, language_code(example.language), source=self.roles, coreference=self.coreference
            )
            for example in examples
        ]

    def facts(self) -> Mapping[str, str]:
        """Which model judged, and what cut the units."""
        return {**JudgedUnitsMetric.facts(self), **units_facts(self.roles, coreference=self.coreference)}
