"""Which cells of two metrics' tables to swap: drawn at random, or all ways there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gistmeter.arrays import BoolArray

    Marks = NDArray[np.uint8]

Swapping = Literal["systems", "documents", "both", "crossed"]
"""What is swapped together: all scores of a system, or of a document, each by itself, or systems and then documents."""


def draw_swap_marks(shape: tuple[int, int], draws: int, method: Swapping, rng: np.random.Generator) -> Marks:
    """Which cells to swap, draws x systems x documents; an axis along which all go together has length 1.

    >>> draw_swap_marks((3, 4), 5, "systems", np.random.default_rng(0)).shape
    (5, 3, 1)
    """
    systems, documents = shape

    def coins(height: int, width: int) -> Marks:
        needed = draws * height * width
        bits = np.unpackbits(np.frombuffer(rng.bytes(-(-needed // 8)), np.uint8), count=needed)
        # Laid out documents x systems, the way most levels go through it.
        return bits.reshape(draws, width, height).transpose(0, 2, 1)

    if method == "both":
        return coins(systems, documents)
    if method == "systems":
        return coins(systems, 1)
    if method == "documents":
        return coins(1, documents)
    return coins(systems, 1) ^ coins(1, documents)


def enumerate_swap_marks(present: BoolArray, method: Swapping, *, at_most: int) -> Marks | None:
    """All ways to swap whole systems or documents, laid out as `draw_swap_marks` has them; None beyond `at_most`.

    The first way swaps nothing. Rows and columns of `present` (systems x documents) without any score stay as they are.

    >>> enumerate_swap_marks(np.array([[True], [False], [True]]), "systems", at_most=9)[:, :, 0]
    array([[0, 0, 0],
           [1, 0, 0],
           [0, 0, 1],
           [1, 0, 1]], dtype=uint8)
    """
    if method not in ("systems", "documents"):
        return None
    scored = np.asarray(present.any(axis=1 if method == "systems" else 0))
    if 2 ** int(scored.sum()) > at_most:
        return None
    ways = np.arange(2 ** int(scored.sum()))[:, None]
    marks = np.zeros((len(ways), len(scored)), dtype=np.uint8)
    marks[:, scored] = (ways >> np.arange(scored.sum())) & 1
    return marks[:, :, None] if method == "systems" else marks[:, None, :]
