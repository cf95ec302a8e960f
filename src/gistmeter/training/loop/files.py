"""Files that a training writes again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.io.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def replaced(file: Path, write: Callable[[Path], object]) -> None:
    """Write a file under its name only when it is whole."""
    with write_atomically(file) as part:
        write(part)
