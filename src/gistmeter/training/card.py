"""Tables of model cards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str | float]]) -> str:
    """A table in Markdown; fractions get three digits, and a missing one an empty cell.

    >>> print(table(("part", "accuracy"), [("dev", 0.75), ("test", float("nan"))]))
    | part | accuracy |
    | --- | --- |
    | dev | 0.750 |
    | test |  |
    """
    lines = [header, ["---"] * len(header), *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: str | float) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.3f}"
    return str(value)
