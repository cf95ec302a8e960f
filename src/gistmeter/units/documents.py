"""The references that units are cut from: of a run, of records without any summary, or of plain text files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import DEFAULT_LANGUAGE, Example
from gistmeter.io.batches import RecordDefaults
from gistmeter.io.fields import RUN_FIELDS, check_field_names, check_mapped_columns, map_record
from gistmeter.io.files import STDIN, check_readable, file_format, read_text_lines
from gistmeter.io.joins import read_texts_by_document, read_units_by_document
from gistmeter.io.pyramids import read_peer
from gistmeter.io.records import describe_record, read_columns, read_records
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_TEXT_SUFFIXES = (".txt", ".ref", ".reference", ".references")
NO_SYSTEM = "reference"
"""The system of an example that is there for its references."""


def read_documents(
    files: Sequence[str | Path] = (),
    *,
    references: Sequence[str | Path] = (),
    units: Sequence[str | Path] = (),
    language: str | None = None,
    fields: Mapping[str, str] | None = None,
) -> list[Example]:
    """The documents of files, each once: its references, and people's units where there are any.

    A record needs `doc_id` and references, its own or joined from `references`; whether it has a summary does not
    matter. Text files (.txt) have a reference on each line, and several of them several references of a document, which
    is called by the number of its line. Without `files` the `references` are taken for them. `units` are joined.
    `fields` maps fields to columns of the files of records (`{"doc_id": "article"}`), for those of other names.
    """
    names, joined = [str(file) for file in files], [str(file) for file in references]
    if not names:
        names, joined = joined, []
    if not names:
        raise ArgumentError("there is nothing to read: name a file with references (.jsonl, .csv, .txt ...)")
    for name in (*names, *joined, *map(str, units)):
        check_readable(name)
    check_field_names(fields or {}, RUN_FIELDS, "a run")
    unit_files = list(map(str, units))
    is_text = [file_format(name) in _TEXT_SUFFIXES for name in (*names, *joined)]
    if any(is_text):
        if not all(is_text):
            raise ArgumentError("give either files of records or text files with a reference on each line, not both")
        if fields:
            raise ArgumentError("`fields` are for files of records: text files have lines, and no columns")
        examples: Iterable[Example] = _read_lines([*names, *joined], language or DEFAULT_LANGUAGE)
        defaults = RecordDefaults(units=read_units_by_document(unit_files))
    else:
        all_files = (*names, *joined, *unit_files)
        if fields and STDIN not in all_files:  # which is read once: its records are asked as they come
            check_mapped_columns(fields, {file: read_columns(file) for file in all_files})
        defaults = RecordDefaults(
            language=language,
            references=read_texts_by_document(joined, "references", fields),
            units=read_units_by_document(unit_files, fields),
            fields=fields,
        )
        examples = (example for name in names for example in _read_file(name, defaults))
    documents: dict[str, Example] = {}
    for example in examples:
        documents.setdefault(example.doc_id, example)
    for example in documents.values():
        if not any(text.strip() for text in example.references):
            raise DataError(f"document {example.doc_id} has no references to take units from")
    if not documents:
        raise DataError(f"{names[0]} is empty: there are no references in it")
    if any(is_text) and defaults.units is not None:
        return [_with_units(example, defaults) for example in documents.values()]
    return list(documents.values())


def _read_file(file: str, defaults: RecordDefaults) -> Iterator[Example]:
    if file_format(file) == ".pan":
        yield read_peer(file, language=defaults.language)
        return
    unmapped = replace(defaults, fields=None)
    for position, record in enumerate(_read_mapped_records(file, defaults.fields)):
        try:
            yield unmapped.make_example(_without_summary(record), position=position, system=NO_SYSTEM)
        except DataError as error:
            raise DataError(f"{describe_record(record, position + 1, file)}: {error}") from None


def _read_mapped_records(file: str, fields: Mapping[str, str] | None) -> Iterator[dict[str, Any]]:
    if not fields or file != STDIN:
        yield from read_records(file, fields=fields)
        return
    for position, record in enumerate(read_records(file)):
        if position == 0:
            check_mapped_columns(fields, {"standard input": list(record)})
        yield map_record(record, fields)


def _without_summary(record: dict[str, Any]) -> dict[str, Any]:
    return {**record, "summary": ""}


def _read_lines(files: Sequence[str], language: str) -> Iterator[Example]:
    """A document for each line: line i of each file is a reference of document i."""
    lines = [list(read_text_lines(file)) for file in files]
    for file, of_file in zip(files, lines, strict=True):
        if len(of_file) != len(lines[0]):
            raise DataError(
                f"the files do not line up: {files[0]} has {format_count(len(lines[0]), 'line')} and {file} has "
                f"{len(of_file):,}; "
                "line i of each file must be a reference of document i"
            )
    for number, texts in enumerate(zip(*lines, strict=True), start=1):
        yield Example(doc_id=str(number), system=NO_SYSTEM, summary="", references=texts, language=language)


def _with_units(example: Example, defaults: RecordDefaults) -> Example:
    record = {"doc_id": example.doc_id, "summary": "", "references": list(example.references)}
    return defaults.make_example({**record, "language": example.language}, position=0, system=NO_SYSTEM)
