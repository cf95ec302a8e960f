"""Which systems are better, by how much, and whether chance could have done it.

`rank` orders all systems by each score, with intervals and with groups that do not differ significantly.
`compare` looks at two systems. Both resample documents: a bootstrap for the intervals, a paired permutation
test for the p-values, on the documents that both systems of a pair have.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn, Scores

    Pool = Callable[[FloatArray], FloatArray]

# How many notes of one kind are told before the rest are only counted.
_MOST_ALIKE = 5
_PERMUTATIONS = 10_000


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


@dataclass(frozen=True, slots=True)
class DocumentDifference:
    """One document's score by two systems, and the first less the second."""

    doc_id: str
    a: float
    b: float
    difference: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems by one score, on the documents that both have: the first less the second."""

    column: ScoreColumn
    a: float
    b: float
    difference: float
    low: float
    high: float
    pvalue: float
    documents: int
    largest: tuple[DocumentDifference, ...]
    """The documents that differ most; empty for a score that single documents do not have."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems by each score, how it was computed, and what a reader should know."""

    system_a: str
    system_b: str
    differences: tuple[Difference, ...]
    confidence: float
    resamples: int
    permutations: int
    seed: int
    notes: tuple[str, ...]


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
    """Rank the systems by each score (`columns`; all when None).

    `permutations=None` takes 10,000, or more where so many pairs are corrected for that 10,000 could find nothing.

    >>> import polars as pl
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> table = pl.DataFrame({"doc_id": [*"12345678"] * 2, "system": ["lead"] * 8 + ["bart"] * 8,
    ...                       "rouge2.f1": [0.1, 0.2] * 4 + [0.4, 0.3] * 4})
    >>> [column] = rank(Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),))).columns
    >>> [(one.system, round(one.value, 2), one.group) for one in column.systems]
    [('bart', 0.35, 'a'), ('lead', 0.15, 'b')]
    """
    if not 0 < alpha < 1:
        raise DataError(f"alpha is between 0 and 1, such as 0.05, not {alpha}")
    systems = scores.systems
    if permutations is None:
        pairs = len(systems) * (len(systems) - 1) // 2
        permutations = max(_PERMUTATIONS, int(np.ceil(2 * pairs / alpha)))
    notes = _Notes()
    ranked = []
    for column in _chosen_columns(scores, columns):
        parts, pool = _finite_parts(scores, column), _pool(column)
        present = _present(parts)
        found = stats.bootstrap_interval(parts, pool, resamples=resamples, confidence=confidence, seed=seed)
        order = _best_first(found.value, column)
        if column.better == "neither":
            pvalues = np.full((len(systems), len(systems)), np.nan)
            groups = [""] * len(systems)
        else:
            tested = stats.pairwise_pvalues(parts, pool, permutations=permutations, seed=seed)
            pvalues = _corrected(tested)[np.ix_(order, order)]
            groups = _groups(found.value[order], pvalues, alpha)
            notes.add_untested(systems, found.value, tested, column)
            notes.add_too_few(tested, present, permutations, alpha)
        notes.add_coverage(systems, present, column)
        entries = tuple(
            RankedSystem(
                systems[place],
                float(found.value[place]),
                float(found.low[place]),
                float(found.high[place]),
                int(np.count_nonzero(present[place])),
                group,
            )
            for place, group in zip(order, groups, strict=True)
        )
        ranked.append(ColumnRanking(column, entries, pvalues))
    texts = notes.texts(len(ranked), "pairs are tested on shared documents")
    documents = len(scores.documents)
    return Ranking(tuple(ranked), confidence, alpha, resamples, permutations, seed, documents, texts)


def compare(
    scores: Scores,
    a: str,
    b: str,
    *,
    columns: Iterable[str] | None = None,
    resamples: int = 1000,
    permutations: int = _PERMUTATIONS,
    confidence: float = 0.95,
    seed: int = 0,
    largest: int = 5,
) -> Comparison:
    """Compare two systems by each score (`columns`; all when None), with the `largest` differing documents.

    >>> import polars as pl
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> table = pl.DataFrame({"doc_id": [*"1234"] * 2, "system": ["lead"] * 4 + ["bart"] * 4,
    ...                       "rouge2.f1": [0.1, 0.2, 0.3, 0.4, 0.4, 0.3, 0.3, 0.4]})
    >>> scores = Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),))
    >>> [found] = compare(scores, "bart", "lead").differences
    >>> round(found.difference, 2), found.largest[0].doc_id
    (0.1, '1')
    """
    scores.check_system(a)
    scores.check_system(b)
    if a == b:
        raise DataError(f"{a} cannot be compared with itself; name two systems")
    systems, documents = [a, b], np.array(scores.documents, dtype=object)
    rows = [scores.systems.index(system) for system in systems]
    notes = _Notes()
    differences = []
    for column in _chosen_columns(scores, columns):
        parts, pool = _finite_parts(scores, column)[rows], _pool(column)
        present = _present(parts)
        shared = present.all(axis=0)
        notes.add_coverage(systems, present, column)
        if not shared.any():
            notes.add(f"{a} and {b} share no document that has {column.name}")
            differences.append(Difference(column, nan, nan, nan, nan, nan, nan, documents=0, largest=()))
            continue
        first, second = parts[:, shared]
        value_a, value_b = pool(parts[:, shared].sum(axis=1)).tolist()
        bounds = stats.bootstrap_difference(first, second, pool, resamples=resamples, confidence=confidence, seed=seed)
        most = () if column.parts else _largest(documents[shared], first[:, 0], second[:, 0], largest)
        differences.append(
            Difference(
                column,
                value_a,
                value_b,
                bounds.value,
                bounds.low,
                bounds.high,
                pvalue=stats.permutation_pvalue(first, second, pool, permutations=permutations, seed=seed),
                documents=len(first),
                largest=most,
            )
        )
    texts = notes.texts(len(differences), "they are compared on shared documents")
    return Comparison(a, b, tuple(differences), confidence, resamples, permutations, seed, texts)


def _chosen_columns(scores: Scores, names: Iterable[str] | None) -> list[ScoreColumn]:
    names = [names] if isinstance(names, str) else names
    chosen = list(scores.columns) if names is None else [scores.column(name) for name in names]
    if not chosen:
        raise DataError("there is no score to look at: no column was named, or the table has none")
    if not len(scores):
        raise DataError("there are no scores to look at: the table has no rows")
    return chosen


def _finite_parts(scores: Scores, column: ScoreColumn) -> FloatArray:
    parts = scores.parts(column.name)
    if not np.isfinite(parts).all():
        raise DataError(f"{column.name} has infinite values, which have no mean; make them missing to go on")
    return parts


def _pool(column: ScoreColumn) -> Pool:
    """How sums of the column's parts become the score of a system."""
    if not column.parts:
        return stats.ratio
    from gistmeter.metrics import parse_metric

    metric = parse_metric(column.metric)
    names = [one.name for one in metric.pooled_columns]
    if column.short not in names:
        raise DataError(f"{column.metric} has no pooled score {column.short!r} (it has {', '.join(names)})")
    place = names.index(column.short)

    def pool(sums: FloatArray) -> FloatArray:
        # Without any document there is no score, whatever the metric makes of zeros.
        return np.where(sums.any(axis=-1), metric.pool(sums)[..., place], np.nan)

    return pool


def _present(parts: FloatArray) -> NDArray[np.bool_]:
    """Which documents each system has: those whose parts are not all 0."""
    return np.asarray(parts.any(axis=-1))


def _best_first(values: FloatArray, column: ScoreColumn) -> NDArray[np.intp]:
    """The order of the systems: best (or largest) first, those without a value last, ties as they were."""
    return np.argsort(values if column.better == "lower" else -values, kind="stable")


def _corrected(pvalues: FloatArray) -> FloatArray:
    """The table of p-values with Holm's correction over all pairs."""
    upper = np.triu_indices(len(pvalues), 1)
    corrected = np.full_like(pvalues, np.nan)
    corrected[upper] = stats.holm(pvalues[upper])
    corrected.T[upper] = corrected[upper]
    return corrected


def _groups(values: FloatArray, pvalues: FloatArray, alpha: float) -> list[str]:
    """The letters of the systems, which are best first; none where there was nothing to test."""
    known = int(np.count_nonzero(~np.isnan(values)))
    if known < 2:
        return [""] * len(values)
    return [*stats.letter_groups(range(known), pvalues <= alpha), *[""] * (len(values) - known)]


def _largest(
    documents: NDArray[np.object_], a: FloatArray, b: FloatArray, count: int
) -> tuple[DocumentDifference, ...]:
    differences = a - b
    most = np.argsort(-np.abs(differences), kind="stable")[: max(0, count)]
    return tuple(DocumentDifference(documents[i], float(a[i]), float(b[i]), float(differences[i])) for i in most)


class _Notes:
    """What a reader should know, each said once however many scores it holds for."""

    def __init__(self) -> None:
        self._coverage: dict[str, list[str]] = {}
        self._untested: list[str] = []
        self._others: dict[str, None] = {}

    def add(self, text: str) -> None:
        self._others[text] = None

    def add_coverage(self, systems: Sequence[str], present: NDArray[np.bool_], column: ScoreColumn) -> None:
        """Systems that lack documents which others have."""
        total = np.count_nonzero(present.any(axis=0))
        for system, count in zip(systems, present.sum(axis=1), strict=True):
            if count < total:
                text = f"{system} has {count} of {total} documents"
                self._coverage.setdefault(text, []).append(column.name)

    def add_untested(
        self, systems: Sequence[str], values: FloatArray, pvalues: FloatArray, column: ScoreColumn
    ) -> None:
        """Pairs that both have values but no document in common."""
        for i, j in combinations(np.flatnonzero(~np.isnan(values)).tolist(), 2):
            if np.isnan(pvalues[i, j]):
                pair = f"{systems[i]} and {systems[j]}"
                self._untested.append(f"{pair} share no document that has {column.name}: not tested")

    def add_too_few(self, pvalues: FloatArray, present: NDArray[np.bool_], permutations: int, alpha: float) -> None:
        """Corrected for many pairs, even the smallest p-value that the test can give may exceed alpha."""
        pairs = np.count_nonzero(~np.isnan(pvalues)) // 2
        documents = int(np.count_nonzero(present.any(axis=0)))
        if pairs and documents < 64 and pairs * 2 / 2**documents > alpha:
            noun = "document is" if documents == 1 else "documents are"
            self.add(
                f"{documents} {noun} too few for the test to find any difference at alpha {alpha:g}: sharing a letter "
                "says nothing here"
            )
        elif pairs / (permutations + 1) > alpha:
            self.add(
                f"{permutations} permutations are too few to find any difference among {pairs} pairs at "
                f"alpha {alpha:g}; use at least {int(np.ceil(pairs / alpha))}"
            )

    def texts(self, columns: int, ending: str) -> tuple[str, ...]:
        """All notes; a system's coverage names the scores only if it does not hold for all `columns`."""
        coverage = [
            f"{text}{'' if len(names) == columns else ' for ' + ', '.join(names)}; {ending}"
            for text, names in self._coverage.items()
        ]
        kept = coverage[:_MOST_ALIKE] + self._untested[:_MOST_ALIKE] + list(self._others)
        left = max(0, len(coverage) - _MOST_ALIKE) + max(0, len(self._untested) - _MOST_ALIKE)
        return (*kept, *([f"{left} more notes like these on missing documents"] if left else []))
