"""Rank systems by each score, with intervals and with groups of systems that do not differ significantly.

Documents are resampled: a bootstrap gives the intervals, a paired permutation test the p-values, on the documents that
both systems of a pair have.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError
from gistmeter.ranking.columns import (
    choose_columns,
    finite_parts,
    main_columns,
    note_columns,
    note_diagnostics,
    pool_for,
    present_documents,
)
from gistmeter.ranking.large import is_too_large, rank_large
from gistmeter.ranking.notes import ReaderNotes
from gistmeter.ranking.order import ColumnOrder, best_first, correct_pairs, group_letters
from gistmeter.scores import Scores, ScoresLike
from gistmeter.views import ChartView

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn

DEFAULT_PERMUTATIONS = 10_000

Tests = Literal["permutations", "saddlepoint", "best"]
"""All pairs by permutations, all pairs by a saddlepoint approximation of these, or each system against the best."""

Letters = Literal["groups", "runs", "best"]
"""Who shares a letter: exactly those that do not differ; those of a run of the ranking that do not differ from its
first; those that do not differ from the best."""

MOST_PERMUTED_SYSTEMS = 40
"""Systems of which all pairs are tested by permutations, unless their number is given."""


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system in a ranking: its score, the interval, and the letters of the groups it belongs to."""

    system: str
    value: float
    low: float
    high: float
    """The ends of the interval; NaN where there is a single document."""
    documents: int
    """How many documents it has a score for."""
    group: str
    """Systems that share a letter do not differ significantly; empty when there was nothing to test."""


@dataclass(frozen=True, slots=True)
class ColumnRanking:
    """The systems by one score, best first, and the p-values of all pairs in that order.

    `pvalues` is systems x systems, corrected by Holm's method, NaN for what was not tested; where the ranking's `tests`
    are those against the best alone, it has one row, of the best.
    """

    column: ScoreColumn
    systems: tuple[RankedSystem, ...]
    pvalues: FloatArray = field(compare=False)


@dataclass(frozen=True, slots=True, repr=False)
class Ranking(ChartView):
    """The rankings by each score, how they were computed, and what a reader should know."""

    columns: tuple[ColumnRanking, ...]
    confidence: float
    alpha: float
    resamples: int
    permutations: int
    seed: int
    documents: int
    notes: tuple[str, ...]
    tests: Tests = "permutations"
    """Which pairs were tested, and how."""
    letters: Letters = "groups"
    """What systems that share a letter have in common."""
    by: str = ""
    """What the systems are shown by, such as their type, if by anything."""
    sections: Mapping[str, str] = field(default_factory=dict)
    """The section of each system, if they are shown by sections."""

    @property
    def leading(self) -> ColumnRanking:
        """The ranking that gives the systems their order: by the first main score that says which way is good."""
        main = main_columns(ranked.column for ranked in self.columns)
        shown = [ranked for ranked in self.columns if ranked.column in main]
        return next((ranked for ranked in shown if ranked.column.better != "neither"), shown[0])


def rank(
    scores: ScoresLike,
    *,
    columns: Iterable[str] | None = None,
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
    resamples: int = 1000,
    permutations: int | None = None,
    confidence: float = 0.95,
    alpha: float = 0.05,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Ranking:
    """Rank the systems by each score.

    Parameters
    ----------
    scores
        The scores of a run, the file that they are in, or a frame.
    columns
        The names of the scores to rank by, such as `rouge2.f1`; all when None.
    lower, higher
        The names of scores whose lower (or higher) values are better, where nothing says so, or says otherwise.
    resamples
        Bootstrap resamples of the documents behind the intervals.
    permutations
        Permutations behind the tests. None takes 10,000, or more where so many pairs are corrected for that 10,000
        could find nothing; for more than 40 systems the tests are approximated without any (`Ranking.tests` says so),
        and of more than 2,000 each is tested against the best alone.
    confidence
        Of the intervals.
    alpha
        Two systems differ significantly when their corrected p-value is no larger than this.
    seed
        Of the resampling; the same seed gives the same figures.
    progress
        Called now and then with the share of the work that is done.

    Returns
    -------
    The ranking by each score, with intervals, corrected p-values, letters of groups, and notes for the reader.

    Raises
    ------
    ArgumentError
        If `alpha` is not between 0 and 1.
    DataError
        If there is no such score, no row, or an infinite value.

    >>> import polars as pl
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> table = pl.DataFrame({"doc_id": [*"12345678"] * 2, "system": ["lead"] * 8 + ["bart"] * 8,
    ...                       "rouge2.f1": [0.1, 0.2] * 4 + [0.4, 0.3] * 4})
    >>> [column] = rank(Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),))).columns
    >>> [(ranked.system, round(ranked.value, 2), ranked.group) for ranked in column.systems]
    [('bart', 0.35, 'a'), ('lead', 0.15, 'b')]
    """
    if not 0 < alpha < 1:
        raise ArgumentError(f"`alpha` is between 0 and 1, such as 0.05, not {alpha}")
    scores = Scores.of(scores)
    systems = scores.systems
    chosen = choose_columns(scores, columns, lower=lower, higher=higher)
    table_notes = scores.column_notes if columns is None else ()
    about_columns = (*table_notes, *note_columns(chosen), *note_diagnostics(chosen))
    if is_too_large(scores) or (permutations is None and len(systems) > MOST_PERMUTED_SYSTEMS):
        large = rank_large(
            scores, chosen, resamples=resamples, confidence=confidence, alpha=alpha, seed=seed, progress=progress
        )
        return Ranking(
            columns=tuple(
                ColumnRanking(ranked.column, _list_systems(systems, ranked), ranked.pvalues) for ranked in large.columns
            ),
            confidence=confidence,
            alpha=alpha,
            resamples=resamples,
            permutations=0,
            seed=seed,
            documents=len(scores.documents),
            notes=(*about_columns, *large.notes),
            tests="saddlepoint" if large.all_pairs else "best",
            letters=large.letters,
        )
    if permutations is None:
        pairs = len(systems) * (len(systems) - 1) // 2
        permutations = max(DEFAULT_PERMUTATIONS, int(np.ceil(2 * pairs / alpha)))
    notes = ReaderNotes()
    for note in about_columns:
        notes.add(note)
    ranked_columns = []
    parts_by_column = {column: finite_parts(scores, column) for column in chosen}
    pvalues_by_column = _test_pairs(parts_by_column, permutations=permutations, seed=seed, progress=progress)
    for column, parts in parts_by_column.items():
        present = present_documents(parts)
        intervals = stats.bootstrap_interval(
            parts, pool_for(column), resamples=resamples, confidence=confidence, seed=seed
        )
        order = best_first(intervals.value, column)
        pvalues = np.full((len(systems), len(systems)), np.nan)
        groups = [""] * len(systems)
        if column in pvalues_by_column:
            tested = pvalues_by_column[column]
            pvalues = correct_pairs(tested)[np.ix_(order, order)]
            groups = group_letters(intervals.value[order], pvalues, alpha)
            notes.add_untested(systems, intervals.value, tested, column)
            notes.add_too_few(int(np.count_nonzero(~np.isnan(tested))) // 2, present, permutations, alpha)
        notes.add_coverage(systems, present, column)
        ranked = ColumnOrder(
            column=column,
            order=order,
            intervals=intervals,
            documents=np.count_nonzero(present, axis=1),
            groups=groups,
            pvalues=pvalues,
        )
        ranked_columns.append(ColumnRanking(column, _list_systems(systems, ranked), pvalues))
    return Ranking(
        columns=tuple(ranked_columns),
        confidence=confidence,
        alpha=alpha,
        resamples=resamples,
        permutations=permutations,
        seed=seed,
        documents=len(scores.documents),
        notes=notes.texts(len(ranked_columns), "pairs are tested on shared documents"),
    )


def _list_systems(systems: Sequence[str], ranked: ColumnOrder) -> tuple[RankedSystem, ...]:
    """The systems by one score, best first."""
    intervals = ranked.intervals
    return tuple(
        RankedSystem(
            system=systems[index],
            value=float(intervals.value[index]),
            # Resamples of a single document are that document: no interval.
            low=float(intervals.low[index]) if ranked.documents[index] > 1 else nan,
            high=float(intervals.high[index]) if ranked.documents[index] > 1 else nan,
            documents=int(ranked.documents[index]),
            group=group,
        )
        for index, group in zip(ranked.order, ranked.groups, strict=True)
    )


def _test_pairs(
    parts_by_column: Mapping[ScoreColumn, FloatArray],
    *,
    permutations: int,
    seed: int,
    progress: Callable[[float], None] | None,
) -> dict[ScoreColumn, FloatArray]:
    """The p-values of all pairs of systems by each score that judges, not yet corrected: the means all together."""
    judging = [column for column in parts_by_column if column.better != "neither"]
    means = [column for column in judging if not column.parts]
    pvalues = {
        column: stats.pairwise_pvalues(parts_by_column[column], pool_for(column), permutations=permutations, seed=seed)
        for column in judging
        if column.parts
    }
    if means:
        parts = np.stack([parts_by_column[column] for column in means])
        values = np.where(parts[..., 1] > 0, parts[..., 0], np.nan)
        tested = stats.pairwise_mean_pvalues(values, permutations=permutations, seed=seed, progress=progress)
        pvalues |= dict(zip(means, tested, strict=True))
    return pvalues
