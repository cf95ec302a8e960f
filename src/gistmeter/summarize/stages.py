"""Stages of long work, told to one listener: how much of all of it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Stages:
    """Work in stages of equally many steps, such as documents that are labelled first and then written of.

    >>> stages = Stages(lambda done, total: print(done, "of", total), stages=2, steps=3)
    >>> label, write = stages.begin(), stages.begin()
    >>> label(3, 3), write(1, 3)
    3 of 6
    4 of 6
    (None, None)
    """

    def __init__(self, progress: Callable[[int, int], None] | None, *, stages: int, steps: int) -> None:
        self._progress, self._steps, self._total = progress, steps, stages * steps
        self._begun = 0

    def begin(self) -> Callable[[int, int], None]:
        """What the next stage tells how many of its steps are done."""
        before = self._begun * self._steps
        self._begun += 1

        def tell(done: int, _total: int) -> None:
            if self._progress is not None:
                self._progress(before + done, self._total)

        return tell
