"""Tables of a study (systems x documents): from nested lists, from cells, and the file they stand in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import LARGEST_NUMBER
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.arrays import FloatArray
    from gistmeter.meta.study.study import Study
    from gistmeter.scores import SystemMatrix


def number_table(rows: Any, label: str, shape: tuple[int, int]) -> FloatArray:
    """A table of numbers of that shape from nested lists, None being missing; `label` names it in a message."""
    try:
        table: FloatArray = np.array(rows, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{label} is not a table of numbers{_name_text_cell(rows)}") from None
    if (np.abs(table) > LARGEST_NUMBER).any():
        raise DataError(f"{label} has numbers beyond {LARGEST_NUMBER:g}, which cannot be averaged: divide them all")
    if table.shape != shape:
        size = " x ".join(map(str, table.shape))
        expected = f"{format_count(shape[0], 'system')} and {format_count(shape[1], 'document')}"
        raise DataError(f"{label} is {size}, but there {'is' if shape[0] == 1 else 'are'} {expected}")
    return table


def _name_text_cell(rows: Any) -> str:
    """Where the first cell of nested lists is that is no number, for a message; nothing if they are no lists."""
    for row_number, row in enumerate(rows if isinstance(rows, list | tuple) else (), start=1):
        for column_number, cell in enumerate(row if isinstance(row, list | tuple) else (), start=1):
            try:
                float(math.nan if cell is None else cell)
            except (TypeError, ValueError, OverflowError):
                return f": system {row_number}, document {column_number} has {cell!r}"
    return ""


def select_cells(table: SystemMatrix, systems: tuple[str, ...], documents: tuple[str, ...]) -> FloatArray:
    """The cells of these systems and documents, in the order of the systems named and of the table's documents."""
    rows = [table.systems.index(system) for system in systems]
    chosen = set(documents)
    columns = [index for index, doc_id in enumerate(table.documents) if doc_id in chosen]
    return np.asarray(table.values[np.ix_(rows, columns)])


def fill_table(
    cells: Iterable[tuple[str, str, float]], systems: tuple[str, ...], documents: tuple[str, ...]
) -> FloatArray:
    """A table from cells (system, document, value); cells of other systems or documents are passed over."""
    row_of_system = {system: row for row, system in enumerate(systems)}
    column_of_document = {doc_id: column for column, doc_id in enumerate(documents)}
    table = np.full((len(systems), len(documents)), np.nan)
    for system, doc_id, value in cells:
        if system in row_of_system and doc_id in column_of_document:
            table[row_of_system[system], column_of_document[doc_id]] = value
    return table


def label_table(study: Study, aspect: str, positive: float | None = None) -> FloatArray:
    """The judgments of an aspect as 1 (yes), 0 (no) and NaN; where lower is better, a low judgment is yes.

    Raises
    ------
    ArgumentError
        Judgments are neither 0 nor 1, and it is not said from which value on they are a yes.
    """
    judged = study[aspect]
    table = judged if positive is None else np.where(np.isnan(judged), np.nan, judged >= positive).astype(float)
    others = table[~np.isnan(table) & ~np.isin(table, (0, 1))]
    if len(others):
        raise ArgumentError(
            f"{aspect} is not yes or no (1 or 0) but, for one, {others[0]:.4g}: `positive` of meta labels says from "
            "which value on it is a yes"
        )
    return 1 - table if study.direction(aspect) == "lower" else table
