"""What training an answerer gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.training.answering.examples import QaExample, QaExamples
    from gistmeter.training.loop.check import TrainingRun


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedAnswering(Trained):
    """A trained answerer: what it learned from, and how it answers questions that it never saw."""

    run: TrainingRun
    data: QaExamples
    examples: tuple[QaExample, ...]
    """The questions with their variants."""

    too_long: int
    """Questions left out for their length, or because no token of the answer was found."""

    figures: Mapping[str, float]

    def summary(self) -> str:
        """What a training tells at its end."""
        return f"{self.file}\ncard: {self.card}"
