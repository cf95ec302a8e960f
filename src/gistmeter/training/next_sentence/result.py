"""What training a next-sentence head gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.models.next_sentence.heads import Shares
    from gistmeter.training.next_sentence.figures import CoherenceCorrelation, OrderFigures, PairFigures
    from gistmeter.training.next_sentence.reader import TrainedReader
    from gistmeter.training.sources.texts import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedNextSentence(Trained):
    """A trained head: what it learned from, and how well it tells pairs apart that it did not see."""

    sources: tuple[Source, ...]
    learned_languages: tuple[str, ...]
    counts: Mapping[str, int]
    """Pairs to learn from, to stop on and to test on."""

    epochs: tuple[int, ...]
    """For each network the epoch whose weights were chosen, from 0; none for networks that were not trained anew."""

    cues: int
    """Cues of order that the head weighs."""

    reader: TrainedReader | None
    """What reads both sentences at once, if one was trained."""

    shares: Shares | None
    """How much each part of the head counts, where it has a reader."""

    dev: PairFigures
    test: PairFigures
    order: OrderFigures
    """How often the order of held-out documents is the likelier one."""

    languages: Mapping[str, PairFigures]
    coherence: tuple[CoherenceCorrelation, ...]
    """Correlations with the coherence that people saw, if it was given."""

    def summary(self) -> str:
        """What a training tells at its end."""
        return (
            f"{self.file}: accuracy {self.test.accuracy:.3f}, AUC {self.test.auc:.3f} on {self.test.pairs} "
            f"held-out pairs; order right in {self.order.order:.3f} of {self.order.pairs} joints; card: {self.card}"
        )
