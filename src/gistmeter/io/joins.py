"""Files with the documents, references or units of a run, to be joined to it by document id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar

from gistmeter.errors import DataError
from gistmeter.io.fields import parse_document_texts, parse_document_units
from gistmeter.io.files import file_format
from gistmeter.io.pyramids import PYRAMID_SUFFIXES, read_pyramid
from gistmeter.io.records import DELIMITERS, JSON_SUFFIXES, describe_record, read_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gistmeter.example import Unit
    from gistmeter.io.pyramids import Pyramid

Value = TypeVar("Value")
JoinedField = Literal["documents", "references", "units"]


def read_texts_by_document(
    files: Sequence[str], what: Literal["documents", "references"], fields: Mapping[str, str] | None = None
) -> dict[str, tuple[str, ...]] | None:
    """The documents, or references, of these files by document id; several records of one id are several texts."""
    return _read_by_document(
        files, what, lambda record: parse_document_texts(record, what), lambda pyramid: pyramid.references, fields
    )


def read_units_by_document(
    files: Sequence[str], fields: Mapping[str, str] | None = None
) -> dict[str, tuple[Unit, ...]] | None:
    """The units of these files by document id."""
    return _read_by_document(files, "units", parse_document_units, lambda pyramid: pyramid.units, fields)


def _read_by_document(
    files: Sequence[str],
    what: JoinedField,
    of_record: Callable[[dict[str, Any]], tuple[str, tuple[Value, ...]]],
    of_pyramid: Callable[[Pyramid], tuple[Value, ...]],
    fields: Mapping[str, str] | None,
) -> dict[str, tuple[Value, ...]] | None:
    if not files:
        return None
    table: dict[str, tuple[Value, ...]] = {}
    for file in files:
        for doc_id, values in _read_entries(file, what, of_record, of_pyramid, fields):
            table[doc_id] = table.get(doc_id, ()) + values
    return table


def _read_entries(
    file: str,
    what: JoinedField,
    of_record: Callable[[dict[str, Any]], tuple[str, tuple[Value, ...]]],
    of_pyramid: Callable[[Pyramid], tuple[Value, ...]],
    fields: Mapping[str, str] | None,
) -> Iterator[tuple[str, tuple[Value, ...]]]:
    suffix = file_format(file)
    if suffix in PYRAMID_SUFFIXES and what != "documents":
        pyramid = read_pyramid(file)
        yield pyramid.doc_id, of_pyramid(pyramid)
        return
    if suffix not in (*JSON_SUFFIXES, *DELIMITERS, ".parquet"):
        raise DataError(
            f"cannot join {file} to a run of records: `{what}=` must be a file of records with `doc_id`, "
            "unless the summaries are text files too (`summaries=`)"
        )
    for number, record in enumerate(read_records(file, fields=fields), start=1):
        try:
            yield of_record(record)
        except DataError as error:
            raise DataError(f"{describe_record(record, number, file)}: {error}") from None
