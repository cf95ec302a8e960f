"""JSON in files: lines that know their file and number, and files of one JSON value. A fault says where it is.

Everything in gistmeter that reads or writes JSON does it here: `decode_json` turns bytes into a value of the type that
is asked for, or says in one sentence which line of which file is wrong and why.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import msgspec

from gistmeter.errors import DataError
from gistmeter.example import shorten_value
from gistmeter.io.atomic import write_atomically
from gistmeter.io.files import describe_bad_bytes, read_byte_lines, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

# What Python's json module writes for a float that is no number.
_NOT_A_NUMBER = re.compile(rb"-?(?:NaN|Infinity)\b")
_BYTE = re.compile(r" ?\(byte (\d+)\)")
_UNEXPECTED = re.compile(r"Expected `(.*)`, got `(.*?)`")
_LACKING = re.compile(r"Object missing required field `(.*?)`")
_PATH = re.compile(r" - at `(?:key in )?\$\.?(.*)`")
_KEY_END = re.compile(rb'"[ \t\r\n]*:')
_KEY_OR_BRACE = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")([ \t\r\n]*:)?|[{}]')
_KINDS = {
    "array": "a list",
    "object": "an object",
    "str": "text",
    "float": "a number",
    "int": "a whole number",
    "bool": "true or false",
    "null": "null",
}
"""What messages call the kinds of JSON values."""

_CONTAINERS = frozenset({dict, list})

Value = TypeVar("Value")


class NumberedRecord(NamedTuple):
    """A record of a file, and the number of its line, counted from 1."""

    line: int
    record: dict[str, Any]


def read_json_lines(path: str | Path) -> Iterator[NumberedRecord]:
    """The records of a file of JSON lines, gzipped or not; blank lines are passed over.

    Raises a DataError that names the line and the file where a line is not UTF-8, not JSON, or not an object, or has
    a key twice in one object.
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
        value = msgspec.json.decode(line)
        # Every key has its colon: where there are no more colons than keys, no key can have been there twice.
        if line.count(b":") != (keys := _count_keys(value)) and len(_KEY_END.findall(line)) != keys:
            refuse_repeated_keys(line, where)
        return value
    except RecursionError:
        raise DataError(f"{where} is nested too deeply") from None
    except UnicodeDecodeError:
        raise DataError(f"{where} {describe_bad_bytes(line)}") from None
    except msgspec.DecodeError as error:
        raise DataError(f"{where} is not valid JSON: {_describe_syntax(error, line)}") from None


@overload
def decode_json(data: bytes, where: str, content: str = ...) -> Any: ...
@overload
def decode_json(data: bytes, where: str, content: str = ..., *, kind: type[Value]) -> Value: ...
def decode_json(data: bytes, where: str, content: str = "valid JSON", *, kind: Any = Any) -> Any:
    """The value that bytes spell in JSON, of the type `kind`; `where` names them, `content` says what they should be.

    >>> decode_json(b'{"weights": ["2"]}', "w.json", "a file of weights", kind=dict[str, list[float]])
    Traceback (most recent call last):
    gistmeter.errors.DataError: w.json is not a file of weights: `[...][0]` is text, not a number
    """
    try:
        value = msgspec.json.decode(data, type=kind)
        refuse_repeated_keys(data, where)
        return value
    except RecursionError:
        reason = "it is nested too deeply"
    except UnicodeDecodeError:
        lines = enumerate(data.split(b"\n"), start=1)
        reason = next(f"line {number} {describe_bad_bytes(line)}" for number, line in lines if not _is_utf8(line))
    except msgspec.ValidationError as error:
        reason = describe_type_fault(error)
    except msgspec.DecodeError as error:
        reason = _describe_syntax(error, data)
    raise DataError(f"{where} is not {content}: {reason}")


def refuse_repeated_keys(data: bytes, where: str) -> None:
    """Refuse JSON with a key twice in one object, of which a reader would keep the last without a word.

    >>> refuse_repeated_keys(b'{"doc_id": "a", "doc_id": "b"}', "line 3 of runs.jsonl")
    Traceback (most recent call last):
    gistmeter.errors.DataError: line 3 of runs.jsonl has the key 'doc_id' twice in one object: keep one of them
    """
    objects: list[set[bytes]] = []
    for token in _KEY_OR_BRACE.finditer(data):
        if token[0] == b"{":
            objects.append(set())
        elif token[0] == b"}":
            objects.pop()
        elif token[2]:
            key = msgspec.json.encode(msgspec.json.decode(token[1])) if b"\\" in token[1] else token[1]
            if key in objects[-1]:
                line = data.count(b"\n", 0, token.start()) + 1
                location = f"line {line} of {where}" if b"\n" in data.rstrip() else where
                name = shorten_value(msgspec.json.decode(key))
                raise DataError(f"{location} has the key {name} twice in one object: keep one of them")
            objects[-1].add(key)


def _count_keys(value: Any) -> int:
    """How many keys the objects of a decoded value have, those aside that come later in a list than something else."""
    members: Iterable[Any]
    if type(value) is dict:
        count, members = len(value), value.values()
    elif type(value) is list and value and type(value[0]) in _CONTAINERS:
        count, members = 0, value
    else:  # a list of texts or numbers may be long, and is not gone through
        return 0
    for member in members:
        if type(member) in _CONTAINERS:
            count += _count_keys(member)
    return count


def describe_type_fault(error: msgspec.ValidationError) -> str:
    """Which part of a value is of another type than it should be, as a clause.

    >>> try:
    ...     msgspec.convert({"systems": "abc"}, dict[str, list[str]])
    ... except msgspec.ValidationError as error:
    ...     describe_type_fault(error)
    '`[...]` is text, not a list'
    """
    message = str(error)
    path = _PATH.search(message)
    part = f"`{path[1]}`" if path and path[1] else "it"
    if kinds := _UNEXPECTED.search(message):
        wanted = kinds[1].split(" | ")
        expected = " or ".join(_KINDS.get(kind, kind) for kind in wanted if kind != "int" or "float" not in wanted)
        return f"{part} is {_KINDS.get(kinds[2], kinds[2])}, not {expected}"
    if lacking := _LACKING.search(message):
        return f"{part} has no `{lacking[1]}`"
    return f"{part}: {_PATH.sub('', message)}"


def _describe_syntax(error: msgspec.DecodeError, data: bytes) -> str:
    """What is wrong with JSON, and where if it has several lines."""
    message = str(error)
    if isinstance(error, msgspec.ValidationError):  # a number of hundreds of digits
        return describe_type_fault(error)
    reason = message.removeprefix("JSON is malformed: ") or "it cannot be read"
    fault = _BYTE.search(reason)
    if fault is None:
        return reason
    position = int(fault[1])
    if _NOT_A_NUMBER.match(data, position):
        reason = f"there is no NaN or Infinity in JSON, write null for what is missing ({reason})"
    line = data.count(b"\n", 0, position) + 1
    if b"\n" not in data.rstrip():
        return reason
    column = position - (data.rfind(b"\n", 0, position) + 1) + 1
    return f"line {line}: {_BYTE.sub(f' (column {column})', reason)}"


def _is_utf8(line: bytes) -> bool:
    return describe_bad_bytes(line) == "is UTF-8"


def check_record(value: Any, where: str) -> dict[str, Any]:
    """The value itself if it is a record; an error that says where it stands if not."""
    if not isinstance(value, dict):
        raise DataError(f"{where}: a record is an object with named fields, not {type(value).__name__}")
    return value


@overload
def read_json(path: str | Path, content: str = ...) -> Any: ...
@overload
def read_json(path: str | Path, content: str = ..., *, kind: type[Value]) -> Value: ...
def read_json(path: str | Path, content: str = "valid JSON", *, kind: Any = Any) -> Any:
    """The value of a file that holds one, gzipped or not: see `decode_json`."""
    return decode_json(read_file(str(path)), str(path), content, kind=kind)


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
