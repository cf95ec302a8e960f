"""A study by groups: a study of each language, subset or type of system."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError, suggestion
from gistmeter.meta.study.directions import GO_ONE_WAY, note_columns
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import BoolArray
    from gistmeter.meta.study import Study
    from gistmeter.meta.study.labels import LabelTable
    from gistmeter.scores import Better


@dataclass(frozen=True, slots=True)
class StudyGroups:
    """The parts of a study by one or several fields."""

    fields: tuple[str, ...]
    studies: Mapping[str, Study]
    """The part of each group, in the order in which groups first appear."""
    notes: tuple[str, ...] = ()


def split_study(study: Study, fields: Sequence[str]) -> StudyGroups:
    """The parts of a study that have the same labels in these fields; several fields make a group of each combination.

    A part has the systems and the documents of its summaries. Where a label depends on both, cells of other groups are
    missing in it.

    Raises
    ------
    DataError
        The study does not have the field.

    Examples
    --------
    >>> from gistmeter.meta import Study
    >>> tables = {"m": [[1, 2, 3], [4, 5, 6]], "rated": [[1, 1, 1], [2, 2, 2]]}
    >>> study = Study.from_tables(tables, aspects=["rated"], groups={"language": ["en", "de", "en"]})
    >>> {group: part["m"].tolist() for group, part in split_study(study, ["language"]).studies.items()}
    {'en': [[1.0, 3.0], [4.0, 6.0]], 'de': [[2.0], [5.0]]}
    """
    for field in fields:
        if field not in study.groups:
            names = ", ".join(study.groups) or "no field"
            raise DataError(f"the study has no groups {field!r}{suggestion(field, study.groups)} (it has {names})")
    labels = _join_labels([study.groups[field] for field in fields])
    # Documents are the outer loop, so that groups of documents stand in the order of the documents.
    groups = dict.fromkeys(label for column in zip(*labels, strict=True) for label in column if label is not None)
    studies = {
        group: _select_part(study, np.array([[label == group for label in row] for row in labels])) for group in groups
    }
    scored = np.any([~np.isnan(table) for table in study.tables.values()], axis=0)
    without = int(np.sum(scored & np.array([[label is None for label in row] for row in labels])))
    notes = (f"left out {format_count(without, 'summary')} without {' and '.join(fields)}",) if without else ()
    return StudyGroups(tuple(fields), studies, notes)


def settle_signs(
    groups: StudyGroups, names: Sequence[str], aspects: Sequence[str]
) -> tuple[StudyGroups, tuple[str, ...]]:
    """The groups with each score of which neither high nor low is better taken one way in all, and what to note of it.

    The way is that in which it goes with people on the whole: the sign of its correlations with the aspects (Pearson,
    over all summaries of a group), added up over groups. Else it would be taken another way in each group, and the
    mean over groups would be one of absolute values.
    """
    first = next(iter(groups.studies.values()))
    undirected = [name for name in names if first.direction(name) == "neither"]
    if not undirected:
        return groups, ()
    signs = {name: _sum_correlations(groups.studies.values(), name, aspects) for name in undirected}
    turned: dict[str, Better] = dict.fromkeys(undirected, "higher")
    studies = {
        group: replace(
            part,
            tables={name: -table if signs.get(name, 0) < 0 else table for name, table in part.tables.items()},
            better={**part.better, **turned},
        )
        for group, part in groups.studies.items()
    }
    return replace(groups, studies=studies), note_columns(first, undirected, undirected=GO_ONE_WAY)


def _sum_correlations(parts: Iterable[Study], name: str, aspects: Sequence[str]) -> float:
    """The correlations of a score with aspects over all summaries of each part, added up."""
    total = 0.0
    for part, aspect in product(parts, aspects):
        with suppress(DataError):  # a part with too little data says nothing
            total += stats.correlate(part[name], part.oriented(aspect), level="pooled", coefficient="pearson").value
    return 0.0 if np.isnan(total) else total


def _join_labels(tables: Sequence[LabelTable]) -> list[list[str | None]]:
    """The labels of several fields as one; None where one of them is missing."""
    rows = zip(*(table.tolist() for table in tables), strict=True)
    return [
        [None if None in parts else " ".join(parts) for parts in zip(*same_system, strict=True)] for same_system in rows
    ]


def _select_part(study: Study, chosen: BoolArray) -> Study:
    """The systems and documents of the chosen cells; their other cells are missing."""
    rows, columns = np.flatnonzero(chosen.any(axis=1)), np.flatnonzero(chosen.any(axis=0))
    cells = np.ix_(rows, columns)
    return replace(
        study,
        systems=tuple(study.systems[row] for row in rows),
        documents=tuple(study.documents[column] for column in columns),
        tables={name: np.where(chosen, table, np.nan)[cells] for name, table in study.tables.items()},
        groups={field: table[cells] for field, table in study.groups.items()},
        notes=(),
    )
