"""The embedded encoder with small parts that learn: how they are made or read again, and how they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gistmeter.extras import require
from gistmeter.io.atomic import write_atomically
from gistmeter.models.runtime.adapters import read_adapter
from gistmeter.models.runtime.load import import_torch
from gistmeter.models.runtime.locate import locate
from gistmeter.training.loop.adapted_encoder import initial_parts
from gistmeter.weights import digest_files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.training.loop.recipe import PairRecipe


class AdaptedWeights(NamedTuple):
    """The encoder, its network, and the parts that learn."""

    base: Checkpoint
    model: Any
    parts: dict[str, torch.Tensor]


def load_adapted(
    recipe: PairRecipe, head_shapes: Callable[[int], Mapping[str, tuple[int, ...]]], start: Path | None
) -> AdaptedWeights:
    """New parts by the recipe, with a head of these shapes for the encoder's width; or those written in `start`."""
    torch, transformers = import_torch(), require("transformers", "training")
    base = locate()
    model = transformers.AutoModel.from_pretrained(base.folder, dtype=torch.float32)
    if start is not None:
        return AdaptedWeights(base, model, read_adapter(start, base=base))
    shapes = head_shapes(model.config.hidden_size)
    parts = initial_parts(model, rank=recipe.rank, head=shapes, seed=recipe.seed, first=recipe.first)
    return AdaptedWeights(base, model, parts)


def write_parts(parts: Mapping[str, torch.Tensor], file: Path, *, base: Checkpoint, facts: Mapping[str, str]) -> Path:
    """Write trained parts in half precision, saying which encoder they belong to."""
    require("safetensors", "training")
    from safetensors.torch import save_file

    torch = import_torch()
    halves = {name: part.detach().to(torch.float16).contiguous() for name, part in parts.items()}
    about = {"base": base.name, "base_weights": digest_files(base.weights), **facts}
    with write_atomically(file) as part:
        save_file(halves, part, metadata=about)
    return file
