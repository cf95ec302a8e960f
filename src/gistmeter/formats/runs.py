"""Runs: files of summaries, read as a stream of batches whatever their format."""

from __future__ import annotations

import csv
import json
import zlib
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from gistmeter.errors import DataError
from gistmeter.formats.aliases import ALIASES, joined_texts
from gistmeter.formats.batches import Batch, JsonBatch, Places, Reading, ReadyBatch
from gistmeter.formats.files import (
    STDIN,
    byte_lines,
    check_readable,
    kind_of,
    open_bytes,
    stem_of,
    text_lines,
)
from gistmeter.formats.lines import AlignedLines
from gistmeter.formats.origin import Origin
from gistmeter.records import Example

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

BATCH_ROWS = 512
_BATCH_BYTES = 8 << 20
_JSON_LINES = (".jsonl", ".ndjson", ".json")
_DELIMITED = {".csv": ",", ".tsv": "\t"}
_MEMORY = "the examples given"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Run:
    """Where summaries come from: files, aligned text files, or examples in memory."""

    reading: Reading = Reading()  # noqa: RUF009  (frozen)
    files: tuple[str, ...] = ()
    aligned: AlignedLines | None = None
    memory: Iterable[Example] | None = None
    origin: Origin = Origin()  # noqa: RUF009  (frozen)

    def total_bytes(self) -> int | None:
        """How many bytes there are to read, if that is known (it is not for gzipped files)."""
        if not self.files or STDIN in self.files or any(file.endswith(".gz") for file in self.files):
            return None
        return sum(Path(file).stat().st_size for file in self.files)

    def batches(self, rows: int = BATCH_ROWS) -> Iterator[Batch]:
        """The run as batches that other processes can decode."""
        if self.memory is not None:
            yield from _ready(_checked(self.memory), _MEMORY, "example", rows)
        elif self.aligned is not None:
            self.aligned.check()
            for file, examples in self.aligned.examples():
                yield from _ready(examples, file, "line", rows)
        for file in self.files:
            yield from self._file(file, rows)

    def rereadable(self) -> Run:
        """A run that can be read twice: standard input is taken into memory."""
        return Run(self.reading, memory=list(self.examples())) if STDIN in self.files else self

    def examples(self) -> Iterator[Example]:
        """All examples, one after the other."""
        for batch in self.batches():
            yield from batch.examples(self.reading)

    def _file(self, file: str, rows: int) -> Iterator[Batch]:
        kind = kind_of(file)
        if kind in _DELIMITED:
            records = _delimited(file, _DELIMITED[kind])
        elif kind == ".parquet":
            records = _parquet(file)
        elif kind in _JSON_LINES:
            if kind == ".json" and _is_array(file):
                records = _json_array(file)
            else:
                yield from _json_batches(file, rows)
                return
        else:
            raise DataError(
                f"cannot tell the format of {file}: runs are .jsonl, .csv, .tsv or .parquet (.gz too); "
                "for plain text files use --summaries, --references and --documents"
            )
        yield from _ready(self._decoded(file, records), file, "row", rows)

    def _decoded(self, file: str, records: Iterable[dict[str, Any]]) -> Iterator[Example]:
        system = stem_of(file)
        for position, record in enumerate(records):
            try:
                yield self.reading.example(record, position=position, system=system)
            except DataError as error:
                raise DataError(f"row {position + 1} of {file}: {error}") from None


def open_run(
    files: Sequence[str | Path] = (),
    *,
    summaries: dict[str, str] | None = None,
    references: Sequence[str | Path] = (),
    documents: Sequence[str | Path] = (),
    language: str | None = None,
) -> Run:
    """A run over files of records, or over aligned text files when `summaries` is given.

    With files of records, `references` and `documents` are files of records too (`doc_id` and `reference` or
    `document`), joined by document id to the records that do not carry their own.
    """
    reference_files, document_files = tuple(map(str, references)), tuple(map(str, documents))
    for file in (*map(str, files), *(summaries or {}).values(), *reference_files, *document_files):
        check_readable(file)
    if summaries:
        if files:
            raise DataError("give either files of records or --summaries with text files, not both")
        aligned = AlignedLines(summaries, reference_files, document_files, language)
        return Run(
            aligned=aligned,
            origin=Origin((), summaries, reference_files, document_files, language),
        )
    if not files:
        raise DataError("there is nothing to read: name a file of summaries, - for standard input, or --summaries")
    reading = Reading(
        language=language,
        documents=_joined(document_files, "documents"),
        references=_joined(reference_files, "references"),
    )
    names = tuple(map(str, files))
    origin = Origin() if STDIN in names else Origin(names, {}, reference_files, document_files, language)
    return Run(reading, files=names, origin=origin)


def reopen_run(origin: Origin) -> Run:
    """The run that scores came from, once more."""
    return open_run(
        origin.files,
        summaries=origin.summaries,
        references=origin.references,
        documents=origin.documents,
        language=origin.language,
    )


def read_records(file: str) -> Iterator[dict[str, Any]]:
    """The records of a file in any format, as decoded, for readers that want more than examples."""
    kind = kind_of(file)
    if kind in _DELIMITED:
        yield from _delimited(file, _DELIMITED[kind])
    elif kind == ".parquet":
        yield from _parquet(file)
    elif kind == ".json" and _is_array(file):
        yield from _json_array(file)
    else:
        for batch in _json_batches(file, BATCH_ROWS):
            for i, line in enumerate(batch.lines):
                try:
                    yield msgspec.json.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise DataError(f"{batch.places.at(i)} is not valid JSON: {error}") from None


def _joined(files: Sequence[str], what: Literal["documents", "references"]) -> dict[str, tuple[str, ...]] | None:
    if not files:
        return None
    table: dict[str, tuple[str, ...]] = {}
    for file in files:
        if kind_of(file) not in (*_JSON_LINES, *_DELIMITED, ".parquet"):
            raise DataError(
                f"cannot join {file} to a run of records: --{what} must be a file of records with `doc_id`, "
                "unless the summaries are text files too (--summaries)"
            )
        for position, record in enumerate(read_records(file)):
            try:
                doc_id, texts = joined_texts(record, what)
            except DataError as error:
                raise DataError(f"record {position + 1} of {file}: {error}") from None
            table[doc_id] = table.get(doc_id, ()) + texts
    return table


def _json_batches(file: str, rows: int) -> Iterator[JsonBatch]:
    numbers: list[int] = []
    lines: list[bytes] = []
    size = read = position = 0
    for number, line in enumerate(byte_lines(file), start=1):
        read += len(line) + 1
        if not line.strip():
            continue
        numbers.append(number)
        lines.append(line)
        size += len(line)
        if len(lines) >= rows or size >= _BATCH_BYTES:
            yield JsonBatch(Places(file, "line", numbers), stem_of(file), position, lines, read)
            position += len(lines)
            numbers, lines, size, read = [], [], 0, 0
    if lines:
        yield JsonBatch(Places(file, "line", numbers), stem_of(file), position, lines, read)


def _ready(examples: Iterable[Example], file: str, unit: str, rows: int) -> Iterator[ReadyBatch]:
    first = 1
    for group in _groups(examples, rows):
        yield ReadyBatch(Places(file, unit, range(first, first + len(group))), group)
        first += len(group)


def _checked(items: Iterable[Any]) -> Iterator[Example]:
    for item in items:
        if not isinstance(item, Example):
            raise DataError(f"a run in memory is made of Example objects, not {type(item).__name__}")
        yield item


def _groups(items: Iterable[T], size: int) -> Iterator[list[T]]:
    iterator = iter(items)
    while group := list(islice(iterator, size)):
        yield group


def _delimited(file: str, delimiter: str) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(1 << 30)
    # Lines keep their ends: a quoted cell may hold several of them.
    reader = csv.reader(text_lines(file, ends=True), delimiter=delimiter, strict=True)
    try:
        header = next(reader, [])
        twice = [name for name in header if header.count(name) > 1]
        if twice:
            raise DataError(f"{file} has two columns named {twice[0]!r}")
        rows = (row for row in reader if row)
        for number, row in enumerate(rows, start=1):
            if len(row) != len(header):
                more = "more" if len(row) > len(header) else "fewer"
                raise DataError(
                    f"row {number} of {file} (line {reader.line_num}) has {more} cells than the header has names: "
                    f"{len(row)} instead of {len(header)}"
                )
            # An empty cell says nothing, except that a summary is empty.
            cells = zip(header, row, strict=True)
            yield {name: _cell(value) for name, value in cells if value or name in ALIASES["summary"]}
    except csv.Error as error:
        raise DataError(f"line {reader.line_num} of {file} cannot be read as a table: {error}") from None


def _cell(value: Any) -> Any:
    """A cell as text, or as the list it spells in JSON (several references in one cell)."""
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        try:
            decoded = json.loads(value)
        except ValueError:
            return value
        if isinstance(decoded, list) and all(isinstance(member, str) for member in decoded):
            return decoded
    return "" if value is None else value


def _parquet(file: str) -> Iterator[dict[str, Any]]:
    import polars as pl

    try:
        for frame in pl.scan_parquet(file).collect_batches(chunk_size=BATCH_ROWS, maintain_order=True):
            yield from frame.iter_rows(named=True)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"cannot read {file} as Parquet: {str(error).partition(chr(10))[0]}") from None


def _is_array(file: str) -> bool:
    with open_bytes(file) as stream:
        return stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def _json_array(file: str) -> Iterator[dict[str, Any]]:
    with open_bytes(file) as stream:
        try:
            yield from msgspec.json.decode(stream.read().removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, UnicodeDecodeError, OSError, EOFError, zlib.error, RecursionError) as error:
            raise DataError(f"{file} is not valid JSON: {error}") from None
