"""LitePyramid: the share of the references' content units that a summary has."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.errors import DataError
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.metrics.pyramid.evidence import UNJUDGED, explain_labels
from gistmeter.metrics.settings import Count, Seed  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example, Unit


@dataclass(frozen=True, slots=True)
class LitePyramid(Metric):
    """The share of the references' content units that people found in the summary.

    A unit of weight 2 counts as two units, because two references state it; a unit of weight 0 is in no reference and
    does not count. `sample` takes so many units of each document, drawn with `seed`. The draw depends on the units
    alone, so all summaries of a document are scored on the same units.

    Missing (NaN) when a unit was not judged, or when no unit has a weight.

    >>> from gistmeter.example import Example, Unit
    >>> units = (Unit("a", present=True), Unit("b", present=False), Unit("c", 2, present=True))
    >>> LitePyramid().score([Example(doc_id="d", system="s", summary="x", units=units)])
    array([[0.75]])
    """

    sample: Count | None = None
    seed: Seed = 0

    name = "litepyramid"
    paper = "Shapira et al. (2019), Crowdsourcing Lightweight Pyramids for Manual Summary Evaluation"
    needs = frozenset[Need]({"units"})
    columns = (Column("recall", "share of the references' units that are in the summary"),)
    cheap: ClassVar[bool] = True
    missing: ClassVar[str] = UNJUDGED

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The share for each summary."""
        return np.array([self._score_summary(example) for example in examples], dtype=float).reshape(-1, 1)

    def explain(self, example: Example) -> Evidence:
        """The units that count, in their order."""
        units = self._choose_units(example)
        present = [unit.weight for unit in units if unit.present]
        headline = (
            f"{len(present)} of {format_count(len(units), 'unit')} {'is' if len(units) == 1 else 'are'} in the summary"
        )
        if any(unit.weight != 1 for unit in units):
            headline += f", weight {sum(present):g} of {sum(unit.weight for unit in units):g}"
        return explain_labels(self.spelling, headline, example, units)

    def _score_summary(self, example: Example) -> float:
        units = self._choose_units(example)
        total = sum(unit.weight for unit in units)
        if not total or any(unit.present is None for unit in units):
            return math.nan
        return sum(unit.weight for unit in units if unit.present) / total

    def _choose_units(self, example: Example) -> list[Unit]:
        units = [unit for unit in example.units if unit.weight]
        if self.sample is None:
            return units
        for unit in units:
            if unit.weight != int(unit.weight):
                raise DataError(
                    f"{example.name} has a unit of weight {unit.weight:g}: "
                    "to draw a sample, weights must be whole numbers"
                )
        return _draw_units(units, self.sample, self.seed)


def _draw_units(units: Sequence[Unit], count: int, seed: int) -> list[Unit]:
    """A sample of units, in their order: drawn without replacement, where a unit of weight 2 can be drawn twice."""
    copies = [(position, copy) for position, unit in enumerate(units) for copy in range(int(unit.weight))]
    if len(copies) <= count:
        return [_with_weight_one(units[position]) for position, _ in copies]
    document = hashlib.blake2b("\0".join(unit.text for unit in units).encode(errors="surrogatepass")).hexdigest()

    # Ordered by hash, not by a generator: the draw is the same with every version of every library.
    def draw_key(copy: tuple[int, int]) -> bytes:
        return hashlib.blake2b(f"{seed} {document} {copy}".encode()).digest()

    return [_with_weight_one(units[position]) for position, _ in sorted(sorted(copies, key=draw_key)[:count])]


def _with_weight_one(unit: Unit) -> Unit:
    return unit if unit.weight == 1 else replace(unit, weight=1.0)
