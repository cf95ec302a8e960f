"""Writing files whole or not at all: never over an input, never half a file, and a failed write leaves the old one."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WRITER_ERRORS = ("ComputeError", "SafetensorError")
"""What polars and safetensors raise where Python raises an OSError; neither is loaded only to know."""

_SMALL_FILE_BYTES = 1 << 16

_PROTECTED: ContextVar[tuple[str, ...]] = ContextVar("protected files", default=())
"""The inputs of the command that runs: no file of them is written, whoever writes."""


def check_output(path: str | Path, inputs: Iterable[str | Path] = ()) -> None:
    """Refuse, before any work, an output that could not be written at the end, or that is one of the inputs.

    An input is the same file by its resolved path, by a symbolic link or by a hard link, and so is the `.meta.json`
    beside it.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".jsonl") as run:
    ...     check_output(run.name, [run.name])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gistmeter.errors.DataError: cannot write ...jsonl: it is one of the inputs; name another file
    """
    path = Path(path)
    check_writable(path)
    for file in inputs:
        if is_same_file(path, Path(file)):
            also = "" if str(file) == str(path) else f" ({file})"
            raise DataError(f"cannot write {path}: it is one of the inputs{also}; name another file")
        if Path(file).name and is_same_file(path, metadata_path(Path(file))):
            raise DataError(f"cannot write {path}: it is one of the inputs (read with {file}); name another file")


def metadata_path(path: Path) -> Path:
    """The file beside a .jsonl or .csv table that keeps its metadata, such as signatures; it is read with the table."""
    return path.with_name(path.name + ".meta.json")


def check_writable(path: Path) -> None:
    """Refuse an output whose folder is missing or closed, or that is a folder or a device itself."""
    with explain_failure(f"cannot write {path}"):
        if str(path) == "-":
            raise DataError("cannot write -: standard output has the tables; name a file for this")
        if "\0" in str(path):
            raise DataError(f"cannot write {path}: the name has a null character")
        if path.is_dir():
            raise DataError(f"cannot write {path}: it is a folder")
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):
            raise DataError(f"cannot write {path}: it is not a regular file")
        if not path.parent.is_dir():
            raise DataError(f"cannot write {path}: the folder {path.parent} does not exist")
        if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
            raise DataError(f"cannot write {path}: permission denied")


def is_same_file(first: Path, second: Path) -> bool:
    """Whether two paths lead to one file, through links too; a file that is not there yet has its path alone."""
    try:
        if first.exists() and second.exists():
            return first.samefile(second)
        return first.resolve() == second.resolve()
    except (OSError, ValueError, RuntimeError):  # too long, a null character, links in a circle
        return False


@contextlib.contextmanager
def protect_files(files: Iterable[str | Path]) -> Iterator[None]:
    """While this lasts no writer of gistmeter writes these files (see `check_output`, which says so earlier)."""
    token = _PROTECTED.set((*_PROTECTED.get(), *map(str, files)))
    try:
        yield
    finally:
        _PROTECTED.reset(token)


@contextlib.contextmanager
def explain_failure(sentence: str) -> Iterator[None]:
    """An error of the system (a full or read-only disk, a name that is too long) as the end of a sentence."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{sentence}: {describe_failure(error)}") from None
    except ValueError as error:
        if "null byte" not in str(error) and "null character" not in str(error):
            raise
        raise DataError(f"{sentence}: the name has a null character") from None


def has_space(folder: Path) -> bool:
    """Whether the disk of a folder has room for a small file, where that can be told."""
    try:
        return shutil.disk_usage(folder).free > _SMALL_FILE_BYTES
    except OSError:
        return True


def describe_failure(error: Exception) -> str:
    """Why the system refused, in one line.

    >>> describe_failure(OSError(28, "No space left on device")), describe_failure(OSError("broken\\nhere"))
    ('No space left on device', 'broken')
    """
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return reason.partition("\n")[0].strip() or type(error).__name__


@contextlib.contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """A path to write to; the file there replaces `path` at once when nothing went wrong, and is removed otherwise."""
    check_output(path, _PROTECTED.get())
    part: Path | None = None
    try:
        with explain_failure(f"cannot write {path}"):
            handle, name = tempfile.mkstemp(prefix=".gistmeter.", suffix=".part", dir=path.parent)
            os.close(handle)
            part = Path(name)
            yield part
            umask = os.umask(0)
            os.umask(umask)
            part.chmod(0o666 & ~umask)  # mkstemp makes files that only their owner can read
            part.replace(path)
    except UnicodeEncodeError as error:
        part_of_text = error.object[error.start : error.end]
        raise DataError(f"cannot write {path}: a text holds half a character ({part_of_text!r})") from None
    except Exception as error:
        if type(error).__name__ not in _WRITER_ERRORS:
            raise
        reason = describe_failure(error) if has_space(path.parent) else "No space left on device"
        raise DataError(f"cannot write {path}: {reason}") from None
    finally:
        if part is not None:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file that fits into memory, whole or not at all."""
    with write_atomically(path) as part:
        part.write_bytes(content)


def append_text(path: Path, text: str) -> None:
    """Add a text to the end of a file that is somebody's, such as the page of a build server; never to an input."""
    check_output(path, _PROTECTED.get())
    with explain_failure(f"cannot write {path}"), path.open("a", encoding="utf-8") as stream:
        stream.write(text)
