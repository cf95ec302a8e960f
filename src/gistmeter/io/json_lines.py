"""JSON in files: lines that know their file and number, and files of one JSON value. A fault says where it is.

Everything in gistmeter that reads or writes JSON lines does it here.
"""

from __future__ import annotations

import math
import re
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.atomic import write_atomically
from gistmeter.io.files import describe_bad_bytes, open_bytes, read_byte_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_BOM = b"\xef\xbb\xbf"

# What Python's json module writes for a float that is no number.
_NOT_A_NUMBER = re.compile(rb"-?(?:NaN|Infinity)\b")
_BYTE = re.compile(r"\(byte (\d+)\)")


class NumberedRecord(NamedTuple):
    """A record of a file, and the number of its line, counted from 1."""

    line: int
    record: dict[str, Any]


def read_json_lines(path: str | Path) -> Iterator[NumberedRecord]:
    """The records of a file of JSON lines, gzipped or not; blank lines are passed over.

    Raises a DataError that names the line and the file where a line is not UTF-8, not JSON, or not an object.
    """
    file = str(path)
    for number, line in enumerate(read_byte_lines(file), start=1):
        if line.strip():
            where = f"line {number} of {file}"
            yield NumberedRecord(number, check_record(decode_json_line(line, where), where))


def decode_json_line(line: bytes, where: str) -> Any:
    """The value of one line of JSON; `where` says which line it is, for the error.

    >>> decode_json_line(b'{"summary": "It rained."}', "line 1 of runs.jsonl")
    {'summary': 'It rained.'}
    """
    try:
        return msgspec.json.decode(line)
    except RecursionError:
        raise DataError(f"{where} is nested too deeply") from None
    except UnicodeDecodeError:
        raise DataError(f"{where} {describe_bad_bytes(line)}") from None
    except msgspec.DecodeError as error:
        reason = str(error).removeprefix("JSON is malformed: ") or "it cannot be read"
        fault = _BYTE.search(reason)
        if fault and _NOT_A_NUMBER.match(line, int(fault[1])):
            reason = f"there is no NaN or Infinity in JSON, write null for what is missing ({reason})"
        raise DataError(f"{where} is not valid JSON: {reason}") from None


def check_record(value: Any, where: str) -> dict[str, Any]:
    """The value itself if it is a record; an error that says where it stands if not."""
    if not isinstance(value, dict):
        raise DataError(f"{where}: a record is an object with named fields, not {type(value).__name__}")
    return value


def read_json(path: str | Path, content: str = "valid JSON") -> Any:
    """The value of a file that holds one, gzipped or not; `content` says what the file should be, for the error."""
    file = str(path)
    with open_bytes(file) as stream:
        try:
            return msgspec.json.decode(stream.read().removeprefix(_BOM))
        except (msgspec.DecodeError, UnicodeDecodeError, OSError, EOFError, zlib.error, RecursionError) as error:
            raise DataError(f"{file} is not {content}: {error}") from None


def write_json_lines(records: Iterable[Mapping[str, Any]], path: Path) -> int:
    """Write records as JSON lines, all of them or nothing; returns how many there are."""
    count = 0
    with write_atomically(path) as part, part.open("wb") as stream:
        for record in records:
            stream.write(msgspec.json.encode(record) + b"\n")
            count += 1
    return count


def nan_to_null(value: Any) -> Any:
    """The value with None (null in JSON, which knows neither NaN nor infinity) for every number that is not finite.

    >>> nan_to_null({"value": float("nan"), "bounds": (0.5, 1)})
    {'value': None, 'bounds': [0.5, 1]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: nan_to_null(inside) for key, inside in value.items()}
    if isinstance(value, list | tuple):
        return [nan_to_null(inside) for inside in value]
    return value
