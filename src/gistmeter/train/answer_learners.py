"""The networks that learn to answer: small parts on the embedded encoder, or a question-answering model by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.adapter import read_adapter, span_head_shapes
from gistmeter.models.extras import require, torch_here
from gistmeter.models.loading import torch_dtype
from gistmeter.models.locate import files_digest, locate
from gistmeter.models.tokenizer import Tokenizer
from gistmeter.train.files import replaced
from gistmeter.train.pair_network import SpanNetwork, batch_of, fresh_pair_parts, learned_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.models.tokenizer import Joined
    from gistmeter.train.pair_recipe import Recipe

WEIGHTS = "answering.safetensors"


class SpanLearner:
    """Updates of low rank, norms and a head of two outputs on the embedded encoder; the rest of it stays as it is."""

    def __init__(self, recipe: Recipe, *, start: Path | None = None) -> None:
        torch, transformers = torch_here(), require("transformers", "training")
        self.base = locate()
        self.tokenizer = Tokenizer(self.base, prefix_space=False)
        model = transformers.AutoModel.from_pretrained(self.base.folder, dtype=torch.float32)
        if start is None:
            head = span_head_shapes(model.config.hidden_size)
            parts = fresh_pair_parts(model, rank=recipe.rank, head=head, seed=recipe.seed, first=recipe.first)
        else:
            parts = read_adapter(start, base=self.base)
        self._network = SpanNetwork(
            model, parts, dtype=torch_dtype(recipe.precision), first=recipe.first, dropout=recipe.dropout
        )
        self.parts = parts
        self.learned = {name: parts[name].requires_grad_(True) for name in learned_names(parts, recipe.first)}

    def logits(self, pairs: Sequence[Joined], numbers: Sequence[int] | None = None) -> torch.Tensor:  # noqa: ARG002
        """Starts and ends (2, pairs, places); place 0 is "not answerable"."""
        return self._network.spans(batch_of(pairs))

    def ship(self, folder: Path, facts: Mapping[str, str]) -> Path:
        """Write the trained parts in half precision, saying which encoder they belong to."""
        require("safetensors", "training")
        from safetensors.torch import save_file

        torch = torch_here()
        parts = {name: part.detach().to(torch.float16).contiguous() for name, part in self.parts.items()}
        about = {"base": self.base.name, "base_weights": files_digest(self.base.weights), **facts}
        replaced(folder / WEIGHTS, lambda to: save_file(parts, to, metadata=about))
        return folder / WEIGHTS
