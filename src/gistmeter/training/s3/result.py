"""What training a regression of S3 gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Figures:
    """How predictions for documents that were not learned from agree with people, on one set: Pearson's r."""

    group: str
    summaries: int
    system: float
    """Over the means of systems."""

    summary: float
    """The mean over documents of r over the systems' summaries."""

    across: float
    """The same at summary level by a regression that learned from the other sets alone; NaN with one set."""

    rouge: float
    """The same for the recall of ROUGE-1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedS3(Trained):
    """A trained regression: what it weighs, and its figures on held-out documents."""

    coefficients: Mapping[str, float]
    figures: tuple[S3Figures, ...]

    def summary(self) -> str:
        """What a training tells at its end."""
        agreement = ", ".join(f"{row.group} {row.summary:.3f} (ROUGE-1 {row.rouge:.3f})" for row in self.figures)
        return f"{self.file}: summary-level r on held-out documents: {agreement}; card: {self.card}"
