"""Files that a training writes again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def replaced(file: Path, write: Callable[[Path], object]) -> None:
    """Write a file under its name only when it is whole."""
    part = file.with_suffix(".part")
    write(part)
    part.replace(file)
