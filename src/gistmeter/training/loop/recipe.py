"""What a training on pairs of texts is made of: its recipe, the network that learns, its progress, and its loss."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.tokenizer import JoinedTokens

NOT_ENTAILMENT = 3
"""The label of a pair of two classes that is no entailment."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides the trained weights, besides the pairs and the network they start from."""

    epochs: float = 1.0
    rate: float = 1e-3
    warm_up: float = 0.06
    """The share of the steps until the full learning rate."""

    batch: int = 32
    decay: float = 0.01
    two_way: float = 0.25
    """The weight of the loss of p2c beside that of three classes."""

    method: Literal["lora", "full"] = "lora"
    rank: int = 32
    hidden: int = 256
    first: int = 2
    """The first layer that learns."""

    dropout: float = 0.05
    longest: int = 160
    joined: float = 0.2
    """The share of premises that get a neighbour."""

    precision: Literal["bf16", "fp32"] = "bf16"
    seed: int = 1
    check_every: int = 200


class Learner(Protocol):
    """A network that learns from pairs."""

    @property
    def learned(self) -> Mapping[str, torch.Tensor]:
        """The weights that learn, by name."""
        ...

    def logits(self, pairs: Sequence[JoinedTokens], numbers: Sequence[int] | None = None) -> torch.Tensor:
        """Logits for each pair; `numbers` are their places among the training pairs."""
        ...

    def ship(self, folder: Path, facts: Mapping[str, str]) -> Path:
        """Write the weights as they are used."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """Where training is; at a check also the accuracies on pairs that it never sees."""

    step: int
    steps: int
    seconds: float
    loss: float
    accuracies: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class Fitted:
    """A finished training: its weights and the checks on the way."""

    file: Path
    checks: tuple[Progress, ...]
    plans: tuple[tuple[int, int], ...]
    """From which step on how many steps were planned."""

    tokens: int


def loss_of(logits: torch.Tensor, labels: torch.Tensor, *, two_way: float) -> torch.Tensor:
    """Cross-entropy of three classes and, weighed by `two_way`, of p2c = sigmoid(e - n - c).

    Where two classes are known, that of p2c alone; so too when labels are fractions, the shares of people who said yes.
    """
    import torch
    from torch.nn import functional

    margin = logits[:, 0] - logits[:, 1] - logits[:, 2]
    if labels.is_floating_point():
        return functional.binary_cross_entropy_with_logits(margin, labels)
    two = functional.binary_cross_entropy_with_logits(margin, (labels == 0).float(), reduction="none")
    three = functional.cross_entropy(logits, labels.clamp(max=2), reduction="none")
    return torch.where(labels == NOT_ENTAILMENT, two, three + two_way * two).mean()
