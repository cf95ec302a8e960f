"""Is a new version of a system worse than the one before? One-sided, with a margin, document by document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError
from gistmeter.ranking.columns import choose_columns, finite_parts, main_columns, pool_for, present_documents
from gistmeter.ranking.compare import DocumentDifference, largest_differences
from gistmeter.ranking.rank import DEFAULT_PERMUTATIONS
from gistmeter.ranking.stacking import pair_systems, stack_scores
from gistmeter.scores import Scores
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn

Verdict = Literal["not worse", "undecided", "worse"]
FEWEST_DOCUMENTS = 2
_WORST_DOCUMENTS = 5
_LEAST_ALPHA = 0.001
"""The smallest p-value that swapping documents can give is expected below this."""
_BASE, _NEW = "base", "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRow:
    """A new version of a system by one score: the new less the base, and what that says."""

    system: str
    column: ScoreColumn
    base: float
    new: float
    difference: float
    low: float
    high: float
    """An interval of 1 - 2 alpha: each of its ends is a limit at level alpha."""

    pvalue: float
    """How likely so bad a difference is if the new version is worse by just the margin; by Holm for all rows."""

    margin: float
    documents: int
    verdict: Verdict
    worst: tuple[DocumentDifference, ...]
    """The documents that lost most; empty for a score that single documents do not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """What a gate says of all systems and scores."""

    rows: tuple[GateRow, ...]
    alpha: float
    strict: bool
    permutations: int
    resamples: int
    seed: int
    notes: tuple[str, ...]

    @property
    def failed(self) -> tuple[GateRow, ...]:
        """The rows for which the gate stays shut: worse, and where it is strict, also undecided."""
        return tuple(row for row in self.rows if row.verdict == "worse" or (self.strict and row.verdict == "undecided"))

    @property
    def passed(self) -> bool:
        """Whether nothing keeps the gate shut."""
        return not self.failed


def gate(
    base: Scores | str | Path,
    new: Scores | str | Path,
    *,
    columns: Iterable[str] | None = None,
    margin: float = 0.0,
    alpha: float = 0.05,
    strict: bool = False,
    lower: Iterable[str] = (),
    permutations: int = DEFAULT_PERMUTATIONS,
    resamples: int = 2000,
    seed: int = 0,
) -> GateResult:
    """Say whether new scores are worse than those of a base, by each score and system.

    Parameters
    ----------
    base, new
        The scores of the version that is trusted and of the version that wants in, on the same documents; or their
        files.
    columns
        The names of the scores to gate by, such as `rouge2.f1`; the main ones of each metric when None.
    margin
        How much worse the new version may be, in the unit of the score.
    alpha
        The level of the gate: of versions worse by just the margin, at most so many are called worse.
    strict
        Whether a version must be shown to be no worse than the margin (non-inferiority). Without it only a version that
        is shown to be worse is refused, and what is undecided goes through.
    lower
        The names of scores whose lower values are better, where their files do not say so.
    permutations
        Permutations of the documents' differences behind the p-values.
    resamples
        Bootstrap resamples behind the intervals, and behind the p-values of scores that are pooled over documents.
    seed
        Of both; the same seed gives the same figures.

    Returns
    -------
    GateResult
        A row for each system and score, and `passed`.

    Raises
    ------
    ArgumentError
        A margin below 0, or a level that is none.
    DataError
        The two have no system, document or score in common, a score was computed differently in the two, or has no
        better direction.

    Examples
    --------
    Twelve documents that each lose a bit: worse, whatever chance had to do with it.

    >>> import polars as pl
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> def scores(values):
    ...     table = pl.DataFrame({"doc_id": [f"{i}" for i in range(12)], "system": "ours", "rouge2.f1": values})
    ...     return Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),))
    >>> before = scores([0.2 + 0.01 * i for i in range(12)])
    >>> after = scores([0.18 + 0.01 * i + 0.001 * (i % 3) for i in range(12)])
    >>> [row] = gate(before, after).rows
    >>> row.verdict, round(row.difference, 3)
    ('worse', -0.019)
    >>> gate(before, after, margin=0.05).passed
    True
    """
    if not (isfinite(margin) and margin >= 0):
        raise ArgumentError(f"`margin` is 0 or more, not {margin}")
    if not 0 < alpha < 0.5:
        raise ArgumentError(f"`alpha` is between 0 and 0.5, not {alpha}")
    base, new = Scores.of(base), Scores.of(new)
    pairs, notes = pair_systems(base.systems, new.systems)
    stacked = stack_scores({_BASE: base, _NEW: new}, label=True)
    chosen = choose_columns(stacked, columns)
    if columns is None:
        chosen = list(main_columns(chosen))
    turned = _check_directions(chosen, set(lower), everything=columns is None)
    numbers = {system: number for number, system in enumerate(stacked.systems)}
    documents = stacked.documents
    rows = []
    for column, sign in turned.items():
        parts = finite_parts(stacked, column)
        for base_system, new_system in pairs:
            at = [numbers[f"{base_system} ({_BASE})"], numbers[f"{new_system} ({_NEW})"]]
            rows.append(
                _gate_pair(
                    new_system,
                    column,
                    parts[at],
                    documents,
                    sign=sign,
                    margin=margin,
                    alpha=alpha,
                    permutations=permutations,
                    resamples=resamples,
                    seed=seed,
                )
            )
    rows = _correct(rows, alpha)
    undirected = [column.name for column in chosen if column not in turned]
    if undirected:
        notes += (f"without a better direction, so not gated: {', '.join(undirected)}",)
    return GateResult(
        rows=tuple(rows),
        alpha=alpha,
        strict=strict,
        permutations=permutations,
        resamples=resamples,
        seed=seed,
        notes=(*stacked.notes, *notes, *_note_documents(rows)),
    )


def _correct(rows: Iterable[GateRow], alpha: float) -> list[GateRow]:
    """The rows with p-values by Holm, so that alpha holds for the whole gate; what is then significant is worse."""
    given = list(rows)
    pvalues = stats.holm([row.pvalue for row in given])
    return [
        replace(row, pvalue=float(pvalue), verdict="worse" if pvalue < alpha else row.verdict)
        for row, pvalue in zip(given, pvalues, strict=True)
    ]


def _check_directions(
    columns: Iterable[ScoreColumn], lower: set[str], *, everything: bool
) -> dict[ScoreColumn, Literal[1, -1]]:
    """By column 1 where higher is better and -1 where lower is; one that was named must have a direction."""
    signs: dict[ScoreColumn, Literal[1, -1]] = {}
    for column in columns:
        if column.name in lower or column.better == "lower":
            signs[column] = -1
        elif column.better == "higher":
            signs[column] = 1
        elif not everything:
            raise DataError(f"{column.name} is neither better when higher nor when lower: no version is worse by it")
    if not signs:
        raise DataError("there is no score to gate by: none has a better direction")
    return signs


def _gate_pair(
    system: str,
    column: ScoreColumn,
    parts: FloatArray,
    documents: list[str],
    *,
    sign: Literal[1, -1],
    margin: float,
    alpha: float,
    permutations: int,
    resamples: int,
    seed: int,
) -> GateRow:
    """One score of one system: `parts` are those of the base and of the new version, versions x documents x parts."""
    shared = np.flatnonzero(present_documents(parts).all(axis=0))
    if len(shared) < FEWEST_DOCUMENTS:
        raise DataError(
            f"{system} has {format_count(len(shared), 'document')} with {column.name} in both files: "
            f"a gate needs {FEWEST_DOCUMENTS} at least, and says little below 20"
        )
    base, new = parts[:, shared]
    pool = pool_for(column)
    interval = stats.bootstrap_difference(new, base, pool, resamples=resamples, confidence=1 - 2 * alpha, seed=seed)
    better, worse = (new, base) if sign > 0 else (base, new)
    pvalue = stats.worse_pvalue(
        better, worse, pool, margin=margin, permutations=permutations, resamples=resamples, seed=seed
    )
    loss = min(sign * interval.low, sign * interval.high)
    values = pool(np.stack([base, new]).sum(axis=1)).tolist()
    names = [documents[index] for index in shared]
    losses = () if column.parts else largest_differences(names, sign * new[:, 0], sign * base[:, 0], len(names))
    return GateRow(
        system=system,
        column=column,
        base=values[0],
        new=values[1],
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        pvalue=pvalue,
        margin=margin,
        documents=len(shared),
        verdict="not worse" if loss >= -margin else "undecided",
        worst=tuple(_turn(loss, sign) for loss in losses if loss.difference < 0)[:_WORST_DOCUMENTS],
    )


def _turn(loss: DocumentDifference, sign: int) -> DocumentDifference:
    return DocumentDifference(doc_id=loss.doc_id, a=sign * loss.a, b=sign * loss.b, difference=sign * loss.difference)


def _note_documents(rows: Iterable[GateRow]) -> tuple[str, ...]:
    """That there are too few documents for the test to call anything worse, however bad it is."""
    for row in rows:
        if not row.column.parts and 0.5**row.documents >= _LEAST_ALPHA:
            return (f"{format_count(row.documents, 'document')} can hardly show that a version is worse: 20 are few",)
    return ()
