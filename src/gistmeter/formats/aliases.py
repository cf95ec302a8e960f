"""Field names: what a record may call its parts, and how it becomes an Example."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from gistmeter.errors import DataError, suggestion
from gistmeter.records import DEFAULT_LANGUAGE, Example, Unit, text_of, texts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

# The first name is gistmeter's own; the others are what common datasets and tools write.
ALIASES: dict[str, tuple[str, ...]] = {
    "doc_id": ("doc_id", "document_id", "docid", "instance_id", "id"),
    "system": ("system", "system_id", "model", "model_id", "summarizer_id", "summarizer"),
    "summary": ("summary", "candidate", "prediction", "hypothesis", "decoded", "generated_summary"),
    "references": ("references", "reference_summaries"),
    "reference": ("reference", "reference_summary", "target", "highlights"),
    "documents": ("documents", "source_documents", "sources"),
    "document": ("document", "source", "article"),
    "language": ("language", "lang"),
    "units": ("units", "scus"),
}


def example_from(
    record: Mapping[str, Any],
    *,
    position: int,
    system: str = "system",
    language: str | None = None,
    documents: Mapping[str, tuple[str, ...]] | None = None,
    references: Mapping[str, tuple[str, ...]] | None = None,
) -> Example:
    """An Example from a decoded record.

    `language` stands in for a record that names none; `documents` and `references` are looked up by document for
    records that do not carry their own. A record without a document id is numbered by its position in the file,
    one without a system is given `system`.

    >>> example_from({"id": 7, "system_id": "a", "summary": {"text": "x"}, "reference": "y"}, position=0).references
    ('y',)
    """
    summary = _get(record, "summary")
    if summary is None:
        present = ", ".join(map(str, list(record)[:12])) or "nothing"
        if any(name in record for name in ALIASES["summary"]):
            raise DataError("`summary` is null; an empty summary is an empty text")
        close = next((s for key in record if (s := suggestion(str(key), ALIASES["summary"]))), "")
        raise DataError(f"there is no `summary`{close} (the record has {present})")
    doc_id = _get(record, "doc_id")
    doc_id = f"{position + 1}" if doc_id is None else str(doc_id)
    named_system = _get(record, "system")
    own_references = _texts(record, "references", "reference")
    own_documents = _texts(record, "documents", "document")
    if not own_references and references is not None:
        own_references = references.get(doc_id, ())
    if not own_documents and documents is not None:
        own_documents = documents.get(doc_id, ())
    named_language = _get(record, "language")
    return Example(
        doc_id=doc_id,
        system=system if named_system is None else str(named_system),
        summary=text_of(summary, "summary"),
        references=own_references,
        documents=own_documents,
        language=str(named_language) if named_language else language or DEFAULT_LANGUAGE,
        units=_units_of(_get(record, "units")),
    )


def joined_texts(record: Mapping[str, Any], what: Literal["documents", "references"]) -> tuple[str, tuple[str, ...]]:
    """The document id and the texts of a record in a file of documents, or of references, to be joined to a run."""
    doc_id = _get(record, "doc_id")
    if doc_id is None:
        raise DataError("there is no `doc_id` to join on")
    one: Literal["document", "reference"] = "document" if what == "documents" else "reference"
    texts = _texts(record, what, one)
    if not texts:
        raise DataError(f"there is no `{one}` (the record has {', '.join(map(str, list(record)[:12]))})")
    return str(doc_id), texts


def _get(record: Mapping[str, Any], field: str) -> Any:
    for name in ALIASES[field]:
        value = record.get(name)
        if value is not None:
            return value
    return None


def _texts(record: Mapping[str, Any], several: str, one: str) -> tuple[str, ...]:
    """A list under a plural name is several texts; a list under a singular name is the sentences of one."""
    value = _get(record, several)
    if value is not None and value != []:
        return texts_of(value, several)
    value = _get(record, one)
    return () if value is None else (text_of(value, one),)


def _units_of(value: Any) -> tuple[Unit, ...]:
    if not isinstance(value, list):
        return ()
    try:
        return tuple(Unit(one) if isinstance(one, str) else Unit(**one) for one in value)
    except TypeError:
        raise DataError("`units` must be a list of texts, or of objects with text, weight, sentence, present") from None
