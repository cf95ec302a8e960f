"""Steps: how much of a probe's work is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Steps:
    """How much is done of a total, told to whoever wants to know."""

    def __init__(self, progress: Callable[[int, int], None] | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def add(self, count: int = 1) -> None:
        """So much more is done."""
        self._done += count
        if self._progress is not None:
            self._progress(min(self._done, self._total), self._total)
