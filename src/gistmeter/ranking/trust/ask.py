"""Ask: how often do people rank two systems that far apart in the same way?

The gap is in the metric's own units, as gistmeter prints scores: 0.005 is what papers call 0.5 points of ROUGE.
`points` takes it on the scale of 0 to 100.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.ranking.columns import choose_columns, main_columns
from gistmeter.ranking.compare import check_two_systems
from gistmeter.ranking.trust.answers import make_answer
from gistmeter.ranking.trust.lookup import explain_nothing_calibrated, find_asked_table
from gistmeter.ranking.trust.tables import find_table, read_shipped_tables
from gistmeter.scores import Scores, ScoresLike

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.ranking.trust.answers import TrustAnswer
    from gistmeter.ranking.trust.calibration import People
    from gistmeter.ranking.trust.tables import Table
    from gistmeter.scores import ScoreColumn

_POINTS = 100.0


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
    tables: Iterable[Table] = (),
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
    tables
        Tables of your own (`read_tables`), looked at before those that gistmeter ships.

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
    ['SummEval', 'REALSumm', 'PyrXSum', 'RoSE', 'SummEval-11', 'RoSE-free']
    >>> 0.5 < answer.share < 0.6
    True
    >>> trust("rouge1", 0.5, points=True).share == answer.share
    True
    >>> trust("rouge1", 5)
    Traceback (most recent call last):
    gistmeter.errors.ArgumentError: rouge1.f1 is between 0 and 1, so no gap is 5; if you mean points of 100...
    """
    table = find_asked_table(metric, column, tables)
    if points and table.scale is None:
        raise ArgumentError(f"{table.name} has no scale of 0 to 100: give the gap in its own units, without `points`")
    gap_on_scale = gap * (table.scale or 1.0) / _POINTS if points else gap
    _check_gap(gap_on_scale, gap, table, points)
    return make_answer(table, table.name, gap_on_scale, documents, people)


def trust_pair(
    scores: ScoresLike,
    a: str,
    b: str,
    *,
    columns: Iterable[str] | None = None,
    every: bool = True,
    people: People = "all",
    tables: Iterable[Table] = (),
) -> PairTrust:
    """How often people would agree with how scores rank two systems, on the documents that both have.

    Parameters
    ----------
    scores
        The scores, the file that they are in, or a frame.
    a, b
        The names of the two systems.
    columns
        Which scores to look at, such as `rouge1.f1`; by default those that `every` says.
    every
        Whether all scores are looked at, or only those that are shown first: not precision and recall beside an f1.
    people
        `all` pairs that people rank, or those that they tell apart significantly (`significant`).
    tables
        Tables of your own (`read_tables`), looked at before those that gistmeter ships.

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
    scores = Scores.of(scores)
    check_two_systems(scores, a, b)
    rows = [scores.systems.index(system) for system in (a, b)]
    chosen = choose_columns(scores, columns)
    if columns is None:
        chosen = list(main_columns(chosen, every=every))
    answers, winners, without = [], [], []
    own_tables = tuple(tables)
    for column in chosen:
        table = None if column.parts else find_table(column.signature, column.short, own_tables, spelling=column.metric)
        if table is None:
            without.append(column.name)
            continue
        first, second = scores.matrix(column.name).values[rows]
        shared = ~np.isnan(first) & ~np.isnan(second)
        if not shared.any():
            raise DataError(f"{a} and {b} share no document that has {column.name}")
        above = float(first[shared].mean() - second[shared].mean()) * (-1 if column.better == "lower" else 1)
        winners.append("" if above == 0 else a if above > 0 else b)
        answers.append(make_answer(table, column.name, abs(above), int(shared.sum()), people))
    if not answers:
        raise DataError(explain_nothing_calibrated(chosen))
    return PairTrust(
        system_a=a,
        system_b=b,
        winners=tuple(winners),
        answers=tuple(answers),
        uncalibrated=tuple(without),
    )


def available(tables: Iterable[Table] | None = None) -> tuple[TrustAnswer, ...]:
    """An answer for a gap of 0 from every table, for what it says besides: datasets, needed gaps, signature.

    Without `tables`, from every table that gistmeter ships.

    >>> names = [answer.name for answer in available()]
    >>> "rouge1.f1" in names, "rouge1.recall" in names
    (True, True)
    """
    asked = read_shipped_tables().values() if tables is None else tables
    return tuple(make_answer(table, table.name, 0.0, None, "all") for table in asked)


def answer_for(column: ScoreColumn, gap: float, documents: int, *, tables: Iterable[Table] = ()) -> TrustAnswer | None:
    """The answer for a gap in a column of scores; None where there is no calibration."""
    table = None if column.parts else find_table(column.signature, column.short, tables, spelling=column.metric)
    return None if table is None else make_answer(table, column.name, abs(gap), documents, "all")


def _check_gap(gap_on_scale: float, gap: float, table: Table, points: bool) -> None:
    if not (math.isfinite(gap) and gap >= 0):
        raise ArgumentError(f"`gap` is how far two systems are apart, 0 or more, not {gap:g}")
    way_out = "if you mean points of 100, add `points=True`"
    if table.scale is not None and gap_on_scale > table.scale:
        most = _POINTS if points else table.scale
        more = "" if points or table.scale == _POINTS else f"; {way_out}"
        raise ArgumentError(f"{table.name} is between 0 and {most:g}, so no gap is {gap:g}{more}")
    # Taken at its word, 0.5 would be certain; what is meant is nearly always half a point of 100.
    largest = max(calibrated.largest_gap for calibrated in table.people["all"].sets)
    if table.scale == 1 and not points and gap_on_scale > largest:
        raise ArgumentError(
            f"no two judged systems are {gap:g} apart by {table.name} (at most {largest:.3g}); {way_out}"
        )
