"""What training the coreference network gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.training.coreference.scores import ClusterScores, PrecisionRecall
    from gistmeter.training.coreference.texts import ClusteredText
    from gistmeter.training.licences import Licensed


@dataclass(frozen=True, slots=True, kw_only=True)
class PronounFigures:
    """How well pronouns find their names: over all, men's and women's, and the share with both answers right."""

    all: PrecisionRecall
    male: PrecisionRecall
    female: PrecisionRecall
    accuracy: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedCoreference(Trained):
    """A trained network: what it learned from, and how well it agrees with texts and pronouns it did not see."""

    texts: Licensed[ClusteredText]
    mentions: int
    """Mentions of texts learned from."""

    pronouns: int
    """Pronouns learned from."""

    figures: Mapping[str, ClusterScores]
    pronoun_figures: Mapping[str, PronounFigures]

    def summary(self) -> str:
        """What a training tells at its end."""
        scores = ", ".join(f"{split} {figures.conll:.3f}" for split, figures in self.figures.items())
        return f"{self.file}: CoNLL F1: {scores or 'no held-out texts'}; card: {self.card}"
