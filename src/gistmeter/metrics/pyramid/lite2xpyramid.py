"""Lite2.xPyramid: people's units for hard sentences of the references, machine units for the easy ones."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping  # noqa: TC003  (read when settings are parsed)
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

from gistmeter.errors import MetricError
from gistmeter.example import Unit  # noqa: TC001
from gistmeter.metrics.metric import Need
from gistmeter.metrics.pyramid.metric import JudgedUnitsMetric
from gistmeter.units.easiness import easiness_identity
from gistmeter.units.mix import mix_units_by_document
from gistmeter.units.references import Coreference, units_facts
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.example import Example


@dataclass(frozen=True, slots=True)
class Lite2xPyramid(JudgedUnitsMetric):
    """Between lite2pyramid and lite3pyramid: the share of sentences whose units a machine cuts is in the name.

    For `lite2.5pyramid` a machine cuts the units of half of all reference sentences, for `lite2.25pyramid` of a
    quarter: those that a regressor finds easiest to cut, over the whole run (section 3.3). The other sentences keep the
    units that people wrote; a unit that names no sentence belongs to the most similar sentence. `regressor` is the
    embedded regressor, which reads the units that the machine cut, `embedded-69` or an XGBoost model (.json) on the 69
    features of the paper; for those `trees` parses the sentences: the embedded parser, or a model of benepar by name.
    The other settings are those of lite3pyramid. Where people wrote units by a plan, take lite2.xpyramid.
    """

    share: str = "5"
    roles: str = EMBEDDED
    coreference: Coreference = "confident"
    regressor: str = EMBEDDED
    trees: str = EMBEDDED
    _units: Mapping[str, tuple[Unit, ...]] | None = field(default=None, metadata={"state": True})

    needs = frozenset[Need]({"references", "units"})
    model_roles: ClassVar[frozenset[str]] = frozenset(
        {*JudgedUnitsMetric.model_roles, "parser", "coreference", "easiness", "easiness-69", "trees"}
    )

    def __post_init__(self) -> None:
        JudgedUnitsMetric.__post_init__(self)
        if not self.share.isdecimal():
            raise MetricError(f"lite2.{self.share}pyramid is no metric: name a share, as lite2.5pyramid does")

    @property
    def name(self) -> str:
        """The name says the share."""
        return f"lite2.{self.share}pyramid"

    @property
    def cuts_english_units(self) -> bool:
        """Units are cut by the embedded parser, unless a file has the roles."""
        return self.roles == EMBEDDED

    @property
    def fits(self) -> bool:
        """Which sentences are easiest is a question to the whole run."""
        return self._units is None

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric, knowing which sentences of the run take units by machine."""
        mixed = mix_units_by_document(
            examples,
            float(f"0.{self.share}"),
            regressor=self.regressor,
            trees=self.trees,
            source=self.roles,
            coreference=self.coreference,
        )
        return replace(self, _units=mixed.units)

    def collect_units(self, examples: Sequence[Example]) -> list[tuple[Unit, ...]]:
        """The mixed units of each example; without a run, those of the examples given."""
        units = self._units if self._units is not None else self.fit(examples)._units
        return [units[example.doc_id] for example in examples]  # type: ignore[index]

    def facts(self) -> Mapping[str, str]:
        """Which model judged, what cut the units, and what chose the sentences."""
        facts = {
            **JudgedUnitsMetric.facts(self),
            **units_facts(self.roles, coreference=self.coreference),
            **easiness_identity(self.regressor, self.trees),
        }
        if self._units is not None:
            chosen = repr([(key, [unit.text for unit in units]) for key, units in sorted(self._units.items())])
            facts["mix"] = hashlib.blake2b(chosen.encode(errors="surrogatepass"), digest_size=6).hexdigest()
        return facts

    @classmethod
    def _named_fields(cls) -> frozenset[str]:
        return frozenset({"share"})
