"""Ask: how often do people rank two systems that far apart in the same way?

The gap is in the metric's own units, as gistmeter prints scores: 0.005 is what papers call 0.5 points of ROUGE.
`points` takes it on the scale of 0 to 100.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy.special import expit, logit

from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example
from gistmeter.metrics.registry import parse_metric
from gistmeter.ranking.compare import check_two_systems
from gistmeter.ranking.trust.calibration import People
from gistmeter.ranking.trust.tables import find_table, shipped_tables
from gistmeter.ranking.trust.transfer import COIN_LOSS, factor_at
from gistmeter.signature import without_version
from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from gistmeter.ranking.trust.tables import CalibratedSet, Dataset, PeopleTable, Table
    from gistmeter.ranking.trust.transfer import LeftOut, PooledSlopes
    from gistmeter.scores import ScoreColumn, Scores

    FloatArray: TypeAlias = NDArray[np.float64]

_POINTS = 100.0
_MANY_TIMES = 1.5
"""A run of so many times the judged documents is told that the answer is for fewer."""
_SHARES = (0.8, 0.95)


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


@dataclass(frozen=True, slots=True)
class NeededGap:
    """The gap that people agree with so often, by all datasets together; NaN if none in sight is large enough."""

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
    scale: float
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
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairTrust:
    """Two systems by each score that is calibrated; each answer is for the gap between them."""

    system_a: str
    system_b: str
    winners: tuple[str, ...]
    """Which of the two each answer's score puts first; empty where it ties them."""
    answers: tuple[TrustAnswer, ...]
    uncalibrated: tuple[str, ...]
    """The scores asked for of which nothing is known."""


def trust(
    metric: str,
    gap: float,
    *,
    column: str | None = None,
    documents: int | None = None,
    points: bool = False,
    people: People = "all",
) -> TrustAnswer:
    """How often people rank two systems as a metric does that puts them `gap` apart.

    `metric` is a spelling (`rouge1`, `rouge1.recall`; English is assumed) or a whole signature; `column` defaults to
    f1. `documents` says how many documents the gap is over; without it, as many as were judged. `people` are all pairs
    that people rank, or those that they tell apart significantly.

    >>> found = trust("rouge1", 0.005)
    >>> [one.dataset.name for one in found.sets]
    ['SummEval', 'REALSumm', 'PyrXSum', 'SummEval-11']
    >>> 0.5 < found.share < 0.6
    True
    >>> trust("rouge1", 0.5, points=True).share == found.share
    True
    >>> trust("rouge1", 5)
    Traceback (most recent call last):
    gistmeter.errors.DataError: rouge1.f1 is between 0 and 1, so no gap is 5; if you mean points of 100...
    """
    table = _asked_table(metric, column)
    own = gap * table.scale / _POINTS if points else gap
    _check_gap(own, gap, table, points)
    return _answer(table, table.name, own, documents, people)


def trust_pair(
    scores: Scores, a: str, b: str, *, columns: Iterable[str] | None = None, people: People = "all"
) -> PairTrust:
    """How often people would agree with how scores rank two systems, on the documents that both have.

    Scores that are not calibrated are named in the result; that none of them is, is an error.
    """
    check_two_systems(scores, a, b)
    rows = [scores.systems.index(system) for system in (a, b)]
    chosen = list(scores.columns) if columns is None else [scores.column(name) for name in columns]
    answers, winners, without = [], [], []
    for column in chosen:
        table = None if column.parts else find_table(column.signature, column.short)
        if table is None:
            without.append(column.name)
            continue
        first, second = scores.matrix(column.name).values[rows]
        shared = ~np.isnan(first) & ~np.isnan(second)
        if not shared.any():
            raise DataError(f"{a} and {b} share no document that has {column.name}")
        above = float(first[shared].mean() - second[shared].mean()) * (-1 if column.better == "lower" else 1)
        winners.append("" if above == 0 else a if above > 0 else b)
        answers.append(_answer(table, column.name, abs(above), int(shared.sum()), people))
    if not answers:
        raise DataError(_nothing_known(chosen))
    return PairTrust(a, b, tuple(winners), tuple(answers), tuple(without))


def available() -> tuple[TrustAnswer, ...]:
    """An answer for a gap of 0 from every shipped table, for what it says besides: datasets, needed gaps, signature.

    >>> [one.name for one in available()][:2]
    ['content.f1', 'content.recall']
    """
    return tuple(_answer(table, table.name, 0.0, None, "all") for table in shipped_tables().values())


def answer_for(column: ScoreColumn, gap: float, documents: int) -> TrustAnswer | None:
    """The answer for a gap in a column of scores; None where there is no calibration."""
    table = None if column.parts else find_table(column.signature, column.short)
    return None if table is None else _answer(table, column.name, abs(gap), documents, "all")


def _answer(table: Table, name: str, gap: float, documents: int | None, people: People) -> TrustAnswer:
    check_choice("people", people, People)
    if documents is not None and documents < 1:
        raise DataError(f"a gap is over at least one document, not {documents}")
    known = table.people[people]
    pooled = [one for one in known.sets if one.dataset.pooled]
    judged = min(one.documents for one in pooled)
    over = judged if documents is None else documents
    slopes = np.array([one.slope * factor_at(one.fewer, over, one.documents) for one in pooled])
    low, high = _pooled_bounds(known.pooled, over)
    return TrustAnswer(
        name,
        table.signature,
        gap,
        table.scale,
        documents,
        people,
        share=float(expit(slopes * gap).mean()),
        low=float(expit(low * gap)),
        high=float(expit(high * gap)),
        confidence=table.made.confidence,
        sets=tuple(_set_answer(one, gap, over) for one in known.sets),
        needed=tuple(NeededGap(share, _needed(slopes, share, table.scale)) for share in _SHARES),
        left_out=known.left_out,
        notes=tuple(_notes(known, gap, documents, judged)),
    )


def _set_answer(one: CalibratedSet, gap: float, documents: int) -> SetAnswer:
    by = gap * factor_at(one.fewer, documents, one.documents)
    return SetAnswer(
        one.dataset,
        share=float(expit(one.slope * by)),
        low=float(expit(one.low * by)),
        high=float(expit(one.high * by)),
        systems=one.systems,
        documents=one.documents,
        pairs=one.pairs,
        agreeing=one.agreeing,
        repeat=one.repeat,
        largest_gap=one.largest_gap,
    )


def _pooled_bounds(pooled: Sequence[PooledSlopes], documents: int) -> tuple[float, float]:
    counts = np.log([one.documents for one in pooled])
    low, high = (
        np.interp(np.log(documents), counts, [getattr(one, side) for one in pooled]) for side in ("low", "high")
    )
    return float(low), float(high)


def _needed(slopes: FloatArray, share: float, scale: float) -> float:
    """The gap at which the mean of the curves reaches a share, by halving; NaN if it does not within the scale."""
    low, high = 0.0, scale
    if expit(slopes * high).mean() < share:
        return math.nan
    # The mean lies below the steepest curve, which reaches the share here.
    low = min(high, float(logit(share) / slopes.max()))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if expit(slopes * middle).mean() < share else (low, middle)
    return high


def _notes(known: PeopleTable, gap: float, documents: int | None, judged: int) -> Iterable[str]:
    least = min((one.documents for found in known.sets for one in found.fewer), default=judged)
    if documents is not None and documents < judged:
        subsets = "random subsets of the judged documents" + (f", of {least} or more" if documents < least else "")
        over = f"{documents} document{'' if documents == 1 else 's'}"
        yield f"a gap over {over} is noisier than one over {judged}: adjusted by what {subsets} show"
    elif documents is not None and documents > _MANY_TIMES * judged:
        yield (
            f"calibrated on {judged} documents; over {documents:,} a gap is less noisy, so that people may agree "
            "somewhat more often"
        )
    largest = max(one.largest_gap for one in known.sets)
    if gap > largest:
        yield f"no two judged systems are that far apart (at most {largest:.3g}): the answer extends the curve"
    else:
        beyond = [one.dataset.name for one in known.sets if gap > one.largest_gap]
        if beyond:
            yield f"no two systems are that far apart in {', '.join(beyond)}: the curve is extended there"
    unforeseen = [one.dataset for one in known.left_out if one.loss > COIN_LOSS]
    if unforeseen:
        yield (
            f"the datasets differ: the others foretell {' and '.join(unforeseen)} worse than a coin would; "
            "go by the dataset most like yours"
        )


def _check_gap(own: float, gap: float, table: Table, points: bool) -> None:
    if not (math.isfinite(gap) and gap >= 0):
        raise DataError(f"a gap is how far two systems are apart, 0 or more, not {gap:g}")
    way_out = "if you mean points of 100, add `points=True`"
    if own > table.scale:
        most = _POINTS if points else table.scale
        raise DataError(
            f"{table.name} is between 0 and {most:g}, so no gap is {gap:g}" + ("" if points else f"; {way_out}")
        )
    # Taken at its word, 0.5 would be certain; what is meant is nearly always half a point of 100.
    largest = max(one.largest_gap for one in table.people["all"].sets)
    if not points and own > largest:
        raise DataError(f"no two judged systems are {gap:g} apart by {table.name} (at most {largest:.3g}); {way_out}")


def _asked_table(metric: str, column: str | None) -> Table:
    """The table for a spelling or a signature."""
    if "|" in metric:
        signature, spelling = metric, metric.partition("|")[0]
    else:
        spelling, column = _split_column(metric, column)
        asked = parse_metric(spelling)
        # What the data decides, for plain English texts.
        example = Example(doc_id="1", system="1", summary="A text.", references=("A text.",), document="A text.")
        traits = {key: [value] for key, value in asked.traits(example).items()}
        signature, spelling = asked.signature(traits), asked.spelling
        names = [one.name for one in asked.columns]
        if column is not None and column not in names:
            raise MetricError(f"{spelling} has no score {column!r} (it has {', '.join(names)})")
        column = column or ("f1" if "f1" in names else names[0])
    column = column or "f1"
    table = find_table(signature, column)
    if table is None:
        raise DataError(f"how often people agree with {spelling}.{column} is not known: {_why(signature)}")
    return table


def _split_column(metric: str, column: str | None) -> tuple[str, str | None]:
    """`rouge1(alpha=0.8).f1` as metric and column; a dot within brackets is part of a setting."""
    before, dot, last = metric.rpartition(".")
    if not dot or not last.isidentifier():
        return metric, column
    if column is not None and column != last:
        raise MetricError(f"{metric} names the score {last}, and {column} was asked for; say one of them")
    return before, last


def _why(signature: str) -> str:
    """What the signature differs in from a calibrated one of the same metric, and what is calibrated."""
    name, *settings = without_version(signature).split("|")
    there = f"calibrated are {_known_names()} (English, default settings)"
    alike = [table for table in shipped_tables().values() if table.spelling == name]
    if not alike:
        return there
    differing = sorted(set(settings) - set(alike[0].signature.split("|")))
    if differing:
        keys = {one.partition(":")[0] for one in differing}
        usual = sorted(one for one in alike[0].signature.split("|")[1:] if one.partition(":")[0] in keys)
        return f"it is calibrated with {', '.join(usual) or 'other settings'}, not with {', '.join(differing)}"
    return there


def _nothing_known(columns: Sequence[ScoreColumn]) -> str:
    names = [column.name for column in columns]
    if len(columns) == 1 and not columns[0].parts:
        return f"how often people agree with {names[0]} is not known: {_why(columns[0].signature)}"
    return f"how often people agree is not known for any of {', '.join(names)}: calibrated are {_known_names()}"


def _known_names() -> str:
    return ", ".join(table.name for table in shipped_tables().values())
