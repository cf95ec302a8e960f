"""What training the regressor of easiness gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class EasinessFigures:
    """How far predictions for documents that were not learned from are from the truth, on one set of sentences."""

    group: str
    sentences: int
    error: float
    """The mean absolute error."""

    error_of_mean: float
    """That of always saying the mean of the sentences learned from."""

    correlation: float
    """Pearson's, of prediction and truth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedEasiness(Trained):
    """A trained regressor: the documents of each set it learned from, and its figures on held-out ones."""

    documents: Mapping[str, int]
    figures: tuple[EasinessFigures, ...]

    def summary(self) -> str:
        """What a training tells at its end."""
        errors = ", ".join(f"{figures.group} {figures.error:.3f}" for figures in self.figures)
        return f"{self.file}: mean absolute error on held-out documents: {errors}; card: {self.card}"
