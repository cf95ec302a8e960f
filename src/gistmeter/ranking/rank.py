"""Rank systems by each score, with intervals and with groups of systems that do not differ significantly.

Documents are resampled: a bootstrap gives the intervals, a paired permutation test the p-values, on the documents that
both systems of a pair have.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError
from gistmeter.ranking.columns import choose_columns, finite_parts, main_columns, pool_for, present_documents
from gistmeter.ranking.notes import ReaderNotes
from gistmeter.stats.ties import snap_ties, tie_width

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn, Scores

DEFAULT_PERMUTATIONS = 10_000


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """A system in a ranking: its score, the interval, and the letters of the groups it belongs to."""

    system: str
    value: float
    low: float
    high: float
    documents: int
    """How many documents it has a score for."""
    group: str
    """Systems that share a letter do not differ significantly; empty when there was nothing to test."""


@dataclass(frozen=True, slots=True)
class ColumnRanking:
    """The systems by one score, best first, and the p-values of all pairs in that order.

    `pvalues` is systems x systems, corrected by Holm's method, NaN for what was not tested.
    """

    column: ScoreColumn
    systems: tuple[RankedSystem, ...]
    pvalues: FloatArray = field(compare=False)


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rankings by each score, how they were computed, and what a reader should know."""

    columns: tuple[ColumnRanking, ...]
    confidence: float
    alpha: float
    resamples: int
    permutations: int
    seed: int
    documents: int
    notes: tuple[str, ...]
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
    scores: Scores,
    *,
    columns: Iterable[str] | None = None,
    resamples: int = 1000,
    permutations: int | None = None,
    confidence: float = 0.95,
    alpha: float = 0.05,
    seed: int = 0,
) -> Ranking:
    """Rank the systems by each score.

    Parameters
    ----------
    scores
        The scores of a run.
    columns
        The names of the scores to rank by, such as `rouge2.f1`; all when None.
    resamples
        Bootstrap resamples of the documents behind the intervals.
    permutations
        Permutations behind the tests. None takes 10,000, or more where so many pairs are corrected for that 10,000
        could find nothing.
    confidence
        Of the intervals.
    alpha
        Two systems differ significantly when their corrected p-value is no larger than this.
    seed
        Of the resampling; the same seed gives the same figures.

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
    systems = scores.systems
    if permutations is None:
        pairs = len(systems) * (len(systems) - 1) // 2
        permutations = max(DEFAULT_PERMUTATIONS, int(np.ceil(2 * pairs / alpha)))
    notes = ReaderNotes()
    ranked_columns = []
    parts_by_column = {column: finite_parts(scores, column) for column in choose_columns(scores, columns)}
    pvalues_by_column = _test_pairs(parts_by_column, permutations=permutations, seed=seed)
    for column, parts in parts_by_column.items():
        present = present_documents(parts)
        intervals = stats.bootstrap_interval(
            parts, pool_for(column), resamples=resamples, confidence=confidence, seed=seed
        )
        order = _best_first(intervals.value, column)
        pvalues = np.full((len(systems), len(systems)), np.nan)
        groups = [""] * len(systems)
        if column in pvalues_by_column:
            tested = pvalues_by_column[column]
            pvalues = _correct(tested)[np.ix_(order, order)]
            groups = _group_letters(intervals.value[order], pvalues, alpha)
            notes.add_untested(systems, intervals.value, tested, column)
            notes.add_too_few(tested, present, permutations, alpha)
        notes.add_coverage(systems, present, column)
        ranked_systems = tuple(
            RankedSystem(
                system=systems[index],
                value=float(intervals.value[index]),
                low=float(intervals.low[index]),
                high=float(intervals.high[index]),
                documents=int(np.count_nonzero(present[index])),
                group=group,
            )
            for index, group in zip(order, groups, strict=True)
        )
        ranked_columns.append(ColumnRanking(column, ranked_systems, pvalues))
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


def _test_pairs(
    parts_by_column: Mapping[ScoreColumn, FloatArray], *, permutations: int, seed: int
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
        tested = stats.pairwise_mean_pvalues(values, permutations=permutations, seed=seed)
        pvalues |= dict(zip(means, tested, strict=True))
    return pvalues


def _best_first(values: FloatArray, column: ScoreColumn) -> NDArray[np.intp]:
    """The order of the systems: best (or largest) first, those without a value last, ties as they were."""
    snapped = snap_ties(values, tie_width(values))
    return np.argsort(snapped if column.better == "lower" else -snapped, kind="stable")


def _correct(pvalues: FloatArray) -> FloatArray:
    """The table of p-values with Holm's correction over all pairs."""
    upper = np.triu_indices(len(pvalues), 1)
    corrected = np.full_like(pvalues, np.nan)
    corrected[upper] = stats.holm(pvalues[upper])
    corrected.T[upper] = corrected[upper]
    return corrected


def _group_letters(values: FloatArray, pvalues: FloatArray, alpha: float) -> list[str]:
    """The letters of the systems, which are best first; none where there was nothing to test."""
    scored = int(np.count_nonzero(~np.isnan(values)))
    if scored < 2:
        return [""] * len(values)
    return [*stats.letter_groups(range(scored), pvalues <= alpha), *[""] * (len(values) - scored)]
