"""Scores of several files under one another: a base and a new version, or systems scored at different times."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from gistmeter.errors import ArgumentError, DataError
from gistmeter.scores import KEYS, Scores
from gistmeter.wording import format_count, join_names

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


def pair_systems(
    base: Sequence[str], new: Sequence[str], *, drop: bool = False
) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """The systems of a new table with those of a base that they are versions of, and notes on those without one.

    Systems are paired by their names; tables with a single system each need no equal names. A system of the base that
    the new table lacks is refused unless such are dropped: it may have failed, or be called otherwise now.

    >>> pair_systems(["a", "b"], ["b", "a"])[0]
    [('a', 'a'), ('b', 'b')]
    >>> pair_systems(["v1"], ["v2"])
    ([('v1', 'v2')], ('v2 is compared with v1 of the base',))
    """
    if len(base) == len(new) == 1:
        renamed = () if base[0] == new[0] else (f"{new[0]} is compared with {base[0]} of the base",)
        return [(base[0], new[0])], renamed
    in_both = set(base) & set(new)
    if not in_both:
        raise DataError(
            f"no system is in both: the base has {join_names(base)}, the new scores have {join_names(new)}; "
            "give files of a single system each, or call the systems alike"
        )
    gone = [system for system in base if system not in in_both]
    if gone and not drop:
        raise DataError(
            f"the new scores lack {format_count(len(gone), 'system')} of the base ({join_names(gone)}): name those to "
            "gate with `systems=`, or leave others out with `missing=drop`"
        )
    fresh = [system for system in new if system not in in_both]
    notes = tuple(
        f"left out, since only in the {where}: {join_names(names)}"
        for where, names in (("base", gone), ("new scores", fresh))
        if names
    )
    return [(system, system) for system in base if system in in_both], notes


def _shared_columns(parts: Mapping[str, Scores]) -> tuple[tuple[ScoreColumn, ...], tuple[str, ...]]:
    """The columns of all tables, refused where two tables computed them differently; notes on the others.

    Of a column that some of the tables describe and others only name, the description counts.
    """
    columns: dict[str, ScoreColumn] = {}
    homes: dict[str, str] = {}
    undescribed: list[str] = []
    for name, table in parts.items():
        for column in table.columns:
            first = columns.setdefault(column.name, column)
            home = homes.setdefault(column.name, name)
            if first.stated and column.stated and first.signature != column.signature:
                raise DataError(
                    f"{column.name} was not computed alike: {home} has {first.signature}, {name} has "
                    f"{column.signature}; score both again with one version of gistmeter and the same settings"
                )
            if column.stated and not first.stated:
                columns[column.name], homes[column.name] = column, name
            if not column.stated:
                undescribed.append(name)
    shared = [
        column
        for column in columns.values()
        if all(column.name in table.signatures and _has_numbers(table, column) for table in parts.values())
    ]
    if not shared:
        raise DataError(f"{' and '.join(parts)} have no score in common")
    partial = [name for name in columns if name not in {column.name for column in shared}]
    notes = []
    if partial:
        notes.append(f"left out scores that are not in all files: {join_names(partial)}")
    if undescribed and any(column.stated for column in shared):
        which = join_names(list(dict.fromkeys(undescribed)))
        notes.append(f"{which} does not say how its scores were computed; they are taken to be like the others")
    return tuple(shared), tuple(notes)


def _has_numbers(table: Scores, column: ScoreColumn) -> bool:
    """Whether a table has the numbers that a column is made of."""
    return set(column.parts or (column.name,)) <= set(table.table.columns)
