"""What training the presence judge gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.training.presence.figures import Gain, RecallCorrelations

FLOORS = ("content-word recall", "ROUGE-1 recall")
"""Scores that need no training, which a judge must beat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeFigures:
    """One judge on one run: how it agrees with people, and by how much more than each floor."""

    run: str
    test: str
    judge: str
    pairs: int
    correlations: RecallCorrelations
    accuracy: float
    gains: tuple[Gain, ...] = ()

    def summary(self) -> str:
        """The correlations in a line."""
        correlations = self.correlations
        return f"{self.run}, {self.test}, {self.judge}: r {correlations.pearson:.3f}, rho {correlations.spearman:.3f}"


class RunSize(NamedTuple):
    """How many documents, summaries and labelled pairs a run has."""

    documents: int
    summaries: int
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedPresence(Trained):
    """A trained judge: the runs it learned from, and held-out figures of judges trained like it."""

    runs: Mapping[str, RunSize]
    figures: tuple[JudgeFigures, ...]

    def summary(self) -> str:
        """What a training tells at its end."""
        return "\n".join([*(figures.summary() for figures in self.figures), f"{self.file}; card: {self.card}"])
