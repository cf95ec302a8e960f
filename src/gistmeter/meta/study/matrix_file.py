"""Matrix files: JSON with systems, documents, and tables of scores and judgments (systems x documents)."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.files import file_format, open_bytes, read_file
from gistmeter.io.json_lines import decode_json
from gistmeter.meta.study.tables import number_table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray

_START_BYTES = 1 << 16
"""The name `systems` is looked for in so many bytes first; a file that has it later is read whole."""
_INDEX = re.compile(r"\[(\d+)\]")


class _Outline(msgspec.Struct):
    """What tells a matrix file from other JSON."""

    systems: msgspec.Raw
    scores: msgspec.Raw


class _Content(msgspec.Struct):
    """What a matrix file holds, tables and what is checked elsewhere not decoded further."""

    systems: list[str | int | float]
    documents: list[str | int | float]
    scores: dict[str, msgspec.Raw]
    human: list[str] | None = None
    better: Any = None
    groups: Any = None


class MatrixFile(NamedTuple):
    """The content of a matrix file: names, tables, which of them are judgments; directions and groups as stated."""

    systems: tuple[str, ...]
    documents: tuple[str, ...]
    tables: dict[str, FloatArray]
    aspects: tuple[str, ...]
    better: Any
    groups: Any


def is_matrix_file(path: str | Path) -> bool:
    """Whether a path names a matrix file: JSON, one object, with `systems` and `scores`."""
    if file_format(str(path)) != ".json":
        return False
    with open_bytes(str(path)) as stream:
        start = stream.read(_START_BYTES).lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith(b"{"):
        return False
    if b'"systems"' in start:
        return True
    try:
        msgspec.json.decode(read_file(str(path)), type=_Outline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True


def read_matrix_file(path: str | Path) -> MatrixFile:
    """The content of a matrix file.

    Raises
    ------
    DataError
        The file is not JSON, lacks one of the fields, names a system or a document twice, or a table has another size
        or holds something else than numbers and null.
    """
    file = str(path)
    content = decode_json(read_file(file), file, "a matrix file", kind=_Content)
    systems, documents = tuple(map(str, content.systems)), tuple(map(str, content.documents))
    refuse_repeated(systems, "system", file)
    refuse_repeated(documents, "document", file)
    tables = {
        name: number_table(_decode_table(table, name, file, systems, documents), f"{name} in {file}", shape)
        for shape in [(len(systems), len(documents))]
        for name, table in content.scores.items()
    }
    aspects = tuple(content.human or ())
    unknown = [name for name in aspects if name not in tables]
    if unknown:
        raise DataError(f"{file} names {unknown[0]!r} as human, but has no such scores")
    if len(set(aspects)) < len(aspects):
        raise DataError(f"{file} names {Counter(aspects).most_common(1)[0][0]!r} as human twice: once is enough")
    return MatrixFile(
        systems=systems,
        documents=documents,
        tables=tables,
        aspects=aspects,
        better=content.better or {},
        groups=content.groups or {},
    )


def refuse_repeated(names: Sequence[str], noun: str, home: str) -> None:
    """Refuse names of systems or documents of which one is there twice: which row or column is meant is not known.

    >>> refuse_repeated(["a", "b", "a"], "system", "study.json")
    Traceback (most recent call last):
    gistmeter.errors.DataError: study.json has the system 'a' twice (1 and 3): give each a name of its own
    """
    name, times = Counter(names).most_common(1)[0] if names else ("", 0)
    if times > 1:
        first, second = [number for number, other in enumerate(names, start=1) if other == name][:2]
        raise DataError(f"{home} has the {noun} {name!r} twice ({first} and {second}): give each a name of its own")


def _decode_table(
    table: msgspec.Raw, name: str, file: str, systems: Sequence[str], documents: Sequence[str]
) -> list[list[float | None]]:
    """The cells of a table; an error names the system and the document of a cell that is no number."""
    try:
        return msgspec.json.decode(table, type=list[list[float | None]])
    except (msgspec.DecodeError, RecursionError) as error:
        numbers = [int(index) for index in _INDEX.findall(str(error))]
        if len(numbers) == 2 and numbers[0] < len(systems) and numbers[1] < len(documents):
            cell: Any = msgspec.json.decode(table, type=list[list[msgspec.Raw]])[numbers[0]][numbers[1]]
            shown = bytes(cell)[:40].decode(errors="replace")
            detail = f": {systems[numbers[0]]} has {shown} for document {documents[numbers[1]]}"
        else:
            detail = "" if isinstance(error, RecursionError) else " (a list of numbers for each system)"
        raise DataError(f"{name} in {file} is not a table of numbers{detail}") from None
