"""What training the segmenter of discourse units gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.training.edus.texts import BoundaryFigures, EduText
    from gistmeter.training.licences import Licensed


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedEdus(Trained):
    """A trained segmenter: the texts it learned from, and how well it agrees with those it did not."""

    texts: Licensed[EduText]
    words: int
    figures: Mapping[str, BoundaryFigures]

    def summary(self) -> str:
        """What a training tells at its end."""
        f1 = ", ".join(f"{split} {figures.raw.f1:.3f}" for split, figures in self.figures.items())
        return f"{self.file}: F1 of boundaries from the bare text: {f1 or 'no held-out texts'}; card: {self.card}"
