"""The network that learns to answer: small parts on the embedded encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.runtime.adapters import span_head_shapes
from gistmeter.models.runtime.load import torch_dtype
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.training.loop.adapted_encoder import SpanNetwork, batch_of, learned_names
from gistmeter.training.loop.adapted_weights import adapted, written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.tokenizer import JoinedTokens
    from gistmeter.training.loop.recipe import Recipe

WEIGHTS = "answering.safetensors"


class SpanLearner:
    """Updates of low rank, norms and a head of two outputs on the embedded encoder; the rest of it stays as it is."""

    def __init__(self, recipe: Recipe, *, start: Path | None = None) -> None:
        self.base, model, parts = adapted(recipe, span_head_shapes, start)
        self.tokenizer = Tokenizer(self.base, prefix_space=False)
        self._network = SpanNetwork(
            model, parts, dtype=torch_dtype(recipe.precision), first=recipe.first, dropout=recipe.dropout
        )
        self.parts = parts
        self.learned = {name: parts[name].requires_grad_(True) for name in learned_names(parts, recipe.first)}

    def logits(self, pairs: Sequence[JoinedTokens], numbers: Sequence[int] | None = None) -> torch.Tensor:  # noqa: ARG002
        """Starts and ends (2, pairs, places); place 0 is "not answerable"."""
        return self._network.spans(batch_of(pairs))

    def ship(self, folder: Path, facts: Mapping[str, str]) -> Path:
        """Write the trained parts."""
        return written(self.parts, folder / WEIGHTS, base=self.base, facts=facts)
