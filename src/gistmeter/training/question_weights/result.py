"""What training the weighter of questions gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedQuestionWeights(Trained):
    """A trained weighter: what it learned from, and how well it tells questions that references answer."""

    documents: int
    refused: int
    """Documents left out as evaluation data."""

    questions: int
    answered: float
    """The share of questions that a reference answers."""

    auc: float
    """On held-out documents: how well the weights tell these questions from the others."""

    weights: Mapping[str, float]
    """The weight of each feature."""

    def summary(self) -> str:
        """What a training tells at its end."""
        return (
            f"{self.file}: AUC {self.auc:.3f} on held-out documents ({self.questions:,} questions about "
            f"{self.documents:,} documents, {self.refused:,} left out); card: {self.card}"
        )
