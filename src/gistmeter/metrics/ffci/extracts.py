"""Extracts scored by the support of their sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.missing import average_present

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.extracts import Choice


@dataclass(frozen=True, slots=True)
class SentenceExtracts:
    """For each sentence of a document the support of its parts, alone as a summary and as one of several lines.

    A sentence has one part unless the splitter cuts it again where it stands alone.
    """

    alone: list[list[float]]
    as_lines: list[list[float]]
    estimates: bool = False

    def score(self, choices: Sequence[Choice]) -> FloatArray:
        """The mean support of the sentences of each choice."""
        return np.array([[self._average(choice)] for choice in choices])

    def _average(self, choice: Choice) -> float:
        supports = self.alone if len(choice) == 1 else self.as_lines
        parts = [value for position in choice for value in supports[position]]
        return average_present(parts) if parts else 0.0
