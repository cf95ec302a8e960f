"""Fields of records: the names that they may have, and how a record becomes an Example."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.example import DEFAULT_LANGUAGE, Example, name_text, parse_text, parse_texts
from gistmeter.io.units import label_units, parse_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.example import Unit

FIELD_NAMES: dict[str, tuple[str, ...]] = {
    "doc_id": ("doc_id", "document_id", "docid", "instance_id", "id"),
    "system": ("system", "system_id", "model", "model_id", "summarizer_id", "summarizer"),
    "summary": ("summary", "candidate", "prediction", "hypothesis", "decoded", "generated_summary"),
    "references": ("references", "reference_summaries"),
    "reference": ("reference", "reference_summary", "target", "highlights"),
    "documents": ("documents", "source_documents", "sources"),
    "document": ("document", "source", "article"),
    "language": ("language", "lang"),
    "units": ("units", "scus"),
    "labels": ("unit_labels", "scu_labels", "presence", "labels"),
    "votes": ("unit_votes", "scu_votes", "votes"),
    "rater": ("rater", "worker", "annotator"),
    "task": ("task", "assignment"),
    "aspect": ("aspect",),
    "value": ("value", "score", "rating"),
    "scale": ("scale",),
}
"""The names of each field: the first is gistmeter's own, the others are what common datasets and tools write."""

_PLAIN_TYPES = frozenset({str, list, dict, int, bool})
_MISSING_TYPES = frozenset({"NAType", "NaTType"})
"""What pandas calls the types of missing values."""
JUDGMENT_FIELDS = ("doc_id", "system", "aspect", "rater", "value", "scale", "task")
"""The fields of a judgment that a user can map to columns of a file."""
RUN_FIELDS = tuple(field for field in FIELD_NAMES if field not in ("aspect", "rater", "value", "scale", "task"))
"""The fields of a run that a user can map to columns of a file."""
_OTHER_NUMBER = {"reference": "references", "references": "reference", "document": "documents", "documents": "document"}

_MAX_NAMED_FIELDS = 12
"""How many fields of a record a message names."""


def parse_example(
    record: Mapping[str, Any],
    *,
    position: int,
    system: str = "system",
    language: str | None = None,
    documents: Mapping[str, tuple[str, ...]] | None = None,
    references: Mapping[str, tuple[str, ...]] | None = None,
    units: Mapping[str, tuple[Unit, ...]] | None = None,
) -> Example:
    """An Example from a decoded record.

    `language` stands in for a record that names none; `documents`, `references` and `units` are looked up by document
    for records that do not carry their own. A record without a document id is numbered by its position in the file,
    one without a system is given `system`.

    >>> parse_example({"id": 7, "system_id": "a", "summary": {"text": "x"}, "reference": "y"}, position=0).references
    ('y',)
    """
    summary = _get(record, "summary")
    if summary is None:
        if any(name in record for name in FIELD_NAMES["summary"]):
            raise DataError("`summary` is missing (null or NaN); an empty summary is an empty text")
        close = next((str(key) for key in record if suggestion(str(key), FIELD_NAMES["summary"])), "")
        hint = f"; is it {close!r}?" if close else ""
        raise DataError(f"there is no `summary`{hint} ({describe_fields(record, 'summary')})")
    doc_id = _get(record, "doc_id")
    doc_id = f"{position + 1}" if doc_id is None else name_text(doc_id, "doc_id")
    named_system = _get(record, "system")
    own_references = _parse_texts(record, "references", "reference")
    own_documents = _parse_texts(record, "documents", "document")
    if not own_references and references is not None:
        own_references = references.get(doc_id, ())
    if not own_documents and documents is not None:
        own_documents = documents.get(doc_id, ())
    own_units = parse_units(_get(record, "units"))
    if not own_units and units is not None:
        own_units = units.get(doc_id, ())
    if own_units:
        own_units = label_units(own_units, _get(record, "labels"), _get(record, "votes"))
    named_language = _get(record, "language")
    return Example(
        doc_id=doc_id,
        system=system if named_system is None else name_text(named_system, "system"),
        summary=parse_text(summary, "summary"),
        references=own_references,
        documents=own_documents,
        language=name_text(named_language, "language") if named_language else language or DEFAULT_LANGUAGE,
        units=own_units,
    )


def parse_document_texts(
    record: Mapping[str, Any], what: Literal["documents", "references"]
) -> tuple[str, tuple[str, ...]]:
    """The document id and the texts of a record in a file of documents, or of references, to be joined to a run."""
    singular: Literal["document", "reference"] = "document" if what == "documents" else "reference"
    doc_id, texts = _document_id(record), _parse_texts(record, what, singular)
    if not texts:
        raise DataError(f"there is no `{singular}` ({describe_fields(record, singular)})")
    return doc_id, texts


def parse_document_units(record: Mapping[str, Any]) -> tuple[str, tuple[Unit, ...]]:
    """The document id and the units of a record in a file of units, to be joined to a run."""
    doc_id, units = _document_id(record), parse_units(_get(record, "units"))
    if not units:
        raise DataError(f"there are no `units` ({describe_fields(record, 'units')})")
    return doc_id, units


def _document_id(record: Mapping[str, Any]) -> str:
    doc_id = _get(record, "doc_id")
    if doc_id is None:
        raise DataError(f"there is no `doc_id` to join on ({describe_fields(record, 'doc_id')})")
    return name_text(doc_id, "doc_id")


def describe_fields(record: Mapping[str, Any], *missing: str) -> str:
    """The names of a record's fields, and how to say which of them is a field that is missing, for messages.

    >>> describe_fields({"article": "a", "output": "b"}, "summary")
    'the record has article, output; `fields={"summary": NAME}` says which it is'
    """
    names = list_columns(record)
    if not record:
        return "the record has nothing"
    return (
        f"the record has {names}; "
        + " and ".join(f'`fields={{"{field}": NAME}}`' for field in missing)
        + (" says which it is" if len(missing) == 1 else " say which they are")
    )


def list_columns(columns: Iterable[str]) -> str:
    """The first names of columns, for messages."""
    return ", ".join(map(str, list(columns)[:_MAX_NAMED_FIELDS])) or "nothing"


def map_record(record: dict[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    """A record, changed in place, whose fields are those that columns of other names hold.

    A field that is mapped is not looked for under its usual names where the record has that column.

    >>> map_record({"output": "It rained.", "summary": "not this"}, {"summary": "output"})
    {'summary': 'It rained.'}
    """
    values = {field: record[column] for field, column in fields.items() if column in record}
    for field in values:
        other = _OTHER_NUMBER.get(field, "")
        others = () if other in values else FIELD_NAMES.get(other, ())
        # The column of values keeps its name, too: in a wide table it is that of the aspect.
        own = () if field == "value" else (fields[field],)
        for name in (*FIELD_NAMES[field], *others, *own):
            if name not in fields.values() or name in own:
                record.pop(name, None)
    record.update({FIELD_NAMES[field][0]: value for field, value in values.items() if value is not None})
    return record


def drop_missing(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without the fields that are empty or missing, as files have them (null) or frames (NaN, NA).

    >>> drop_missing({"doc_id": "1", "rater": float("nan"), "task": "", "scale": None, "value": 3})
    {'doc_id': '1', 'value': 3}
    """
    plain = {name: value if type(value) in _PLAIN_TYPES else _make_plain(value) for name, value in record.items()}
    return {name: value for name, value in plain.items() if value is not None and value != ""}


def check_field_names(fields: Mapping[str, str], allowed: Sequence[str], what: str) -> None:
    """Refuse a mapping of a field that there is not.

    >>> check_field_names({"sumary": "output"}, RUN_FIELDS, "a run")
    Traceback (most recent call last):
    gistmeter.errors.ArgumentError: `fields`: a run has no field 'sumary'; did you mean summary? (it has doc_id, system,
    summary, references, reference, documents, document, language, units, labels, votes)
    """
    for field in fields:
        if field not in allowed:
            hint = suggestion(field, allowed)
            raise ArgumentError(f"`fields`: {what} has no field {field!r}{hint} (it has {', '.join(allowed)})")


def check_mapped_columns(fields: Mapping[str, str], columns_by_file: Mapping[str, Sequence[str]]) -> None:
    """Refuse a mapping to a column that no file has."""
    for field, column in fields.items():
        if not any(column in columns for columns in columns_by_file.values()):
            there = dict.fromkeys(name for columns in columns_by_file.values() for name in columns)
            files = " and ".join(columns_by_file)
            raise ArgumentError(
                f"`fields`: there is no column {column!r} for {field}{suggestion(column, there)} "
                f"({files} {'has' if len(columns_by_file) == 1 else 'have'} {list_columns(there)})"
            )


def _get(record: Mapping[str, Any], field: str) -> Any:
    """The value of a field under any of its names; None if it has none."""
    for name in FIELD_NAMES[field]:
        value = record.get(name)
        if value is not None and type(value) not in _PLAIN_TYPES:
            value = _make_plain(value)
        if value is not None:
            return value
    return None


def _make_plain(value: Any) -> Any:
    """A value of a frame as files have it: None where it is missing (NaN, NA), a list for an array."""
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if type(value).__name__ in _MISSING_TYPES:
        return None
    return value.tolist() if hasattr(value, "tolist") and not isinstance(value, str) else value


def _parse_texts(record: Mapping[str, Any], plural: str, singular: str) -> tuple[str, ...]:
    """A list under a plural name is several texts; a list under a singular name is the sentences of one text."""
    value = _get(record, plural)
    if value is not None and value != []:
        return parse_texts(value, plural)
    value = _get(record, singular)
    return () if value is None else (parse_text(value, singular),)
