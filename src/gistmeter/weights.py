"""Files of weights: their digests, and what a safetensors file says of itself without being loaded."""

from __future__ import annotations

import functools
import hashlib
import json
import struct
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

EMBEDDED = "embedded"
"""How every role spells the model that installs with gistmeter."""
_ABOUT = "__metadata__"


def header(file: Path) -> dict[str, dict[str, object]]:
    """What a safetensors file says of its tensors, without reading them."""
    return {name: tensor for name, tensor in _said(file).items() if name != _ABOUT}


def metadata(file: Path) -> dict[str, object]:
    """What the writer of a safetensors file says of it."""
    return _said(file).get(_ABOUT, {})


def _said(file: Path) -> dict[str, dict[str, object]]:
    with file.open("rb") as stream:
        start = stream.read(8)
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 0 < length <= file.stat().st_size - 8:
            raise MetricError(f"{file.name} in {file.parent} is not a safetensors file, or it is cut short")
        try:
            said: dict[str, dict[str, object]] = json.loads(stream.read(length))
        except ValueError:
            raise MetricError(f"{file.name} in {file.parent} is not a safetensors file") from None
    return said


def files_digest(files: Iterable[Path]) -> str:
    """Twelve hexadecimal digits over the contents of some files."""
    digest = hashlib.blake2b(digest_size=6)
    for file in files:
        known = file.stat()
        digest.update(_file_digest(file, known.st_size, known.st_mtime_ns))
    return digest.hexdigest()


@functools.lru_cache(maxsize=256)
def _file_digest(file: Path, size: int, changed: int) -> bytes:  # noqa: ARG001  (they tell when a file changed)
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").digest()
