"""The embedded encoder with small parts that learn: how they are made or read again, and how they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gistmeter.extras import require
from gistmeter.models.runtime.adapters import read_adapter
from gistmeter.models.runtime.load import import_torch
from gistmeter.models.runtime.locate import locate
from gistmeter.training.loop.adapted_encoder import fresh_pair_parts
from gistmeter.training.loop.files import replaced
from gistmeter.weights import files_digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.training.loop.recipe import Recipe


class Adapted(NamedTuple):
    """The encoder, its network, and the parts that learn."""

    base: Checkpoint
    model: Any
    parts: dict[str, torch.Tensor]


def adapted(recipe: Recipe, head: Callable[[int], Mapping[str, tuple[int, ...]]], start: Path | None) -> Adapted:
    """New parts by the recipe, with a head of these shapes for the encoder's width; or those written in `start`."""
    torch, transformers = import_torch(), require("transformers", "training")
    base = locate()
    model = transformers.AutoModel.from_pretrained(base.folder, dtype=torch.float32)
    if start is not None:
        return Adapted(base, model, read_adapter(start, base=base))
    shapes = head(model.config.hidden_size)
    return Adapted(
        base, model, fresh_pair_parts(model, rank=recipe.rank, head=shapes, seed=recipe.seed, first=recipe.first)
    )


def written(parts: Mapping[str, torch.Tensor], file: Path, *, base: Checkpoint, facts: Mapping[str, str]) -> Path:
    """Write trained parts in half precision, saying which encoder they belong to."""
    require("safetensors", "training")
    from safetensors.torch import save_file

    torch = import_torch()
    half = {name: part.detach().to(torch.float16).contiguous() for name, part in parts.items()}
    about = {"base": base.name, "base_weights": files_digest(base.weights), **facts}
    replaced(file, lambda to: save_file(half, to, metadata=about))
    return file
