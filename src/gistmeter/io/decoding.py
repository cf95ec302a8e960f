"""Decoding files into records, whatever their format: JSON lines, a JSON array, CSV, TSV, Parquet."""

from __future__ import annotations

import csv
import json
import zlib
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.aliases import ALIASES
from gistmeter.io.batches import JsonBatch, Places
from gistmeter.io.files import byte_lines, kind_of, open_bytes, stem_of, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

BATCH_ROWS = 512
JSON_LINES = (".jsonl", ".ndjson", ".json")
DELIMITED = {".csv": ",", ".tsv": "\t"}
_BATCH_BYTES = 8 << 20


def read_records(file: str) -> Iterator[dict[str, Any]]:
    """The records of a file in any format, as decoded, for readers that want more than examples."""
    kind = kind_of(file)
    if kind in DELIMITED:
        yield from delimited(file, DELIMITED[kind])
    elif kind == ".parquet":
        yield from parquet(file)
    elif kind == ".json" and is_array(file):
        yield from json_array(file)
    else:
        for batch in json_batches(file, BATCH_ROWS):
            for i, line in enumerate(batch.lines):
                try:
                    yield msgspec.json.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise DataError(f"{batch.places.at(i)} is not valid JSON: {error}") from None


def json_batches(file: str, rows: int) -> Iterator[JsonBatch]:
    """The lines of a file, undecoded, in batches."""
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


def delimited(file: str, delimiter: str) -> Iterator[dict[str, Any]]:
    """The rows of a CSV or TSV file."""
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


def parquet(file: str) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file."""
    import polars as pl

    try:
        for frame in pl.scan_parquet(file).collect_batches(chunk_size=BATCH_ROWS, maintain_order=True):
            yield from frame.iter_rows(named=True)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"cannot read {file} as Parquet: {str(error).partition(chr(10))[0]}") from None


def is_array(file: str) -> bool:
    """Whether a JSON file holds one array rather than lines."""
    with open_bytes(file) as stream:
        return stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def json_array(file: str) -> Iterator[dict[str, Any]]:
    """The members of a JSON array."""
    with open_bytes(file) as stream:
        try:
            yield from msgspec.json.decode(stream.read().removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, UnicodeDecodeError, OSError, EOFError, zlib.error, RecursionError) as error:
            raise DataError(f"{file} is not valid JSON: {error}") from None
