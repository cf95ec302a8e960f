"""What people gave to the summaries that a metric picks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.judgments import Judgments
    from gistmeter.probe.results import Probe


@dataclass(frozen=True, slots=True, kw_only=True)
class PickedAspect:
    """What people gave, by one aspect, to the picks and to what they were picked from, higher being better."""

    aspect: str
    picks: float
    """The mean judgment of the picks."""
    pool: float
    """The mean over all that could be picked: what picking by chance would get."""
    best_system: float
    """The mean of the system that people like best."""
    best_possible: float
    """The mean of the best-liked summary of each document: what the best pick would get."""
    rank: int
    """The place of the picks among the systems, from 1."""
    ranked: int
    """How many are ranked: the systems and the picks."""
    documents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking(Result):
    """The summaries that a metric picks from a pool, and what people gave to them where they judged the pool."""

    probe: Probe
    aspects: tuple[PickedAspect, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each aspect; without judgments those of the probe."""
        if not self.aspects:
            return self.probe.records()
        return [
            {
                "aspect": row.aspect,
                "picks": row.picks,
                "pool": row.pool,
                "best system": row.best_system,
                "best possible": row.best_possible,
                "rank": f"{row.rank} of {row.ranked}",
            }
            for row in self.aspects
        ]

    def details(self) -> dict[str, Any]:
        """The metric and what it picked from."""
        return self.probe.details()

    @property
    def notes(self) -> tuple[str, ...]:
        """Those of the probe."""
        return self.probe.notes


def judge_picks(probe: Probe, judgments: Judgments) -> tuple[PickedAspect, ...]:
    """What people gave to the picks of a probe, aspect by aspect.

    Raises
    ------
    DataError
        Nobody judged what could be picked.
    """
    rows = [row for aspect in judgments.aspects if (row := _judge_aspect(probe, aspect, judgments)) is not None]
    if not rows:
        raise DataError("the judgments are of other documents or systems than the pool: no pick has any")
    return tuple(rows)


def _judge_aspect(probe: Probe, aspect: str, judgments: Judgments) -> PickedAspect | None:
    """What people gave by one aspect; None where no pick was judged."""
    values: dict[tuple[str, str], float] = {
        (document, system): value for document, system, value in judgments.means(aspect).iter_rows()
    }
    judged = [document for document in probe.documents if (document.doc_id, document.source) in values]
    if not judged:
        return None
    by_document = [
        {name: values[document.doc_id, name] for name in document.system_scores if (document.doc_id, name) in values}
        for document in judged
    ]
    picks = _average([values[document.doc_id, document.source] for document in judged])
    systems = _average_systems(by_document)
    return PickedAspect(
        aspect=aspect,
        picks=picks,
        pool=_average([_average(list(given.values())) for given in by_document]),
        best_system=max(systems.values()),
        best_possible=_average([max(given.values()) for given in by_document]),
        rank=1 + sum(mean > picks for mean in systems.values()),
        ranked=1 + len(systems),
        documents=len(judged),
    )


def _average_systems(by_document: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = dict.fromkeys(name for given in by_document for name in given)
    return {name: _average([given[name] for given in by_document if name in given]) for name in names}


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan
