"""Ask: how often do people rank two systems that far apart in the same way?

The gap is in the metric's own units, as gistmeter prints scores: 0.005 is what papers call 0.5 points of ROUGE.
`points` takes it on the scale of 0 to 100.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit

from gistmeter.errors import ArgumentError, DataError
from gistmeter.ranking.columns import main_columns
from gistmeter.ranking.compare import check_two_systems
from gistmeter.ranking.trust.calibration import People
from gistmeter.ranking.trust.lookup import explain_nothing_calibrated, find_asked_table
from gistmeter.ranking.trust.tables import find_table, read_shipped_tables
from gistmeter.ranking.trust.transfer import COIN_LOSS, factor_at
from gistmeter.scores import Scores
from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.ranking.trust.tables import CalibratedSet, Dataset, PeopleTable, Table
    from gistmeter.ranking.trust.transfer import LeftOut, PooledSlopes
    from gistmeter.scores import ScoreColumn

_POINTS = 100.0
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

    Parameters
    ----------
    metric
        A spelling (`rouge1`, `rouge1.recall`; English is assumed) or a whole signature.
    gap
        How far apart two systems are, as gistmeter prints scores.
    column
        Which score of the metric, as `recall` or `rouge1.recall`; by default f1.
    documents
        How many documents the gap is over; by default as many as were judged.
    points
        The gap is on a scale of 0 to 100.
    people
        `all` pairs that people rank, or those that they tell apart significantly (`significant`).

    Raises
    ------
    ArgumentError
        If no two systems can be that far apart.
    DataError
        If nothing is known about the score.
    MetricError
        If there is no such metric or score.

    >>> answer = trust("rouge1", 0.005)
    >>> [set_answer.dataset.name for set_answer in answer.sets]
    ['SummEval', 'REALSumm', 'PyrXSum', 'SummEval-11']
    >>> 0.5 < answer.share < 0.6
    True
    >>> trust("rouge1", 0.5, points=True).share == answer.share
    True
    >>> trust("rouge1", 5)
    Traceback (most recent call last):
    gistmeter.errors.ArgumentError: rouge1.f1 is between 0 and 1, so no gap is 5; if you mean points of 100...
    """
    table = find_asked_table(metric, column)
    gap_on_scale = gap * table.scale / _POINTS if points else gap
    _check_gap(gap_on_scale, gap, table, points)
    return _answer(table, table.name, gap_on_scale, documents, people)


def trust_pair(
    scores: Scores | str | Path,
    a: str,
    b: str,
    *,
    columns: Iterable[str] | None = None,
    every: bool = True,
    people: People = "all",
) -> PairTrust:
    """How often people would agree with how scores rank two systems, on the documents that both have.

    Parameters
    ----------
    scores
        The scores, or the file they are in.
    a, b
        The names of the two systems.
    columns
        Which scores to look at, such as `rouge1.f1`; by default those that `every` says.
    every
        Whether all scores are looked at, or only those that are shown first: not precision and recall beside an f1.
    people
        `all` pairs that people rank, or those that they tell apart significantly (`significant`).

    Returns
    -------
    PairTrust
        An answer for each score that is calibrated, and the names of those that are not.

    Raises
    ------
    DataError
        If there is no such system or score, if the two share no document, or if none of the scores is calibrated.

    >>> from gistmeter import api
    >>> from gistmeter.demo import demo_run
    >>> scores = api.score(demo_run(), "rouge1")
    >>> pair = trust_pair(scores, "careful", "lead3", every=False)
    >>> [answer.name for answer in pair.answers], pair.winners
    (['rouge1.f1'], ('careful',))
    """
    scores = scores if isinstance(scores, Scores) else Scores.read(scores)
    check_two_systems(scores, a, b)
    rows = [scores.systems.index(system) for system in (a, b)]
    chosen = (
        list(main_columns(scores.columns, every=every))
        if columns is None
        else [scores.column(name) for name in columns]
    )
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
        raise DataError(explain_nothing_calibrated(chosen))
    return PairTrust(
        system_a=a,
        system_b=b,
        winners=tuple(winners),
        answers=tuple(answers),
        uncalibrated=tuple(without),
    )


def available() -> tuple[TrustAnswer, ...]:
    """An answer for a gap of 0 from every shipped table, for what it says besides: datasets, needed gaps, signature.

    >>> [answer.name for answer in available()][:2]
    ['content.f1', 'content.recall']
    """
    return tuple(_answer(table, table.name, 0.0, None, "all") for table in read_shipped_tables().values())


def answer_for(column: ScoreColumn, gap: float, documents: int) -> TrustAnswer | None:
    """The answer for a gap in a column of scores; None where there is no calibration."""
    table = None if column.parts else find_table(column.signature, column.short)
    return None if table is None else _answer(table, column.name, abs(gap), documents, "all")


def _answer(table: Table, name: str, gap: float, documents: int | None, people: People) -> TrustAnswer:
    check_choice("people", people, People)
    if documents is not None and documents < 1:
        raise ArgumentError(f"a gap is over at least one document, not {documents}")
    people_table = table.people[people]
    pooled = [calibrated for calibrated in people_table.sets if calibrated.dataset.pooled]
    judged = min(calibrated.documents for calibrated in pooled)
    over = judged if documents is None else documents
    slopes = np.array([pool.slope * factor_at(pool.fewer, over, pool.documents) for pool in pooled])
    low, high = _interpolate_bounds(people_table.pooled, over)
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
        confidence=table.made.confidence,
        sets=tuple(_answer_by_set(calibrated, gap, over) for calibrated in people_table.sets),
        needed=tuple(NeededGap(share, _find_needed_gap(slopes, share, table.scale)) for share in _NEEDED_SHARES),
        left_out=people_table.left_out,
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
    )


def _interpolate_bounds(pooled: Sequence[PooledSlopes], documents: int) -> tuple[float, float]:
    counts = np.log([slopes.documents for slopes in pooled])
    low, high = (
        np.interp(np.log(documents), counts, [getattr(slopes, side) for slopes in pooled]) for side in ("low", "high")
    )
    return float(low), float(high)


def _find_needed_gap(slopes: FloatArray, share: float, scale: float) -> float:
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


def _list_notes(people_table: PeopleTable, gap: float, documents: int | None, judged: int) -> Iterable[str]:
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
    largest = max(calibrated.largest_gap for calibrated in people_table.sets)
    if gap > largest:
        yield f"no two judged systems are that far apart (at most {largest:.3g}): the answer extends the curve"
    else:
        beyond = [calibrated.dataset.name for calibrated in people_table.sets if gap > calibrated.largest_gap]
        if beyond:
            yield f"no two systems are that far apart in {', '.join(beyond)}: the curve is extended there"
    unforeseen = [left_out.dataset for left_out in people_table.left_out if left_out.loss > COIN_LOSS]
    if unforeseen:
        yield (
            f"the datasets differ: the others foretell {' and '.join(unforeseen)} worse than a coin would; "
            "go by the dataset most like yours"
        )


def _check_gap(gap_on_scale: float, gap: float, table: Table, points: bool) -> None:
    if not (math.isfinite(gap) and gap >= 0):
        raise ArgumentError(f"`gap` is how far two systems are apart, 0 or more, not {gap:g}")
    way_out = "if you mean points of 100, add `points=True`"
    if gap_on_scale > table.scale:
        most = _POINTS if points else table.scale
        raise ArgumentError(
            f"{table.name} is between 0 and {most:g}, so no gap is {gap:g}" + ("" if points else f"; {way_out}")
        )
    # Taken at its word, 0.5 would be certain; what is meant is nearly always half a point of 100.
    largest = max(calibrated.largest_gap for calibrated in table.people["all"].sets)
    if not points and gap_on_scale > largest:
        raise ArgumentError(
            f"no two judged systems are {gap:g} apart by {table.name} (at most {largest:.3g}); {way_out}"
        )
