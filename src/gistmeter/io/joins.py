"""Joins: files with the documents, references or units of a run, by document id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeVar

from gistmeter.errors import DataError
from gistmeter.io.aliases import texts_to_join, units_to_join
from gistmeter.io.decoding import DELIMITED, JSON_LINES, read_records
from gistmeter.io.files import kind_of
from gistmeter.io.pyramids import PYRAMID_SUFFIXES, read_pyramid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gistmeter.example import Unit
    from gistmeter.io.pyramids import Pyramid

T = TypeVar("T")
Joined = Literal["documents", "references", "units"]


def joined_texts(files: Sequence[str], what: Literal["documents", "references"]) -> dict[str, tuple[str, ...]] | None:
    """The documents, or references, of these files by document id; several records of one id are several texts."""
    return _table(files, what, lambda record: texts_to_join(record, what), lambda pyramid: pyramid.references)


def joined_units(files: Sequence[str]) -> dict[str, tuple[Unit, ...]] | None:
    """The units of these files by document id."""
    return _table(files, "units", units_to_join, lambda pyramid: pyramid.units)


def _table(
    files: Sequence[str],
    what: Joined,
    of_record: Callable[[dict[str, Any]], tuple[str, tuple[T, ...]]],
    of_pyramid: Callable[[Pyramid], tuple[T, ...]],
) -> dict[str, tuple[T, ...]] | None:
    if not files:
        return None
    table: dict[str, tuple[T, ...]] = {}
    for file in files:
        for doc_id, found in _entries(file, what, of_record, of_pyramid):
            table[doc_id] = table.get(doc_id, ()) + found
    return table


def _entries(
    file: str,
    what: Joined,
    of_record: Callable[[dict[str, Any]], tuple[str, tuple[T, ...]]],
    of_pyramid: Callable[[Pyramid], tuple[T, ...]],
) -> Iterator[tuple[str, tuple[T, ...]]]:
    kind = kind_of(file)
    if kind in PYRAMID_SUFFIXES and what != "documents":
        pyramid = read_pyramid(file)
        yield pyramid.doc_id, of_pyramid(pyramid)
        return
    if kind not in (*JSON_LINES, *DELIMITED, ".parquet"):
        raise DataError(
            f"cannot join {file} to a run of records: `{what}=` must be a file of records with `doc_id`, "
            "unless the summaries are text files too (`summaries=`)"
        )
    for position, record in enumerate(read_records(file), start=1):
        try:
            yield of_record(record)
        except DataError as error:
            raise DataError(f"record {position} of {file}: {error}") from None
