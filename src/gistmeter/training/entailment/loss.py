"""The loss of entailment models, with three classes or two."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch

NOT_ENTAILMENT = 3
"""The label of a pair of two classes that is no entailment."""


def entailment_loss(logits: torch.Tensor, labels: torch.Tensor, *, two_way: float) -> torch.Tensor:
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
