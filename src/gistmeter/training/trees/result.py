"""What training the network of phrase trees gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.training.result import Trained

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.training.licences import Licensed
    from gistmeter.training.match_counts import MatchCounts
    from gistmeter.training.trees.bank import LicensedTree


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeFigures:
    """Agreement with the trees of one file."""

    trees: int
    brackets: MatchCounts
    reachable: float
    """The share of annotated brackets that the dependencies allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedTrees(Trained):
    """A trained network: the trees it learned from, and how well it makes those of other files."""

    trees: Licensed[LicensedTree]
    steps: int
    figures: Mapping[str, TreeFigures]

    def summary(self) -> str:
        """What a training tells at its end."""
        f1 = ", ".join(f"{name} {figures.brackets.f1:.3f}" for name, figures in self.figures.items())
        return f"{self.file}: F1 of labelled brackets on held-out trees: {f1 or 'none'}; card: {self.card}"
