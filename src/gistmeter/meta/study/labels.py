"""Labels: which language, subset or type of system each summary of a study belongs to.

A label is a field of a document, of a system, or of both: a table of texts, systems x documents, None where it is not
given. It comes from the records of a run, of judgments or of scores, from `groups` in a matrix file or from the caller.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gistmeter.errors import DataError, suggestion
from gistmeter.io.fields import FIELD_NAMES
from gistmeter.wording import format_count, join_names

LabelTable: TypeAlias = NDArray[np.object_]
"""Texts, systems x documents; None where a summary has no label."""

NameLabels: TypeAlias = Mapping[str, str] | Sequence[str]
"""Labels as a caller or a file states them: by the names of documents or of systems, or a list in their order."""

# The axes of a study are fields of its summaries too.
_SYSTEM_NAMES = FIELD_NAMES["system"]
_DOCUMENT_NAMES = FIELD_NAMES["doc_id"]


def check_labels(groups: Any, systems: Sequence[str], documents: Sequence[str], label: str) -> dict[str, LabelTable]:
    """Labels as stated, field by field, as tables.

    >>> tables = check_labels({"type": {"a": "old", "b": "new"}}, ["a", "b"], ["d1", "d2"], "the study")
    >>> tables["type"].tolist()
    [['old', 'old'], ['new', 'new']]
    """
    if not isinstance(groups, Mapping):
        raise DataError(f"`groups` of {label} maps fields, such as language, to the groups of documents or systems")
    return {
        str(field): _spread_labels(values, systems, documents, f"the groups {str(field)!r} of {label}")
        for field, values in groups.items()
    }


def _spread_labels(values: Any, systems: Sequence[str], documents: Sequence[str], label: str) -> LabelTable:
    """Labels of documents, or of systems, as a table."""
    if isinstance(values, Mapping):
        by_system = any(name in values for name in systems)
        by_document = any(name in values for name in documents)
        if by_system == by_document:
            which = "both systems and documents" if by_system else "no system and no document"
            raise DataError(f"{label} name {which} of the study: map the names of either to groups")
        names = systems if by_system else documents
        listed = [values.get(name) for name in names]
    elif isinstance(values, Sequence) and not isinstance(values, str):
        by_system, by_document = len(values) == len(systems), len(values) == len(documents)
        if by_system == by_document:
            sizes = f"{format_count(len(systems), 'system')} and {format_count(len(documents), 'document')}"
            raise DataError(
                f"{label} are a list of {len(values)} for {sizes}: list a group for each system or for each document, "
                "or map names to groups"
            )
        listed = list(values)
    else:
        raise DataError(f"{label} map names to groups, or list a group for each document or system")
    column = np.array([_label_text(value, label) for value in listed], dtype=object)
    table: LabelTable = np.empty((len(systems), len(documents)), dtype=object)
    table[:] = column[:, None] if by_system else column[None, :]
    return table


def read_labels(
    fields: Sequence[str],
    systems: Sequence[str],
    documents: Sequence[str],
    sources: Iterable[tuple[str, Iterable[Mapping[str, Any]]]],
) -> dict[str, LabelTable]:
    """The labels of fields that the records of files state; `sources` are names of files and their records.

    A record without a system speaks of all summaries of its document, one without a document of all of its system.

    Raises
    ------
    DataError
        No record has the field, or two records of a summary differ in it.

    Examples
    --------
    >>> records = [{"doc_id": "d1", "lang": "en"}, {"doc_id": "d2", "lang": "de"}]
    >>> read_labels(["language"], ["a", "b"], ["d1", "d2"], [("run.jsonl", records)])["language"].tolist()
    [['en', 'de'], ['en', 'de']]
    """
    rows = {name: row for row, name in enumerate(systems)}
    columns = {name: column for column, name in enumerate(documents)}
    tables: dict[str, LabelTable] = {field: _name_axis(field, systems, documents) for field in fields}
    wanted = [field for field in fields if field not in (*_SYSTEM_NAMES, *_DOCUMENT_NAMES)]
    available: dict[str, None] = {}
    files = []
    for file, records in sources if wanted else ():
        files.append(file)
        for record in records:
            available.update(dict.fromkeys(map(str, record)))
            doc_id, system = _first_value(record, _DOCUMENT_NAMES), _first_value(record, _SYSTEM_NAMES)
            row = slice(None) if system is None else rows.get(str(system))
            column = slice(None) if doc_id is None else columns.get(str(doc_id))
            if row is None or column is None or (doc_id is None and system is None):
                continue
            for field in wanted:
                value = _first_value(record, FIELD_NAMES.get(field, (field,)))
                if value is not None:
                    text = _label_text(value, f"`{field}` of {file}")
                    _set_label(tables[field], row, column, text, (field, str(doc_id), str(system)))
    for field in wanted:
        if all(text is None for text in tables[field].flat):
            where = " and ".join(files) or "what is in memory"
            hint = suggestion(field, available) or (f" (there is {join_names(list(available))})" if available else "")
            raise DataError(f"there is no field {field!r} to group by in {where}{hint}")
    return tables


def _set_label(
    table: LabelTable, row: int | slice, column: int | slice, text: str | None, names: tuple[str, str, str]
) -> None:
    """Set the label of summaries, refusing another than they have."""
    present = np.atleast_1d(np.asarray(table[row, column], dtype=object)).flat
    other = next((label for label in present if label is not None and label != text), None)
    if other is not None:
        field, doc_id, system = names
        raise DataError(
            f"document {doc_id} by {system} has two values of {field!r}, {other} and {text}: it is in one group only"
        )
    table[row, column] = text


def _name_axis(field: str, systems: Sequence[str], documents: Sequence[str]) -> LabelTable:
    """The table of a field: names for `system` and `doc_id`, else nothing yet."""
    table: LabelTable = np.full((len(systems), len(documents)), None, dtype=object)
    if field in _SYSTEM_NAMES:
        table[:] = np.array(systems, dtype=object)[:, None]
    elif field in _DOCUMENT_NAMES:
        table[:] = np.array(documents, dtype=object)[None, :]
    return table


def _first_value(record: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((record[name] for name in names if record.get(name) is not None), None)


def _label_text(value: Any, label: str) -> str | None:
    """A label as text; blank is none."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str | int | float):
        raise DataError(f"{label} is not a name but a {type(value).__name__}: group by a text or a number")
    return str(value).strip() or None
