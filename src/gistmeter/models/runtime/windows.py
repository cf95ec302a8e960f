"""Windows: how a text longer than the model reads is covered, with every token read in enough context."""

from __future__ import annotations

from dataclasses import dataclass

MARGIN_TOKENS = 64
"""Tokens of context that a window lends to its neighbour on either side."""


@dataclass(frozen=True, slots=True)
class Window:
    """The model reads tokens `start` to `end`; the states of `keep_start` to `keep_end` are taken from it."""

    start: int
    end: int
    keep_start: int
    keep_end: int


def split_into_windows(count: int, size: int, margin: int = MARGIN_TOKENS) -> list[Window]:
    """Windows of `size` tokens over `count`, overlapping by twice the margin; what is kept does not overlap.

    >>> split_into_windows(10, 10)
    [Window(start=0, end=10, keep_start=0, keep_end=10)]
    >>> [(w.start, w.end, w.keep_start, w.keep_end) for w in split_into_windows(20, 10, margin=2)]
    [(0, 10, 0, 8), (6, 16, 8, 14), (10, 20, 14, 20)]
    """
    if count <= size:
        return [Window(start=0, end=count, keep_start=0, keep_end=count)]
    margin = min(margin, (size - 1) // 4)
    step = size - 2 * margin
    windows: list[Window] = []
    covered = 0
    for start in range(0, count, step):
        first = min(start, count - size)  # the last window is full too: no token is read with less context
        end = first + size
        keep_end = count if end >= count else end - margin
        windows.append(Window(start=first, end=end, keep_start=covered, keep_end=keep_end))
        covered = keep_end
        if end >= count:
            break
    return windows
