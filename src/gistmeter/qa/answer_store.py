"""Keeping questions and answers beyond a process: `gistmeter report` need not ask what `gistmeter score` asked."""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Shelf(Protocol):
    """Where things are kept beyond this process."""

    def look_up(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """What is kept under those of the keys that are known."""

    def keep(self, things: Mapping[bytes, bytes]) -> None:
        """Keep things by key."""


_SHELF: ContextVar[Shelf | None] = ContextVar("shelf", default=None)


def shelf_here() -> Shelf | None:
    """The shelf in use, if any."""
    return _SHELF.get()


@contextlib.contextmanager
def keeping(shelf: Shelf | None) -> Iterator[None]:
    """Within this, what is asked and answered is kept on a shelf, and looked for there."""
    before = _SHELF.set(shelf)
    try:
        yield
    finally:
        _SHELF.reset(before)
