"""Files of spans: JSON lines, a document on each, as `gistmeter spans` and `gistmeter annotate export` write them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output
from gistmeter.io.json_lines import describe_type_fault, read_json_lines, write_json_lines
from gistmeter.summarize.spans import DocumentSpans, Span, StatedPhrase

if TYPE_CHECKING:
    from collections.abc import Iterable

_WRITERS = (
    "`gistmeter spans label`, `gistmeter spans predict` and `gistmeter annotate export --as spans` write such files"
)
_Place = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class _StoredPhrase(msgspec.Struct):
    """A phrase of a reference as files have it."""

    reference: _Place
    start: _Place
    end: _Place
    text: str


class _StoredSpan(msgspec.Struct):
    """A span as files have it; what else stands there, such as votes, is passed over."""

    start: _Place
    end: _Place
    text: str
    score: float | None = None
    question: str | None = None
    stated: list[_StoredPhrase] = []


class _StoredDocument(msgspec.Struct):
    """The spans of a document as files have them."""

    doc_id: str | int
    spans: list[_StoredSpan]
    method: str = ""
    candidates: _Place | None = None


def check_spans_path(path: str | Path, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse a file that no spans can be written to, or that is an input, before any long work."""
    if Path(path).suffix not in (".jsonl", ".ndjson"):
        raise DataError(f"cannot write {path}: spans are JSON lines, name it .jsonl")
    check_output(path, inputs)


def write_spans(documents: Iterable[DocumentSpans], path: str | Path) -> int:
    """Write the spans of documents; says how many documents there are.

    Parameters
    ----------
    documents
        What `label` or `predict` gave.
    path
        A file of JSON lines.

    Raises
    ------
    DataError
        It cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from gistmeter.summarize import Span, DocumentSpans
    >>> spans = [DocumentSpans(doc_id="1", spans=(Span.of("It rained in Rome.", 13, 17),))]
    >>> with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
    ...     write_spans(spans, file.name), read_spans(file.name) == spans
    (1, True)
    """
    check_spans_path(path)
    return write_json_lines(map(_store, documents), Path(path))


def read_spans(path: str | Path) -> list[DocumentSpans]:
    """The spans of documents from a file.

    Parameters
    ----------
    path
        A file of JSON lines with `doc_id` and `spans`, each with `start`, `end` and `text`.

    Raises
    ------
    DataError
        It cannot be read, is no file of spans, or has a document twice.

    Examples
    --------
    >>> read_spans("nowhere.jsonl")
    Traceback (most recent call last):
    gistmeter.errors.DataError: cannot read nowhere.jsonl: there is no such file
    """
    documents: dict[str, DocumentSpans] = {}
    for line, record in read_json_lines(path):
        try:
            stored = msgspec.convert(record, _StoredDocument)
        except msgspec.ValidationError as error:
            fault = describe_type_fault(error)
            raise DataError(f"line {line} of {path} is no document with spans: {fault} ({_WRITERS})") from None
        read = _restore(stored)
        if read.doc_id in documents:
            raise DataError(f"line {line} of {path}: document {read.doc_id!r} is there already; a document is one line")
        documents[read.doc_id] = read
    if not documents:
        raise DataError(f"{path} has no spans: it is empty ({_WRITERS})")
    return list(documents.values())


def read_all_spans(paths: Iterable[str | Path]) -> list[DocumentSpans]:
    """The spans of several files; a document that two of them have is refused."""
    file_of: dict[str, str | Path] = {}
    documents = []
    for path in paths:
        for document in read_spans(path):
            if document.doc_id in file_of:
                raise DataError(
                    f"both {file_of[document.doc_id]} and {path} have spans of document {document.doc_id!r}"
                )
            file_of[document.doc_id] = path
            documents.append(document)
    return documents


def _store(document: DocumentSpans) -> dict[str, Any]:
    record: dict[str, Any] = {"doc_id": document.doc_id, "method": document.method}
    if document.candidates is not None:
        record["candidates"] = document.candidates
    return record | {"spans": [_store_span(span) for span in document.spans]}


def _store_span(span: Span) -> dict[str, Any]:
    record: dict[str, Any] = {"start": span.start, "end": span.end, "text": span.text}
    if span.score is not None:
        record["score"] = round(span.score, 6)
    if span.question is not None:
        record["question"] = span.question
    if span.stated:
        record["stated"] = [
            {"reference": phrase.reference, "start": phrase.start, "end": phrase.end, "text": phrase.text}
            for phrase in span.stated
        ]
    return record


def _restore(stored: _StoredDocument) -> DocumentSpans:
    spans = tuple(
        Span(
            start=span.start,
            end=span.end,
            text=span.text,
            score=span.score,
            question=span.question,
            stated=tuple(
                StatedPhrase(reference=phrase.reference, start=phrase.start, end=phrase.end, text=phrase.text)
                for phrase in span.stated
            ),
        )
        for span in stored.spans
    )
    return DocumentSpans(doc_id=str(stored.doc_id), spans=spans, method=stored.method, candidates=stored.candidates)
