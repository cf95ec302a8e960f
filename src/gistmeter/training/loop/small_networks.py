"""The loop behind small networks that fit into memory: AdamW, and one cycle of the learning rate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.models.runtime.load import import_torch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import torch

    from gistmeter.arrays import SingleArray

WARM_UP = 0.1
"""The share of the steps in which the learning rate rises."""

ADAMW_DECAY = 0.01


class OneCycle:
    """The optimizer of a small network: every step takes a loss, and the rate rises and falls once over all steps."""

    def __init__(self, weights: Iterable[torch.Tensor], *, rate: float, steps: int, decay: float = ADAMW_DECAY) -> None:
        torch = import_torch()
        self._weights = list(weights)
        self._adam = torch.optim.AdamW(self._weights, lr=rate, weight_decay=decay)
        self._rate = torch.optim.lr_scheduler.OneCycleLR(self._adam, rate, total_steps=steps, pct_start=WARM_UP)

    def step(self, loss: torch.Tensor, *, clip: float | None = None) -> None:
        """Move the weights against the gradient of a loss; with `clip`, a gradient of at most that norm."""
        self._adam.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        if clip is not None:
            import_torch().nn.utils.clip_grad_norm_(self._weights, clip)
        self._adam.step()
        self._rate.step()


def count_steps(examples: int, *, epochs: int, batch: int) -> int:
    """The steps of a training that reads all examples in every epoch.

    >>> count_steps(10, epochs=3, batch=4)
    9
    """
    return epochs * -(-examples // batch)


def to_half_precision(weights: Mapping[str, Any]) -> dict[str, SingleArray]:
    """Trained tensors as arrays, rounded as half precision stores them."""
    halves = {name: weight.detach().numpy().astype(np.float16) for name, weight in weights.items()}
    return {name: half.astype(np.float32) for name, half in halves.items()}
