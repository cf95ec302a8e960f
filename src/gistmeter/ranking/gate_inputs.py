"""What a gate needs of its two tables: directions, margins, the same documents, enough of them, the same test set."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from gistmeter.errors import ArgumentError, DataError
from gistmeter.ranking.columns import choose_columns, main_columns
from gistmeter.scores import KEYS
from gistmeter.scoring.contents import PARTS
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from gistmeter.arrays import BoolArray, IntArray
    from gistmeter.scores import ScoreColumn, Scores

MissingDocuments = Literal["refuse", "drop"]
_TEST_SET_PARTS = {PARTS.index(part): part for part in ("references", "document")}
"""What two versions of a system share, by where its digest stands; units carry what each summary has of them."""


def list_names(names: str | Iterable[str]) -> list[str]:
    """A name, or names, each once.

    >>> list_names("rouge2.f1"), list_names(["a", "b", "a"])
    (['rouge2.f1'], ['a', 'b'])
    """
    return [names] if isinstance(names, str) else list(dict.fromkeys(names))


def check_both_have(names: Iterable[str], base: Scores, new: Scores) -> None:
    """Refuse a name that stands for a score of one version alone, or for another one in each."""
    for name in names:
        of_base, of_new = _find_scores(base, name), _find_scores(new, name)
        if of_base and of_new and of_base != of_new:
            raise DataError(
                f"{name!r} is {join_names(of_base)} in the base scores and {join_names(of_new)} in the new ones: "
                "score both versions with the same settings"
            )
        if bool(of_base) != bool(of_new):
            version, scores = ("new", new) if of_base else ("base", base)
            there = join_names([column.name for column in main_columns(scores.columns)])
            raise DataError(f"the {version} scores have no {name!r} to gate by (they have {there})")


def _find_scores(scores: Scores, name: str) -> list[str]:
    """What a name stands for in a table; nothing where it is unknown or not clear."""
    try:
        return [column.name for column in choose_columns(scores, [name])]
    except DataError:
        return []


def direct_columns(columns: Iterable[ScoreColumn], *, named: bool) -> list[ScoreColumn]:
    """The columns with the direction in which they are gated; one that was named must have one."""
    directed: list[ScoreColumn] = []
    for column in columns:
        if column.better != "neither":
            directed.append(column)
        elif named:
            raise DataError(
                f"{column.name} is neither better when higher nor when lower: no version is worse by it; say "
                f"which is better for you with `lower={column.name}` or `higher={column.name}`"
            )
    if not directed:
        raise DataError("there is no score to gate by: none has a better direction")
    return directed


def find_margins(columns: Iterable[ScoreColumn], margin: float, margins: Mapping[str, float]) -> dict[str, float]:
    """The margin of each column by name: its own, or the one for all."""
    names = [column.name for column in columns]
    for number in (margin, *margins.values()):
        if not (isfinite(number) and number >= 0):
            raise ArgumentError(f"`margin` is 0 or more, not {number}")
    if unknown := [name for name in margins if name not in names]:
        raise ArgumentError(f"`margin` names {join_names(unknown)}, but the gate goes by {join_names(names)}")
    return {name: margins.get(name, margin) for name in names}


def share_documents(
    system: str,
    column: str,
    present: BoolArray,
    documents: Sequence[str],
    *,
    missing: MissingDocuments,
) -> tuple[IntArray, tuple[str, ...]]:
    """The numbers of the documents with a score in both versions (`present`: versions x documents), and notes.

    A document of the base without a new score is refused unless such are dropped: a version that fails on hard
    documents would look better than it is.
    """
    base, new = present
    lost = [documents[number] for number in np.flatnonzero(base & ~new).tolist()]
    added = [documents[number] for number in np.flatnonzero(new & ~base).tolist()]
    if lost and missing == "refuse":
        raise DataError(
            f"{system} has no new {column} for {len(lost):,} of the base's {format_count(int(base.sum()), 'document')} "
            f"({join_names(lost)}): score them, or leave them out with `missing=drop`"
        )
    notes = [
        f"left out {format_count(len(names), 'document')} of {system} without {column} in the {where}: "
        f"{join_names(names)}"
        for where, names in (("new scores", lost), ("base", added))
        if names
    ]
    return np.flatnonzero(base & new), tuple(notes)


def check_power(system: str, column: str, documents: int, *, tests: int, alpha: float, draws: int) -> None:
    """Refuse a gate that could never shut: the smallest p-value that its documents allow is not below the level.

    >>> check_power("ours", "rouge2.f1", 5, tests=1, alpha=0.05, draws=1000)
    >>> check_power("ours", "rouge2.f1", 5, tests=2, alpha=0.05, draws=1000)
    Traceback (most recent call last):
    gistmeter.errors.DataError: ours has 5 documents with rouge2.f1 in both files: a gate of 2 tests ... at least 6, ...
    """
    if tests * smallest_pvalue(documents, draws) < alpha:
        return
    if tests * smallest_pvalue(10_000, draws) >= alpha:
        raise ArgumentError(
            f"with so few `permutations` and `resamples` a gate of {format_count(tests, 'test')} at level {alpha:g} "
            "could never shut: take more"
        )
    enough = next(count for count in range(documents, 10_000) if tests * smallest_pvalue(count, draws) < alpha)
    raise DataError(
        f"{system} has {format_count(documents, 'document')} with {column} in both files: a gate of "
        f"{format_count(tests, 'test')} at level {alpha:g} takes at least {enough}, or it could never shut; 50 or more "
        "notice small losses"
    )


def smallest_pvalue(documents: int, draws: int) -> float:
    """The smallest one-sided p-value: one in all ways to swap documents, or in the draws and what was observed.

    >>> smallest_pvalue(4, 1000), smallest_pvalue(40, 999)
    (0.0625, 0.001)
    """
    return float(max(0.5 ** min(documents, 1000), 1 / (1 + draws)))


def note_changed_texts(base: Scores, new: Scores, pairs: Collection[tuple[str, str]]) -> tuple[str, ...]:
    """Notes on documents whose references or source are not those that the base was scored with."""
    if base.contents is None or new.contents is None:
        return ()
    renamed = {new_system: base_system for base_system, new_system in pairs}
    (content,) = (name for name in base.contents.columns if name not in KEYS)
    joined = base.contents.join(
        new.contents.with_columns(pl.col("system").replace(renamed)), on=list(KEYS), suffix=" new"
    )
    changed: dict[str, dict[str, None]] = {}
    for doc_id, before, after in joined.select("doc_id", content, f"{content} new").iter_rows():
        old, now = before.split("."), after.split(".")
        for position, part in _TEST_SET_PARTS.items():
            if old[position] and now[position] and old[position] != now[position]:
                changed.setdefault(part, {})[doc_id] = None
    return tuple(
        f"the {part} of {format_count(len(doc_ids), 'document')} changed since the base was scored "
        f"({join_names(list(doc_ids))}): a difference may be theirs and not the system's"
        for part, doc_ids in changed.items()
    )
