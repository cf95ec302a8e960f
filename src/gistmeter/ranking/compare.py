"""Compare two systems by each score, on the documents that both have.

Documents are resampled: a bootstrap gives the interval of the difference, a paired permutation test its p-value.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError
from gistmeter.ranking.columns import (
    choose_columns,
    finite_parts,
    note_columns,
    note_diagnostics,
    pool_for,
    present_documents,
)
from gistmeter.ranking.notes import ReaderNotes
from gistmeter.ranking.rank import DEFAULT_PERMUTATIONS
from gistmeter.scores import Scores, ScoresLike
from gistmeter.views import ChartView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn


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

    @classmethod
    def undefined(cls, column: ScoreColumn) -> Difference:
        """The difference of two systems that share no document with this score: NaN throughout."""
        return cls(column=column, a=nan, b=nan, difference=nan, low=nan, high=nan, pvalue=nan, documents=0, largest=())


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(ChartView):
    """Two systems by each score, how it was computed, and what a reader should know."""

    system_a: str
    system_b: str
    differences: tuple[Difference, ...]
    confidence: float
    resamples: int
    permutations: int
    seed: int
    notes: tuple[str, ...]


def compare(
    scores: ScoresLike,
    a: str,
    b: str,
    *,
    columns: Iterable[str] | None = None,
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
    resamples: int = 1000,
    permutations: int = DEFAULT_PERMUTATIONS,
    confidence: float = 0.95,
    seed: int = 0,
    largest: int = 5,
) -> Comparison:
    """Compare two systems by each score.

    Parameters
    ----------
    scores
        The scores of a run, the file that they are in, or a frame.
    a, b
        The names of the two systems.
    columns
        The names of the scores to compare by, such as `rouge2.f1`; all when None.
    lower, higher
        The names of scores whose lower (or higher) values are better, where nothing says so, or says otherwise.
    resamples
        Bootstrap resamples of the documents behind the intervals.
    permutations
        Permutations behind the tests.
    confidence
        Of the intervals.
    seed
        Of the resampling; the same seed gives the same figures.
    largest
        How many of the documents that differ most to name for each score.

    Returns
    -------
    For each score the difference (`a` less `b`), its interval, its p-value and the documents that differ most.

    Raises
    ------
    ArgumentError
        If the two systems are the same.
    DataError
        If there is no such system or score, no row, or an infinite value.

    >>> import polars as pl
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> table = pl.DataFrame({"doc_id": [*"1234"] * 2, "system": ["lead"] * 4 + ["bart"] * 4,
    ...                       "rouge2.f1": [0.1, 0.2, 0.3, 0.4, 0.4, 0.3, 0.3, 0.4]})
    >>> scores = Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),))
    >>> [rouge2] = compare(scores, "bart", "lead").differences
    >>> round(rouge2.difference, 2), rouge2.largest[0].doc_id
    (0.1, '1')
    """
    scores = Scores.of(scores)
    check_two_systems(scores, a, b)
    documents = scores.documents
    rows = [scores.systems.index(system) for system in (a, b)]
    notes = ReaderNotes()
    chosen = choose_columns(scores, columns, lower=lower, higher=higher)
    table_notes = scores.column_notes if columns is None else ()
    for note in (*table_notes, *note_columns(chosen), *note_diagnostics(chosen)):
        notes.add(note)
    differences = []
    for column in chosen:
        parts = finite_parts(scores, column)[rows]
        present = present_documents(parts)
        shared = np.flatnonzero(present.all(axis=0))
        notes.add_coverage((a, b), present, column)
        if not len(shared):
            notes.add(f"{a} and {b} share no document that has {column.name}")
            differences.append(Difference.undefined(column))
            continue
        pool = pool_for(column)
        first, second = parts[:, shared]
        value_a, value_b = pool(parts[:, shared].sum(axis=1)).tolist()
        interval = stats.bootstrap_difference(
            first, second, pool, resamples=resamples, confidence=confidence, seed=seed
        )
        differences.append(
            Difference(
                column=column,
                a=value_a,
                b=value_b,
                difference=interval.value,
                low=interval.low if len(shared) > 1 else nan,
                high=interval.high if len(shared) > 1 else nan,
                pvalue=stats.permutation_pvalue(first, second, pool, permutations=permutations, seed=seed),
                documents=len(first),
                largest=()
                if column.parts
                else largest_differences([documents[index] for index in shared], first[:, 0], second[:, 0], largest),
            )
        )
    return Comparison(
        system_a=a,
        system_b=b,
        differences=tuple(differences),
        confidence=confidence,
        resamples=resamples,
        permutations=permutations,
        seed=seed,
        notes=notes.texts(len(differences), "they are compared on shared documents"),
    )


def check_two_systems(scores: Scores, a: str, b: str) -> None:
    """Refuse systems that are not in the table, and a system compared with itself."""
    scores.check_system(a)
    scores.check_system(b)
    if a == b:
        raise ArgumentError(f"{a} cannot be compared with itself; name two systems")


def largest_differences(
    documents: Sequence[str], a: FloatArray, b: FloatArray, count: int
) -> tuple[DocumentDifference, ...]:
    """The `count` documents that differ most, with both scores."""
    differences = a - b
    order = np.argsort(-np.abs(differences), kind="stable")[: max(0, count)]
    return tuple(
        DocumentDifference(
            doc_id=documents[index], a=float(a[index]), b=float(b[index]), difference=float(differences[index])
        )
        for index in order
    )
