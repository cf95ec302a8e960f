"""Files as records, whatever their format: JSON lines, a JSON array, CSV, TSV, Parquet."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.batches import JsonBatch, RecordLocations
from gistmeter.io.fields import (
    FIELD_NAMES,
    JUDGMENT_FIELDS,
    RUN_FIELDS,
    check_field_names,
    check_mapped_columns,
    list_columns,
    map_record,
)
from gistmeter.io.files import file_format, file_stem, open_bytes, read_byte_lines, read_text_lines
from gistmeter.io.json_lines import check_record, read_json, read_json_lines
from gistmeter.io.writing import unguard_cell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

BATCH_ROWS = 512
JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
DELIMITERS = {".csv": ",", ".tsv": "\t"}
_BATCH_BYTES = 8 << 20
_SAMPLED_RECORDS = 100
"""How many records are looked at for the names of their fields."""
_MAX_CELL_CHARACTERS = 1 << 30


class LineRecord(dict[str, Any]):
    """A record that knows on which line of its file it stands."""

    __slots__ = ("line",)

    def __init__(self, values: Mapping[str, Any], line: int) -> None:
        super().__init__(values)
        self.line = line


def describe_record(record: Mapping[str, Any], number: int, name: str) -> str:
    """Where a record stands, for messages: its number in the file, and its line where that is another.

    >>> describe_record(LineRecord({"value": 3}, line=5), 4, "people.csv"), describe_record({}, 4, "the records")
    ('record 4 of people.csv (line 5)', 'record 4 of the records')
    """
    line = getattr(record, "line", number)
    return f"record {number} of {name}" + (f" (line {line})" if line != number else "")


def read_records(file: str, *, fields: Mapping[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """The records of a file in any format, as decoded, for readers that want more than examples.

    Those of files with lines are `LineRecord`s, so that `describe_record` can name the line. `fields` says in which
    columns fields are (`{"doc_id": "article_id"}`), where they have other names than gistmeter knows.
    """
    if fields:
        yield from (map_record(record, fields) for record in _read_records(file, fields))
    else:
        yield from _read_records(file, {})


def read_columns(file: str) -> list[str]:
    """The names of the columns of a file, or of the fields of its first records."""
    suffix = file_format(file)
    if suffix in DELIMITERS:
        return next(read_rows(file, DELIMITERS[suffix]), (0, []))[1]
    if suffix not in (*JSON_SUFFIXES, ".parquet"):
        return []
    first = islice(_read_records(file, {}), 1 if suffix == ".parquet" else _SAMPLED_RECORDS)
    return list(dict.fromkeys(name for record in first for name in record))


def suggest_columns(file: str, field: str, fields: Mapping[str, str] | None) -> str:
    """Which columns of a file no field is read from, one of which may hold a field that is missing; for messages.

    Empty where there are none, or where no file has such a name.
    """
    read_names = {*(fields or {}).values(), *(name for names in FIELD_NAMES.values() for name in names)}
    columns = read_columns(file) if Path(file).is_file() else []
    others = [name for name in columns if name not in read_names]
    if not others:
        return ""
    return f'; where another column holds it ({list_columns(others)}), `fields={{"{field}": NAME}}` says which'


def check_mapping(fields: Mapping[str, str] | None, files: Sequence[str]) -> None:
    """Refuse to map a field that neither runs nor judgments have, or to a column that none of these files has."""
    if fields:
        check_field_names(fields, tuple(dict.fromkeys((*RUN_FIELDS, *JUDGMENT_FIELDS))), "a run or a judgment")
        check_mapped_columns(fields, {file: read_columns(file) for file in files})


def name_mapped(columns: str | Sequence[str] | None, fields: Mapping[str, str] | None) -> list[str]:
    """Names of columns as the fields that they are mapped to, where they are.

    >>> name_mapped(["worker", "batch"], {"rater": "worker"})
    ['rater', 'batch']
    """
    names = [columns] if isinstance(columns, str) else columns or ()
    mapped = {column: field for field, column in (fields or {}).items()}
    return [mapped.get(name, name) for name in names]


def keep_present(fields: Mapping[str, str], file: str, allowed: Sequence[str]) -> dict[str, str]:
    """What a mapping says of the columns of one file, and of fields that such a file can have."""
    columns = read_columns(file) if fields else []
    return {field: column for field, column in fields.items() if field in allowed and column in columns}


def _read_records(file: str, fields: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    suffix = file_format(file)
    if suffix in DELIMITERS:
        yield from read_delimited(file, DELIMITERS[suffix], fields)
    elif suffix == ".parquet":
        yield from read_parquet(file)
    elif suffix == ".json" and is_json_array(file):
        for number, value in enumerate(read_json_array(file), start=1):
            yield check_record(value, f"record {number} of {file}")
    else:
        for line, record in read_json_lines(file):
            yield LineRecord(record, line)


def is_run_file(path: str | Path, fields: Mapping[str, str] | None = None) -> bool:
    """Whether a file holds summaries (rather than scores of them); `fields` may say where."""
    record = next(read_records(str(path), fields=fields), None)
    if not isinstance(record, dict):
        raise DataError(f"there is nothing in {path}, or it is not a file of records")
    return any(name in record for name in FIELD_NAMES["summary"])


def read_filled_records(file: str) -> Iterator[dict[str, Any]]:
    """The records of a file that people filled in: cells of a table as they were before `write_table` guarded them."""
    is_table = file_format(file) in DELIMITERS
    for record in read_records(file):
        if is_table:
            record.update({key: unguard_cell(value) for key, value in record.items()})
        yield record


def read_json_batches(file: str, rows: int) -> Iterator[JsonBatch]:
    """The lines of a file, undecoded, in batches."""
    numbers: list[int] = []
    lines: list[bytes] = []
    size = read_bytes = position = 0
    for number, line in enumerate(read_byte_lines(file), start=1):
        read_bytes += len(line) + 1
        if not line.strip():
            continue
        numbers.append(number)
        lines.append(line)
        size += len(line)
        if len(lines) >= rows or size >= _BATCH_BYTES:
            yield _json_batch(file, numbers, lines, position, read_bytes)
            position += len(lines)
            numbers, lines, size, read_bytes = [], [], 0, 0
    if lines:
        yield _json_batch(file, numbers, lines, position, read_bytes)


def _json_batch(file: str, numbers: list[int], lines: list[bytes], position: int, read_bytes: int) -> JsonBatch:
    return JsonBatch(
        locations=RecordLocations(file, "line", numbers),
        system=file_stem(file),
        first_position=position,
        lines=lines,
        read_bytes=read_bytes,
    )


def read_delimited(file: str, delimiter: str, fields: Mapping[str, str] | None = None) -> Iterator[dict[str, Any]]:
    """The rows of a CSV or TSV file. Of columns that `fields` names, empty cells are null."""
    rows = read_rows(file, delimiter)
    _, header = next(rows, (0, []))
    mapped = fields or {}
    # An empty cell says nothing, except that a summary is empty.
    summary_names = {*FIELD_NAMES["summary"], *([mapped["summary"]] if "summary" in mapped else [])}
    for line, row in rows:
        cells = zip(header, row, strict=True)
        named = {name: _parse_cell(value) for name, value in cells if value or name in summary_names}
        named.update(dict.fromkeys(name for name in mapped.values() if name in header and name not in named))
        yield LineRecord(named, line)


def read_rows(file: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The header of a CSV or TSV file and its rows, each with the line it ends on; all have as many cells."""
    csv.field_size_limit(_MAX_CELL_CHARACTERS)
    # Lines keep their ends: a quoted cell may hold several of them.
    reader = csv.reader(read_text_lines(file, ends=True), delimiter=delimiter, strict=True)
    try:
        header = next(reader, [])
        repeated = [name for name in header if header.count(name) > 1]
        if repeated:
            raise DataError(f"{file} has two columns named {repeated[0]!r}")
        if len(header) == 1:
            _check_delimiter(file, header[0], delimiter)
        yield reader.line_num, header
        for number, row in enumerate((row for row in reader if row), start=1):
            if len(row) != len(header):
                more = "more" if len(row) > len(header) else "fewer"
                raise DataError(
                    f"row {number} of {file} (line {reader.line_num}) has {more} cells than the header has names: "
                    f"{len(row)} instead of {len(header)}"
                )
            yield reader.line_num, row
    except csv.Error as error:
        raise DataError(f"line {reader.line_num} of {file} cannot be read as a table: {error}") from None


def _check_delimiter(file: str, header: str, delimiter: str) -> None:
    """Refuse a table whose only name holds what separates other tables: some spreadsheets write semicolons."""
    for other, name in ((";", "semicolons"), ("\t", "tabs"), (",", "commas")):
        if other != delimiter and other in header:
            raise DataError(
                f"the columns of {file} are separated by {name}: save it with commas as .csv, or with tabs as .tsv"
            )


def _parse_cell(value: Any) -> Any:
    """A cell as text, or as the list it spells in JSON (several references in one cell)."""
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        try:
            return msgspec.json.decode(value.encode(), type=list[str])
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return value
    return "" if value is None else value


def read_parquet(file: str) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file."""
    import polars as pl

    path = Path(file).absolute()  # a name is a name: polars would read ~, s3: and brackets otherwise
    try:
        for frame in pl.scan_parquet(path, glob=False).collect_batches(chunk_size=BATCH_ROWS, maintain_order=True):
            yield from frame.iter_rows(named=True)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"cannot read {file} as Parquet: {str(error).partition(chr(10))[0]}") from None


def is_json_array(file: str) -> bool:
    """Whether a JSON file holds one array rather than lines."""
    with open_bytes(file) as stream:
        return stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def read_json_array(file: str) -> Iterator[Any]:
    """The members of a JSON array, which are records if all is well."""
    yield from read_json(file)
