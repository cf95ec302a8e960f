"""Opening files: plain or gzipped, with one clear sentence when that is not possible."""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator

STDIN = "-"
_BOM = b"\xef\xbb\xbf"


def kind_of(path: str) -> str:
    """The suffix that says a file's format, without .gz.

    >>> kind_of("runs/a.jsonl.gz"), kind_of("b.CSV"), kind_of("-")
    ('.jsonl', '.csv', '.jsonl')
    """
    if path == STDIN:
        return ".jsonl"
    name = Path(path).name.lower().removesuffix(".gz")
    return Path(name).suffix


def stem_of(path: str) -> str:
    """The name of a file without folders and suffixes, used for a system that is not named.

    >>> stem_of("runs/bart.jsonl.gz")
    'bart'
    """
    if path == STDIN:
        return "system"
    name = Path(path).name
    return name.split(".")[0] or name


def check_readable(path: str) -> None:
    """Refuse a path that is missing or a folder."""
    if path == STDIN:
        return
    place = Path(path)
    if place.is_dir():
        raise DataError(f"cannot read {path}: it is a folder, not a file")
    if not place.exists():
        raise DataError(f"cannot read {path}: there is no such file")


def open_bytes(path: str) -> IO[bytes]:
    """A file, gzipped or not, or standard input, for reading bytes."""
    if path == STDIN:
        return sys.stdin.buffer
    check_readable(path)
    try:
        raw = Path(path).open("rb")  # noqa: SIM115  (the caller closes it)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror}") from None
    if raw.read(2) == b"\x1f\x8b":
        raw.seek(0)
        return gzip.GzipFile(fileobj=raw)  # type: ignore[return-value]
    raw.seek(0)
    return raw


def byte_lines(path: str, *, ends: bool = False) -> Iterator[bytes]:
    """The lines of a file, with or without their ends; a byte-order mark is dropped."""
    with open_bytes(path) as stream:
        first = True
        try:
            for line in stream:
                if first:
                    line, first = line.removeprefix(_BOM), False  # noqa: PLW2901
                yield line if ends else line.rstrip(b"\r\n")
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"cannot read {path}: {error}") from None


def text_lines(path: str, *, ends: bool = False) -> Iterator[str]:
    """The lines of a text file; bytes that are not UTF-8 are named by line."""
    for number, line in enumerate(byte_lines(path, ends=ends), start=1):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            byte = line[error.start]
            raise DataError(
                f"line {number} of {path} is not UTF-8 (byte 0x{byte:02x} at column {error.start + 1})"
            ) from None
