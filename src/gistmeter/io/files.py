"""Opening files: plain or gzipped, with one clear sentence when that is not possible."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.atomic import explain_failure

if TYPE_CHECKING:
    from collections.abc import Iterator

STDIN = "-"
BOM = b"\xef\xbb\xbf"
"""The byte-order mark that editors and spreadsheets put before UTF-8."""
_BUFFER_BYTES = 1 << 16


class _CheckedGzip(io.RawIOBase):
    """What a gzipped file holds; a file that is cut short or broken is one sentence, whoever reads it and how."""

    def __init__(self, path: str, raw: IO[bytes]) -> None:
        self._path = path
        self._raw = raw
        self._unpacked = gzip.GzipFile(fileobj=raw)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            return self._unpacked.readinto(buffer)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"cannot read {self._path}: it is no whole gzip file ({error})") from None

    def close(self) -> None:
        self._unpacked.close()
        self._raw.close()
        super().close()


def file_format(path: str) -> str:
    """The suffix that tells a file's format, without .gz; standard input is JSON lines.

    >>> file_format("runs/a.jsonl.gz"), file_format("b.CSV"), file_format("-")
    ('.jsonl', '.csv', '.jsonl')
    """
    if path == STDIN:
        return ".jsonl"
    name = Path(path).name.lower().removesuffix(".gz")
    return Path(name).suffix


def file_stem(path: str) -> str:
    """The name of a file without folders and suffixes, used for a system that is not named.

    >>> file_stem("runs/bart.jsonl.gz")
    'bart'
    """
    if path == STDIN:
        return "system"
    name = Path(path).name
    return name.split(".")[0] or name


def check_readable(path: str) -> None:
    """Refuse a path that is missing, a folder, or a pipe, which cannot be read twice and may never end."""
    if path == STDIN:
        return
    with explain_failure(f"cannot read {path}"):
        if Path(path).is_dir():
            raise DataError(f"cannot read {path}: it is a folder, not a file")
        if not Path(path).exists():
            raise DataError(f"cannot read {path}: there is no such file")
        if not Path(path).is_file():
            raise DataError(f"cannot read {path}: it is a pipe or a device, not a file (- is standard input)")


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
        return io.BufferedReader(_CheckedGzip(path, raw), _BUFFER_BYTES)
    raw.seek(0)
    return raw


def read_byte_lines(path: str, *, ends: bool = False) -> Iterator[bytes]:
    """The lines of a file, with or without their ends; a byte-order mark is dropped."""
    with open_bytes(path) as stream:
        first = True
        try:
            for line in stream:
                if first:
                    line, first = line.removeprefix(BOM), False  # noqa: PLW2901
                yield line if ends else line.rstrip(b"\r\n")
        except OSError as error:
            raise DataError(f"cannot read {path}: {error}") from None


def read_file(path: str) -> bytes:
    """All of a file, gzipped or not, without its byte-order mark."""
    with open_bytes(path) as stream:
        try:
            return stream.read().removeprefix(BOM)
        except OSError as error:
            raise DataError(f"cannot read {path}: {error.strerror or error}") from None


def read_text_lines(path: str, *, ends: bool = False) -> Iterator[str]:
    """The lines of a text file; an error names the line where bytes are not UTF-8."""
    for number, line in enumerate(read_byte_lines(path, ends=ends), start=1):
        try:
            yield line.decode()
        except UnicodeDecodeError:
            raise DataError(f"line {number} of {path} {describe_bad_bytes(line)}") from None


def describe_bad_bytes(line: bytes) -> str:
    """Where a line is not UTF-8, as the end of a sentence.

    >>> describe_bad_bytes(b"caf\\xe9")
    'is not UTF-8 (byte 0xe9 at column 4)'
    """
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return f"is not UTF-8 (byte 0x{line[error.start]:02x} at column {error.start + 1})"
    return "is UTF-8"
