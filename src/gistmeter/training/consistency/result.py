"""What the training of a judge of consistency gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.models.consistency.combination import Combination
    from gistmeter.training.consistency.pairs import ClaimPairs
    from gistmeter.training.loop.check import TrainingRun


class KindFigures(NamedTuple):
    """Held-out claims of a kind beside supported ones: how many, and how surely they are told apart."""

    claims: int
    auc: float
    balanced: float
    """Balanced accuracy at the probability one half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedCombination:
    """The combination of network and plain features, and figures on documents that neither learned from."""

    weights: Combination
    claims: int
    """Claims that it was fitted on."""

    network: Mapping[str, KindFigures]
    """By kind of error, of the network alone."""

    combined: Mapping[str, KindFigures]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedConsistency(Trained):
    """A finished training: what it learned from, and how well it tells held-out claims apart."""

    run: TrainingRun
    pairs: ClaimPairs
    too_long: int
    """Pairs left out for their length."""

    figures: Mapping[str, KindFigures]
    """By kind of error, set of judged claims or set of entailment pairs."""

    combination: FittedCombination
