"""Scores of several files under one another: a base and a new version, or systems scored at different times."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from gistmeter.errors import ArgumentError, DataError
from gistmeter.scores import KEYS, Scores
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.scores import ScoreColumn


def stack_scores(parts: Mapping[str, Scores], *, label: bool = False) -> Scores:
    """The rows of several tables of scores, one under another, with the columns that all of them have.

    Parameters
    ----------
    parts
        The tables by the names that messages and labels use, such as the names of their files.
    label
        Whether every system is called after its table; without it only systems that several tables have are.

    Returns
    -------
    Scores
        Their rows. A system of several tables is called `system (table)`; a note names the columns left out.

    Raises
    ------
    ArgumentError
        There is no table.
    DataError
        The tables share no score, or a score of one was computed otherwise in another: the signatures differ.

    >>> one = Scores.from_metadata(pl.DataFrame({"doc_id": ["1"], "system": ["lead"], "rouge1.f1": [0.5]}), None)
    >>> two = Scores.from_metadata(pl.DataFrame({"doc_id": ["1"], "system": ["lead"], "rouge1.f1": [0.6]}), None)
    >>> stack_scores({"monday": one, "friday": two}).systems
    ['lead (monday)', 'lead (friday)']
    """
    if not parts:
        raise ArgumentError("there are no scores to stack; name at least one table")
    columns, notes = _shared_columns(parts)
    tables_by_system = Counter(system for table in parts.values() for system in table.systems)
    repeated = {system for system, tables in tables_by_system.items() if tables > 1}
    numbers = list(dict.fromkeys(name for column in columns for name in column.parts or (column.name,)))
    frames = []
    for name, table in parts.items():
        renamed = {system: f"{system} ({name})" for system in table.systems if label or system in repeated}
        frames.append(
            table.table.select(*KEYS, *(pl.col(number).cast(pl.Float64) for number in numbers)).with_columns(
                pl.col("system").replace(renamed)
            )
        )
    return Scores(table=pl.concat(frames), columns=columns, notes=notes)


def read_stacked(files: Sequence[str | Path]) -> Scores:
    """The scores of a file, or of several files under one another; a system of several is called after its file."""
    if len(files) == 1:
        return Scores.read(files[0])
    stems = [Path(file).stem for file in files]
    names = stems if len(set(stems)) == len(files) else [str(file) for file in files]
    if len(set(names)) < len(files):
        raise ArgumentError("a file of scores is named twice")
    return stack_scores({name: Scores.read(file) for name, file in zip(names, files, strict=True)})


def choose_two(scores: Scores, systems: Sequence[str], *, files: int) -> tuple[str, str]:
    """The two systems of a comparison, by their names, or as what two files have in common.

    With two files a single name is that of both versions, and no name is needed where each file has one system.
    """
    if len(systems) == 2:
        return systems[0], systems[1]
    versions = [name for name in scores.systems if not systems or name.startswith(f"{systems[0]} (")]
    if files == 2 and len(systems) <= 1 and len(versions) == 2:
        return versions[0], versions[1]
    raise ArgumentError(f"name the two systems to compare (there is {join_names(scores.systems)})")


def pair_systems(base: Sequence[str], new: Sequence[str]) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """The systems of a new table with those of a base that they are versions of, and a note on those without one.

    Systems are paired by their names; a table with a single system each needs no equal names.

    >>> pair_systems(["a", "b"], ["b", "a"])[0]
    [('a', 'a'), ('b', 'b')]
    >>> pair_systems(["v1"], ["v2"])
    ([('v1', 'v2')], ())
    """
    if len(base) == len(new) == 1:
        return [(base[0], new[0])], ()
    in_both = set(base) & set(new)
    shared = [system for system in base if system in in_both]
    if not shared:
        raise DataError(
            f"no system is in both: the base has {join_names(base)}, the new scores have {join_names(new)}; "
            "give files of a single system each, or call the systems alike"
        )
    left = [system for system in (*base, *new) if system not in in_both]
    notes = (f"left out, since only in the base or only in the new scores: {join_names(left)}",) if left else ()
    return [(system, system) for system in shared], notes


def _shared_columns(parts: Mapping[str, Scores]) -> tuple[tuple[ScoreColumn, ...], tuple[str, ...]]:
    """The columns of all tables, refused where two tables computed them differently; a note names the others."""
    (first, table), *others = parts.items()
    columns = list(table.columns)
    partial: list[str] = []
    for name, other in others:
        by_name = {column.name: column for column in other.columns}
        for column in table.columns:
            match = by_name.get(column.name)
            if match is not None and match.stated and column.stated and match.signature != column.signature:
                raise DataError(
                    f"{column.name} was not computed alike: {first} has {column.signature}, {name} has "
                    f"{match.signature}; score both again with one version of gistmeter and the same settings"
                )
        partial += [name for name in by_name if name not in table.signatures]
        columns = [column for column in columns if column.name in by_name]
        partial += [column.name for column in table.columns if column.name not in by_name]
    if not columns:
        raise DataError(f"{' and '.join(parts)} have no score in common")
    notes = (
        (f"left out scores that are not in all files: {join_names(list(dict.fromkeys(partial)))}",) if partial else ()
    )
    return tuple(columns), notes
