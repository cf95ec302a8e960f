"""What the compiled loops of ROUGE share: how they are compiled, and hash tables of token numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

EMPTY = -1
"""A slot of a hash table that holds nothing."""


def compile_loop(function: Callable[..., Any]) -> Any:
    """The function as machine code, which later processes load."""
    return njit(cache=True, nogil=True)(function)


@compile_loop
def table_size(items: int) -> int:
    """A power of two at least twice the number of items, so that probes stay short."""
    size = 8
    while size < 2 * items:
        size *= 2
    return size


@compile_loop
def mix_bits(value: Any) -> Any:
    """Spread a number over all bits (multiplier of Fibonacci hashing)."""
    spread = np.uint64(value) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((spread >> np.uint64(20)) & np.uint64(0x7FFFFFFFFFF))
