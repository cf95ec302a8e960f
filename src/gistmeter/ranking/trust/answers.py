"""Answers: what a table of calibrations says of a gap, by each dataset and by all of them together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit

from gistmeter.errors import ArgumentError, DataError
from gistmeter.ranking.trust.calibration import People
from gistmeter.ranking.trust.tables import round_to_file_digits
from gistmeter.ranking.trust.transfer import COIN_LOSS, factor_at
from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.ranking.trust.tables import CalibratedSet, Dataset, PeopleTable, Provenance, Table
    from gistmeter.ranking.trust.transfer import LeftOut, PooledSlopes

_MANY_TIMES_JUDGED = 1.5
"""A run of so many times the judged documents is told that the answer is for fewer."""
_NEEDED_SHARES = (0.8, 0.95)


@dataclass(frozen=True, slots=True)
class SetAnswer:
    """What one judged dataset says: the share of such pairs on which people agree, with its interval."""

    dataset: Dataset
    share: float
    low: float
    high: float
    systems: int
    documents: int
    pairs: int
    agreeing: float
    """The share over all of its pairs, whatever their gap."""
    repeat: float
    """How often people agree with themselves, from one half of the documents to the other."""
    largest_gap: float
    bias: str = ""
    """What the metric took from these judgments when it was built; empty if nothing."""
    inputs: str = ""
    """Digest of the scores and judgments that the curve was fitted to."""


@dataclass(frozen=True, slots=True)
class NeededGap:
    """The gap that people agree with so often, by all datasets together; NaN if no judged systems are so far apart."""

    share: float
    gap: float


@dataclass(frozen=True, slots=True)
class TrustAnswer:
    """How often people agree with a gap: by each dataset, and what they together say of another one."""

    name: str
    """The score, as the user calls it."""
    signature: str
    """Of the calibrated score, without a version."""
    gap: float
    scale: float | None
    """What the scores go up to, 1 or 100; None where they have no upper bound."""
    documents: int | None
    """How many documents the gap is over; None if it was not said."""
    people: People
    share: float
    """The mean over the datasets that are pooled."""
    low: float
    high: float
    """Where the share on another such dataset may lie."""
    confidence: float
    sets: tuple[SetAnswer, ...]
    needed: tuple[NeededGap, ...]
    left_out: tuple[LeftOut, ...]
    provenance: Provenance
    """How the table behind the answer came about."""
    notes: tuple[str, ...] = ()


def make_answer(table: Table, name: str, gap: float, documents: int | None, people: People) -> TrustAnswer:
    """What a table says of a gap over so many documents."""
    check_choice("people", people, People)
    if documents is not None and documents < 1:
        raise ArgumentError(f"a gap is over at least one document, not {documents}")
    if people not in table.people:
        raise DataError(f"{table.name} is calibrated on too few pairs that people tell apart significantly")
    people_table = table.people[people]
    pooled = [calibrated for calibrated in people_table.sets if calibrated.dataset.pooled]
    judged = min(calibrated.documents for calibrated in pooled)
    over = judged if documents is None else documents
    slopes = np.array([pool.slope * factor_at(pool.fewer, over, pool.documents) for pool in pooled])
    low, high = _interpolate_bounds(people_table.pooled, over)
    largest = max(calibrated.largest_gap for calibrated in pooled)
    return TrustAnswer(
        name=name,
        signature=table.signature,
        gap=gap,
        scale=table.scale,
        documents=documents,
        people=people,
        share=float(expit(slopes * gap).mean()),
        low=float(expit(low * gap)),
        high=float(expit(high * gap)),
        confidence=table.provenance.confidence,
        sets=tuple(_answer_by_set(calibrated, gap, over) for calibrated in people_table.sets),
        needed=tuple(NeededGap(share, _find_needed_gap(slopes, share, largest)) for share in _NEEDED_SHARES),
        left_out=people_table.left_out,
        provenance=table.provenance,
        notes=tuple(_list_notes(people_table, gap, documents, judged)),
    )


def _answer_by_set(calibrated: CalibratedSet, gap: float, documents: int) -> SetAnswer:
    scaled_gap = gap * factor_at(calibrated.fewer, documents, calibrated.documents)
    return SetAnswer(
        dataset=calibrated.dataset,
        share=float(expit(calibrated.slope * scaled_gap)),
        low=float(expit(calibrated.low * scaled_gap)),
        high=float(expit(calibrated.high * scaled_gap)),
        systems=calibrated.systems,
        documents=calibrated.documents,
        pairs=calibrated.pairs,
        agreeing=calibrated.agreeing,
        repeat=calibrated.repeat,
        largest_gap=calibrated.largest_gap,
        bias=calibrated.bias,
        inputs=calibrated.inputs,
    )


def _interpolate_bounds(pooled: Sequence[PooledSlopes], documents: int) -> tuple[float, float]:
    counts = np.log([slopes.documents for slopes in pooled])
    low, high = (
        np.interp(np.log(documents), counts, [getattr(slopes, side) for slopes in pooled]) for side in ("low", "high")
    )
    return float(low), float(high)


def _find_needed_gap(slopes: FloatArray, share: float, largest: float) -> float:
    """The gap at which the mean of the curves reaches a share, by halving; NaN if it does not up to the `largest`."""
    low, high = 0.0, largest
    if expit(slopes * high).mean() < share:
        return math.nan
    # The mean lies below the steepest curve, which reaches the share here.
    low = min(high, float(logit(share) / slopes.max()))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if expit(slopes * middle).mean() < share else (low, middle)
    return high


def _list_notes(people_table: PeopleTable, gap: float, documents: int | None, judged: int) -> Iterable[str]:
    yield from _note_documents(people_table, documents, judged)
    largest = max(calibrated.largest_gap for calibrated in people_table.sets)
    gap = round_to_file_digits(gap)  # as the largest gaps of a table are, or its own farthest pair would be beyond
    if gap > largest:
        yield f"no two judged systems are that far apart (at most {largest:.3g}): the answer extends the curve"
    else:
        beyond = [calibrated.dataset.name for calibrated in people_table.sets if gap > calibrated.largest_gap]
        if beyond:
            yield f"no two systems are that far apart in {', '.join(beyond)}: the curve is extended there"
    contrary = [calibrated.dataset.name for calibrated in people_table.sets if calibrated.high < 0]
    if contrary:
        yield f"in {', '.join(contrary)} people prefer the system that this score puts second"
    unforeseen = [left_out.dataset for left_out in people_table.left_out if left_out.loss > COIN_LOSS]
    if unforeseen:
        yield (
            f"the datasets differ: the others foretell {' and '.join(unforeseen)} worse than a coin would; "
            "go by the dataset most like yours"
        )
    pooled = [calibrated.dataset.name for calibrated in people_table.sets if calibrated.dataset.pooled]
    if len(pooled) == 1:
        yield f'"another set" rests on {pooled[0]} alone: how much sets differ is not in its interval'
    yield from _note_samples(people_table)
    names_by_reason: dict[str, list[str]] = {}
    for calibrated in people_table.sets:
        if calibrated.bias:
            names_by_reason.setdefault(calibrated.bias, []).append(calibrated.dataset.name)
    for reason, names in names_by_reason.items():
        yield f"{', '.join(names)}: {reason}, so this is optimistic"


def _note_samples(people_table: PeopleTable) -> Iterable[str]:
    names_by_sample: dict[str, list[str]] = {}
    for calibrated in people_table.sets:
        if calibrated.dataset.sample:
            names_by_sample.setdefault(calibrated.dataset.sample, []).append(calibrated.dataset.name)
    for sample, names in names_by_sample.items():
        yield f"fitted to a sample, {sample} of {', '.join(names)}, because the score takes long: intervals are wider"


def _note_documents(people_table: PeopleTable, documents: int | None, judged: int) -> Iterable[str]:
    least = min((subset.documents for calibrated in people_table.sets for subset in calibrated.fewer), default=judged)
    if documents is not None and documents < judged:
        subsets = "random subsets of the judged documents" + (f", of {least} or more" if documents < least else "")
        over = f"{documents} document{'' if documents == 1 else 's'}"
        yield f"a gap over {over} is noisier than one over {judged}: adjusted by what {subsets} show"
    elif documents is not None and documents > _MANY_TIMES_JUDGED * judged:
        yield (
            f"calibrated on {judged} documents; over {documents:,} a gap is less noisy, so that people may agree "
            "somewhat more often"
        )
