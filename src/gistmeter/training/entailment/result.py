"""What the two stages of training an entailment model give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.training.entailment.nli_pairs import NliPairs
    from gistmeter.training.entailment.presence_figures import PresenceAgreement
    from gistmeter.training.loop.check import TrainingRun


class SetAccuracy(NamedTuple):
    """How many pairs of a set were tested, and the share that is right."""

    pairs: int
    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedEntailment(Trained):
    """A finished first stage: what it learned from, and how often it is right on pairs that it never saw."""

    run: TrainingRun
    pairs: NliPairs
    too_long: int
    """Pairs left out for their length."""

    accuracies: Mapping[str, SetAccuracy]
    """By set."""

    presence: Mapping[str, PresenceAgreement]
    """Agreement with labels of presence that were not learned from, by run and by reading of the logits."""

    def summary(self) -> str:
        """What a training tells at its end."""
        return f"{self.file}\ncard: {self.card}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TunedEntailment(Trained):
    """A finished second stage: learned from all labels, or cross-validated by folds."""

    run: TrainingRun | None
    """None where it was cross-validated."""

    labels: tuple[tuple[str, int], ...]
    """Labelled units of each run."""

    agreements: Mapping[str, PresenceAgreement]
    """By cross-validation."""

    def summary(self) -> str:
        """What a training tells at its end."""
        return f"{self.file}\ncard: {self.card}"
