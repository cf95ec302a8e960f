"""The network that learns to answer: small parts on the embedded encoder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.runtime.adapters import span_head_shapes
from gistmeter.models.runtime.load import torch_dtype
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.training.loop.adapted_encoder import SpanNetwork, join_batch, list_learned_names
from gistmeter.training.loop.adapted_weights import load_adapted, write_parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.tokenizer import JoinedTokens
    from gistmeter.training.answering.recipe import AnsweringRecipe

WEIGHTS_FILE = "answering.safetensors"


class SpanLearner:
    """Updates of low rank, norms and a head of two outputs on the embedded encoder; the rest of it stays as it is."""

    def __init__(self, recipe: AnsweringRecipe, *, start: Path | None = None) -> None:
        self.base, model, parts = load_adapted(recipe, span_head_shapes, start)
        self.tokenizer = Tokenizer(self.base, prefix_space=False)
        self._network = SpanNetwork(
            model, parts, dtype=torch_dtype(recipe.precision), first=recipe.first, dropout=recipe.dropout
        )
        self.parts = parts
        self.learned = {name: parts[name].requires_grad_(True) for name in list_learned_names(parts, recipe.first)}

    def logits(self, pairs: Sequence[JoinedTokens], numbers: Sequence[int] | None = None) -> torch.Tensor:  # noqa: ARG002
        """Starts and ends (2, pairs, positions); position 0 is "not answerable"."""
        return self._network.spans(join_batch(pairs))

    def write(self, folder: Path, facts: Mapping[str, str]) -> Path:
        """Write the trained parts."""
        return write_parts(self.parts, folder / WEIGHTS_FILE, base=self.base, facts=facts)
