"""What training the predictor of salience gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.training.salience.curves import RankedCurves


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedSalience(Trained):
    """A trained predictor: what it learned from, and how well it ranks the spans of documents it has not seen."""

    documents: int
    refused: int
    """Documents left out as evaluation data."""

    unlabelled: int
    """Documents left out since they have no silver spans."""

    unmatched: int
    """Silver spans that are no noun phrase, which nothing is learned from."""

    spans: int
    salient: float
    """The share of spans that a reference states."""

    methods: tuple[str, ...]
    """How the silver spans were labelled, where their files say so."""

    directions: int
    """How many directions of the encoder's states it reads."""

    tried: Mapping[int, float]
    """Precision@1 on held-out documents, by the number of directions."""

    curves: RankedCurves
    """By k, on held-out documents."""

    position: RankedCurves
    """The same for spans in the order of the document."""

    weights: Mapping[str, float]
    """The weight of each feature."""

    def summary(self) -> str:
        """What a training tells at its end."""
        return (
            f"{self.file}: precision@1 {self.curves.precision[0]:.3f} on held-out documents (in the order of the "
            f"document {self.position.precision[0]:.3f}), recall@20 {self.curves.at(20).recall:.3f}, AUC "
            f"{self.curves.auc:.3f} ({self.spans:,} spans of {self.documents:,} documents). {self.describe_left_out()} "
            f"Card: {self.card}"
        )

    def describe_left_out(self) -> str:
        """What was not learned from."""
        return (
            f"Left out: {self.refused:,} documents as evaluation data, {self.unlabelled:,} without silver spans; "
            f"{self.unmatched:,} silver spans that are no noun phrases."
        )
