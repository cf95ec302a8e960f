"""The embedded encoder as a training run sees it: frozen weights, small trained parts, and logits at masked words.

The trained parts are named as in `gistmeter.models.runtime.adapters`, which merges them into the same encoder for use.
Attention is written out because its backward pass on a CPU in bfloat16 is twice as fast as that of the fused one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gistmeter.models.runtime.adapters import LINEAR_MAPS, norm_modules, norm_name, update_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import torch

Tensors = dict[str, "torch.Tensor"]


def initial_parts(model: Any, *, rank: int, mask_id: int, counts: np.ndarray, seed: int) -> Tensors:
    """What training starts from: updates of zero, the encoder's own norms, a plain head that knows word frequencies."""
    import torch

    config, state = model.config, model.state_dict()
    draws = torch.Generator().manual_seed(seed)
    parts: Tensors = {"embeddings.mask": state["embeddings.word_embeddings.weight"][mask_id].clone()}
    for name, module in norm_modules(config.num_hidden_layers).items():
        for kind in ("weight", "bias"):
            parts[norm_name(name, kind)] = state[f"{module}.{kind}"].clone()
    for layer in range(config.num_hidden_layers):
        for name, module in LINEAR_MAPS.items():
            out, into = state[f"encoder.layer.{layer}.{module}.weight"].shape
            down, up = update_names(layer, name)
            parts[down] = torch.randn(rank, into, generator=draws) / math.sqrt(into)
            parts[up] = torch.zeros(out, rank)
    width = config.hidden_size
    frequency = torch.as_tensor(counts, dtype=torch.float32) + 0.05
    parts |= {
        "head.dense.weight": torch.eye(width),
        "head.dense.bias": torch.zeros(width),
        "head.norm.weight": torch.ones(width),
        "head.norm.bias": torch.zeros(width),
        "head.bias": torch.log(frequency / frequency.sum()) + 8.0,
    }
    return {name: tensor.detach().requires_grad_(True) for name, tensor in parts.items()}


def compute_states(
    frozen: Mapping[str, torch.Tensor],
    parts: Mapping[str, torch.Tensor],
    ids: torch.Tensor,
    *,
    config: Any,
    mask_id: int,
) -> torch.Tensor:
    """The last layer's states of windows of equal length, none of them pad_sequences: (windows * tokens, width)."""
    import torch
    from torch.nn import functional

    dtype = frozen["words"].dtype
    count, length = ids.shape
    width, heads, depth, eps = (
        config.hidden_size,
        config.num_attention_heads,
        config.num_hidden_layers,
        config.layer_norm_eps,
    )
    cast = {name: tensor.to(dtype) for name, tensor in parts.items()}

    def norm(x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(x, (width,), cast[norm_name(name, "weight")], cast[norm_name(name, "bias")], eps)

    def map_with_update(x: torch.Tensor, layer: int, name: str) -> torch.Tensor:
        down, up = update_names(layer, name)
        plain = functional.linear(x, frozen[f"{layer}.{name}.weight"], frozen[f"{layer}.{name}.bias"])
        return plain + functional.linear(functional.linear(x, cast[down]), cast[up])

    masked = (ids == mask_id).unsqueeze(-1)
    x = torch.where(masked, cast["embeddings.mask"], functional.embedding(ids, frozen["words"]))
    x = norm((x + frozen["positions"][:length]).view(count * length, width), "embeddings")
    for layer in range(depth):
        plain = functional.linear(x, frozen[f"{layer}.qkv.weight"], frozen[f"{layer}.qkv.bias"]).chunk(3, dim=-1)
        projections = []
        for name, part in zip(("query", "key", "value"), plain, strict=True):
            down, up = update_names(layer, name)
            merged = part + functional.linear(functional.linear(x, cast[down]), cast[up])
            projections.append(merged.view(count, length, heads, width // heads).transpose(1, 2))
        query, key, value = projections
        weights = torch.softmax(query @ key.transpose(-1, -2) * (heads / width) ** 0.5, dim=-1)
        context = (weights @ value).transpose(1, 2).reshape(count * length, width)
        x = norm(x + map_with_update(context, layer, "attention"), f"layer.{layer}.attention")
        x = norm(
            x + map_with_update(functional.gelu(map_with_update(x, layer, "inner")), layer, "outer"),
            f"layer.{layer}.outer",
        )
    return x


def compute_logits(
    frozen: Mapping[str, torch.Tensor], parts: Mapping[str, torch.Tensor], x: torch.Tensor, *, config: Any
) -> torch.Tensor:
    """What the head says of these states: (states, vocabulary), in full precision."""
    from torch.nn import functional

    dtype = frozen["words"].dtype
    x = functional.gelu(functional.linear(x, parts["head.dense.weight"].to(dtype), parts["head.dense.bias"].to(dtype)))
    x = functional.layer_norm(
        x,
        (config.hidden_size,),
        parts["head.norm.weight"].to(dtype),
        parts["head.norm.bias"].to(dtype),
        config.layer_norm_eps,
    )
    return functional.linear(x, frozen["words"]).float() + parts["head.bias"]
