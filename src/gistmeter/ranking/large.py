"""Large boards: tests that cost the same however small their p-values, and no table of all pairs of many systems.

With n systems there are n (n - 1) / 2 pairs, and a test that is corrected for so many needs as many permutations to
find anything: the work would grow with the fourth power of n. So the permutation tests are approximated (by a
saddlepoint), and of more systems than `MOST_PAIRED_SYSTEMS` each is tested against the best alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.ranking.columns import pool_for, refuse_infinite
from gistmeter.ranking.notes import ReaderNotes
from gistmeter.ranking.order import ColumnOrder, best_first, correct_pairs, group_letters

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.ranking.columns import Pool
    from gistmeter.scores import ScoreColumn, Scores

MOST_PAIRED_SYSTEMS = 2_000
"""Systems of which all pairs are tested."""

MOST_PAIRED_CELLS = 1 << 25
"""Systems times documents of a board of which all pairs are tested."""

MOST_LETTERED_SYSTEMS = 200
"""Systems whose letters are shared by exactly those that do not differ; there may be very many such groups."""

_BLOCK_CELLS = 1 << 21
_BLOCK_SYSTEMS = 500
_GRADIENT_STEP = 1e-4


@dataclass(frozen=True, slots=True, eq=False)
class LargeRanking:
    """The columns of a large board, and what a reader should know."""

    columns: tuple[ColumnOrder, ...]
    all_pairs: bool
    """Whether all pairs were tested, or each system against the best alone."""
    letters: Literal["groups", "runs", "best"]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """Some neighbouring systems with the documents that any of them has."""

    first: int
    documents: NDArray[np.intp]
    parts: FloatArray
    """Systems x documents x parts."""

    @property
    def present(self) -> BoolArray:
        return np.asarray(self.parts.any(axis=-1))


class _LongColumn:
    """One score as a row for each summary: a board of which most cells are empty takes no more than its rows."""

    def __init__(self, scores: Scores, column: ScoreColumn) -> None:
        systems, documents, numbers = scores.long_parts(column.name)
        refuse_infinite(numbers, column)
        order = np.argsort(systems, kind="stable")
        self._systems, self._documents, self._numbers = systems[order], documents[order], numbers[order]
        self.count = int(systems.max()) + 1
        self.document_count = int(documents.max()) + 1

    def block(self, first: int, end: int) -> _Block:
        """The systems from number `first` up to number `end`."""
        rows = slice(*np.searchsorted(self._systems, [first, end]))
        documents, columns = np.unique(self._documents[rows], return_inverse=True)
        parts = np.zeros((end - first, len(documents), self._numbers.shape[-1]))
        parts[self._systems[rows] - first, columns] = self._numbers[rows]
        return _Block(first, documents, parts)

    def blocks(self) -> Iterator[_Block]:
        """All systems, a few at a time."""
        size = max(1, min(_BLOCK_SYSTEMS, _BLOCK_CELLS // self.document_count))
        for first in range(0, self.count, size):
            yield self.block(first, min(self.count, first + size))


def is_too_large(scores: Scores) -> bool:
    """Whether there are too many systems, or too many cells, to hold and test all pairs."""
    systems = len(scores.systems)
    return systems > MOST_PAIRED_SYSTEMS or systems * len(scores.documents) > MOST_PAIRED_CELLS


def rank_large(
    scores: Scores,
    columns: Sequence[ScoreColumn],
    *,
    resamples: int,
    confidence: float,
    alpha: float,
    seed: int,
    progress: Callable[[float], None] | None = None,
) -> LargeRanking:
    """Rank a large board; all pairs are tested unless it is too large for that."""
    systems = scores.systems
    all_pairs = not is_too_large(scores)
    notes = ReaderNotes()
    ranked: list[ColumnOrder] = []

    def report(share: float) -> None:
        if progress is not None:
            progress((len(ranked) + share) / len(columns))

    for column in columns:
        long, pool = _LongColumn(scores, column), pool_for(column)
        intervals = _find_intervals(long, pool, resamples, confidence, seed, lambda share: report(share / 2))
        order = best_first(intervals.value, column)
        counts = np.concatenate([np.count_nonzero(block.present, axis=1) for block in long.blocks()])
        groups, pvalues = [""] * len(systems), np.full((1, len(systems)), np.nan)
        judging = column.better != "neither"
        if judging and all_pairs:
            tested = _test_pairs(column, long, pool, lambda share: report(0.5 + share / 2))
            pvalues = correct_pairs(tested)[np.ix_(order, order)]
            groups = _find_letters(intervals.value[order], pvalues, alpha)
            tests = int(np.count_nonzero(~np.isnan(tested))) // 2
            scored = int(np.count_nonzero(~np.isnan(intervals.value)))
            notes.add_untested_pairs(scored * (scored - 1) // 2 - tests, column)
        elif judging:
            best = int(order[0])
            tested = _test_against(best, column, long, pool, lambda share: report(0.5 + share / 2))
            pvalues = stats.holm(tested[order])[None, :]
            groups = _letter_ties_with_best(intervals.value[order], pvalues[0], alpha)
            tests = int(np.count_nonzero(~np.isnan(tested)))
            notes.add_untested_pairs(int(np.count_nonzero(~np.isnan(intervals.value))) - 1 - tests, column)
        present = _any_present(long)
        if judging:
            notes.add_too_few(tests, present, None, alpha)
        notes.add_counts(systems, counts, column, total=int(np.count_nonzero(present)))
        ranked.append(
            ColumnOrder(
                column=column, order=order, intervals=intervals, documents=counts, groups=groups, pvalues=pvalues
            )
        )
        report(0.0)
    letters: Literal["groups", "runs", "best"] = "groups" if len(systems) <= MOST_LETTERED_SYSTEMS else "runs"
    return LargeRanking(
        columns=tuple(ranked),
        all_pairs=all_pairs,
        letters=letters if all_pairs else "best",
        notes=notes.texts(len(ranked), "pairs are tested on shared documents"),
    )


def _find_intervals(
    long: _LongColumn,
    pool: Pool,
    resamples: int,
    confidence: float,
    seed: int,
    report: Callable[[float], None],
) -> stats.Intervals:
    """The bootstrap intervals, some systems at a time: each block draws anew from the documents that it has."""
    interval_blocks = []
    for block in long.blocks():
        parts = block.parts if block.parts.shape[1] else np.zeros((len(block.parts), 1, block.parts.shape[2]))
        interval_blocks.append(
            stats.bootstrap_interval(parts, pool, resamples=resamples, confidence=confidence, seed=seed)
        )
        report((block.first + len(parts)) / long.count)
    return stats.Intervals(
        *(np.concatenate([getattr(each, end) for each in interval_blocks]) for end in ("value", "low", "high"))
    )


def _any_present(long: _LongColumn) -> BoolArray:
    """Which documents any system has, as a table of one row."""
    present = np.zeros((1, long.document_count), dtype=bool)
    for block in long.blocks():
        present[0, block.documents[block.present.any(axis=0)]] = True
    return present


def _test_pairs(column: ScoreColumn, long: _LongColumn, pool: Pool, report: Callable[[float], None]) -> FloatArray:
    """The p-values of all pairs of systems, not yet corrected."""
    whole = long.block(0, long.count)
    if not column.parts:
        return stats.pairwise_saddlepoint_pvalues(_means(whole), progress=report)
    pvalues = np.full((long.count, long.count), np.nan)
    for system in range(long.count - 1):
        row = _test_pooled(whole.parts[system], whole.parts[system + 1 :], pool)
        pvalues[system, system + 1 :] = pvalues[system + 1 :, system] = row
        report((system + 1) / long.count)
    return pvalues


def _test_against(
    best: int, column: ScoreColumn, long: _LongColumn, pool: Pool, report: Callable[[float], None]
) -> FloatArray:
    """The p-values of each system against the best, not yet corrected; NaN for itself."""
    own = long.block(best, best + 1)
    pvalues = []
    for block in long.blocks():
        shared, here, there = np.intersect1d(block.documents, own.documents, return_indices=True)
        if not len(shared):
            pvalues.append(np.full(len(block.parts), np.nan))
        elif column.parts:
            pvalues.append(_test_pooled(own.parts[0, there], block.parts[:, here], pool))
        else:
            joined = _Block(0, shared, np.concatenate([block.parts[:, here], own.parts[:, there]]))
            tested = stats.pairwise_saddlepoint_pvalues(_means(joined), others=[len(block.parts)])
            pvalues.append(tested[:-1, 0])
        report((block.first + len(block.parts)) / long.count)
    joined_pvalues = np.concatenate(pvalues)
    joined_pvalues[best] = np.nan
    return joined_pvalues


def _means(block: _Block) -> FloatArray:
    """A mean has the score and the count for parts: the scores, NaN where there is none."""
    return np.where(block.parts[..., 1] > 0, block.parts[..., 0], np.nan)


def _test_pooled(own: FloatArray, others: FloatArray, pool: Pool) -> FloatArray:
    """The p-values of one system (documents x parts) against others (systems x documents x parts), by a pooled score.

    Near the sums that two systems have together, a pooled score is taken for linear in its parts.
    """
    shared: BoolArray = np.logical_and(own.any(axis=-1), others.any(axis=-1))
    first = np.where(shared[..., None], own, 0.0)
    second = np.where(shared[..., None], others, 0.0)
    sums = first.sum(axis=1), second.sum(axis=1)
    middle = (sums[0] + sums[1]) / 2
    gradient = np.empty_like(middle)
    for part in range(middle.shape[-1]):
        step = np.zeros_like(middle)
        step[:, part] = _GRADIENT_STEP * np.maximum(1.0, np.abs(middle[:, part]))
        gradient[:, part] = (pool(middle + step) - pool(middle - step)) / (2 * step[:, part])
    moved = ((first - second) * np.nan_to_num(gradient)[:, None]).sum(axis=-1)
    return stats.swap_pvalues(moved, pool(sums[0]) - pool(sums[1]))


def _find_letters(values: FloatArray, pvalues: FloatArray, alpha: float) -> list[str]:
    """The letters of the systems, best first: of groups or, of many systems, of runs."""
    if len(values) <= MOST_LETTERED_SYSTEMS:
        return group_letters(values, pvalues, alpha)
    scored = int(np.count_nonzero(~np.isnan(values)))
    return [*stats.letter_runs(pvalues[:scored, :scored] <= alpha), *[""] * (len(values) - scored)]


def _letter_ties_with_best(values: FloatArray, pvalues: FloatArray, alpha: float) -> list[str]:
    """An "a" for the best and all that do not differ from it; nothing for the others."""
    tied = ~(pvalues <= alpha) & ~np.isnan(values)
    return ["a" if each else "" for each in tied]
