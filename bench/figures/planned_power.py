"""Planned power beside the power of simulated studies of the planned size."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.figures.page import Table


def planned_power() -> Iterator[Table]:
    """Nothing yet."""
    return iter(())
