"""How loops are compiled: by numba, once for every machine, letting go of the interpreter.

The compiled code is kept beside the source (`__pycache__`) and shared by all processes. Numba compiles a function anew
when the file it stands in changes, but not when a function it calls changes in another file: after a change in
`concordance`, remove the `kernels.*.nbi` files of `__pycache__`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable


def compile_loop(function: Callable[..., Any]) -> Any:
    """Compile a function whose sums must be added up in the order written."""
    return njit(cache=True, nogil=True)(function)


def compile_unordered_loop(function: Callable[..., Any]) -> Any:
    """Compile a function whose sums may be added up in any order, and so several terms at a time."""
    return njit(cache=True, nogil=True, fastmath={"reassoc"})(function)
