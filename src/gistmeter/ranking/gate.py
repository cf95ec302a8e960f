"""Is a new version of a system worse than the one before? One-sided, with a margin, document by document."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError
from gistmeter.ranking.columns import (
    choose_columns,
    finite_parts,
    main_columns,
    note_columns,
    pool_for,
    present_documents,
)
from gistmeter.ranking.compare import DocumentDifference, largest_differences
from gistmeter.ranking.gate_inputs import (
    MissingDocuments,
    check_both_have,
    check_power,
    direct_columns,
    find_margins,
    list_names,
    note_changed_texts,
    share_documents,
)
from gistmeter.ranking.rank import DEFAULT_PERMUTATIONS
from gistmeter.ranking.stacking import pair_systems, stack_scores
from gistmeter.scores import Scores, ScoresLike
from gistmeter.stats.resampling.one_sided import worse_pvalue
from gistmeter.stats.tables import check_choice
from gistmeter.views import ChartView
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn

Verdict = Literal["not worse", "undecided", "worse"]
FEW_DOCUMENTS = 10
"""A note says of so few documents that they show large losses alone."""
_WORST_DOCUMENTS = 5
_NO_MARGINS: Mapping[str, float] = MappingProxyType({})
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

    no_worse_pvalue: float
    """How likely so good a difference is if the new version is worse by just the margin (non-inferiority)."""

    margin: float
    documents: int
    verdict: Verdict
    worst: tuple[DocumentDifference, ...]
    """The documents that lost most; empty for a score that single documents do not have."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GateResult(ChartView):
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
    base: ScoresLike,
    new: ScoresLike,
    *,
    columns: Iterable[str] | None = None,
    systems: Iterable[str] | None = None,
    margin: float = 0.0,
    margins: Mapping[str, float] = _NO_MARGINS,
    alpha: float = 0.05,
    strict: bool = False,
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
    missing: MissingDocuments = "refuse",
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
    systems
        The names of the systems to gate, which both must have; all of the base when None.
    margin
        How much worse the new version may be, in the unit of the score.
    margins
        The same by the name of a score, for those on another scale.
    alpha
        The level of the gate: of versions worse by just the margin, at most so many are called worse.
    strict
        Whether a version must be shown to be no worse than the margin (non-inferiority). Without it only a version that
        is shown to be worse is refused, and what is undecided goes through.
    lower, higher
        The names of scores whose lower (or higher) values are better, where nothing says so, or says otherwise.
    missing
        What is done about systems and documents that the base has and the new scores lack: `refuse` them, since a
        version that fails on hard documents looks better than it is, or `drop` them, which a note says.
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
        The two have no system, document or score in common, the new scores lack some of the base, a score was computed
        differently in the two or has no better direction, or there are too few documents to show any loss.

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
    if not 0 < alpha < 0.5:
        raise ArgumentError(f"`alpha` is between 0 and 0.5, not {alpha}")
    check_choice("missing", missing, MissingDocuments)
    base, new = Scores.of(base, "base"), Scores.of(new, "new")
    asked = None if systems is None else list_names(systems)
    for system in asked or ():
        base.check_system(system)
        new.check_system(system)
    pairs, notes = pair_systems(asked or base.systems, asked or new.systems, drop=missing == "drop")
    if columns is not None:
        check_both_have(list_names(columns), base, new)
    stacked = stack_scores({_BASE: base, _NEW: new}, label=True)
    chosen = choose_columns(stacked, None if columns is None else list_names(columns), lower=lower, higher=higher)
    if columns is None:
        chosen = list(main_columns(chosen))
    directed = direct_columns(chosen, named=columns is not None)
    margin_of = find_margins(directed, margin, margins)
    numbers = {system: number for number, system in enumerate(stacked.systems)}
    documents = stacked.documents
    rows = []
    document_notes: dict[str, None] = {}
    for column in directed:
        parts = finite_parts(stacked, column)
        for base_system, new_system in pairs:
            at = [numbers[f"{base_system} ({_BASE})"], numbers[f"{new_system} ({_NEW})"]]
            present = present_documents(parts[at])
            shared, about = share_documents(new_system, column.name, present, documents, missing=missing)
            document_notes |= dict.fromkeys(about)
            draws = resamples if column.parts else permutations
            check_power(
                new_system, column.name, len(shared), tests=len(directed) * len(pairs), alpha=alpha, draws=draws
            )
            rows.append(
                _gate_pair(
                    new_system,
                    column,
                    parts[at][:, shared],
                    [documents[number] for number in shared],
                    margin=margin_of[column.name],
                    alpha=alpha,
                    permutations=permutations,
                    resamples=resamples,
                    seed=seed,
                )
            )
    rows = _correct(rows, alpha)
    gated = {column.name for column in directed}
    if undirected := [column.name for column in chosen if column.name not in gated]:
        notes += (f"without a better direction, so not gated: {', '.join(undirected)}",)
    return GateResult(
        rows=tuple(rows),
        alpha=alpha,
        strict=strict,
        permutations=permutations,
        resamples=resamples,
        seed=seed,
        notes=(
            *stacked.notes,
            *notes,
            *note_columns(directed),
            *note_changed_texts(base, new, pairs),
            *document_notes,
            *_note_documents(rows),
        ),
    )


def _correct(rows: Iterable[GateRow], alpha: float) -> list[GateRow]:
    """The rows with p-values by Holm, so that alpha holds for the whole gate; what is then significant is worse."""
    given = list(rows)
    pvalues = stats.holm([row.pvalue for row in given])
    return [
        replace(row, pvalue=float(pvalue), verdict="worse" if pvalue < alpha else row.verdict)
        for row, pvalue in zip(given, pvalues, strict=True)
    ]


def _gate_pair(
    system: str,
    column: ScoreColumn,
    parts: FloatArray,
    documents: list[str],
    *,
    margin: float,
    alpha: float,
    permutations: int,
    resamples: int,
    seed: int,
) -> GateRow:
    """One score of one system: `parts` are those of the base and of the new version, versions x documents x parts."""
    base, new = parts
    sign = -1 if column.better == "lower" else 1
    pool = pool_for(column)
    interval = stats.bootstrap_difference(new, base, pool, resamples=resamples, confidence=1 - 2 * alpha, seed=seed)
    better, worse = (new, base) if sign > 0 else (base, new)
    pvalue, no_worse = (
        worse_pvalue(  # that of the module: `gistmeter.stats` refuses margins below 0
            first, second, pool, margin=allowed, permutations=permutations, resamples=resamples, seed=seed
        )
        for first, second, allowed in ((better, worse, margin), (worse, better, -margin))
    )
    values = pool(np.stack([base, new]).sum(axis=1)).tolist()
    losses = () if column.parts else largest_differences(documents, sign * new[:, 0], sign * base[:, 0], len(documents))
    # Where no document lost anything, there is nothing to be tested: the same version passes any gate.
    lost_nothing = np.array_equal(base, new) if column.parts else not (sign * (new - base)[:, 0] < 0).any()
    return GateRow(
        system=system,
        column=column,
        base=values[0],
        new=values[1],
        difference=interval.value,
        low=interval.low,
        high=interval.high,
        pvalue=pvalue,
        no_worse_pvalue=no_worse,
        margin=margin,
        documents=len(documents),
        verdict="not worse" if lost_nothing or no_worse < alpha else "undecided",
        worst=tuple(_turn(loss, sign) for loss in losses if loss.difference < 0)[:_WORST_DOCUMENTS],
    )


def _turn(loss: DocumentDifference, sign: int) -> DocumentDifference:
    return DocumentDifference(doc_id=loss.doc_id, a=sign * loss.a, b=sign * loss.b, difference=sign * loss.difference)


def _note_documents(rows: Iterable[GateRow]) -> tuple[str, ...]:
    """That there are so few documents that only large losses can be shown."""
    fewest = min(row.documents for row in rows)
    if fewest >= FEW_DOCUMENTS:
        return ()
    return (f"{format_count(fewest, 'document')} can show large losses alone: 50 or more notice small ones",)
