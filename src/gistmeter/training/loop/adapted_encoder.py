"""The embedded encoder as training on pairs of texts sees it: frozen weights, small trained parts, three logits.

The parts are named as in `models/runtime/adapters.py`. An update is merged into its map before the product, in every
step: the forward pass is that of the plain encoder, and the backward pass takes the gradients of the two small factors
without ever making that of the whole map. Pairs of like length stand together in a batch, filled up to one length.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.models.runtime.adapters import LINEAR_MAPS, norm_modules, norm_name, update_names
from gistmeter.models.runtime.batch import pad_sequences

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import torch

    from gistmeter.models.runtime.tokenizer import JoinedTokens

    Tensors = dict[str, torch.Tensor]

_ATTENTION_INPUTS = ("query", "key", "value")


class PairBatch(NamedTuple):
    """Pairs filled up to one length, laid end to end: ids, positions and types of their tokens."""

    ids: torch.Tensor
    positions: torch.Tensor
    types: torch.Tensor
    length: int
    """Tokens of each pair, filled up."""

    mask: torch.Tensor | None
    """Added to attention (pairs, 1, 1, length): minus infinity where a pair is filled up; None when none is."""

    starts: torch.Tensor
    hypothesis: torch.Tensor
    """For each token of a hypothesis, where it lies."""

    owner: torch.Tensor
    """For each token of a hypothesis, the number of its pair."""


def frozen_weights(model: Any, *, dtype: torch.dtype) -> Tensors:
    """The weights of a `BertModel` that training leaves alone, with query, key and value joined in one map."""
    import torch

    state = {name: tensor.detach().to(dtype) for name, tensor in model.state_dict().items()}
    parts: Tensors = {
        "words": state["embeddings.word_embeddings.weight"],
        "positions": state["embeddings.position_embeddings.weight"]
        + state["embeddings.token_type_embeddings.weight"][0],
    }
    for layer in range(model.config.num_hidden_layers):
        stem = f"encoder.layer.{layer}."
        for kind in ("weight", "bias"):
            joined = [state[f"{stem}{LINEAR_MAPS[name]}.{kind}"] for name in ("query", "key", "value")]
            parts[f"{layer}.qkv.{kind}"] = torch.cat(joined)
            for name in ("attention", "inner", "outer"):
                parts[f"{layer}.{name}.{kind}"] = state[f"{stem}{LINEAR_MAPS[name]}.{kind}"]
    return parts


def initial_parts(model: Any, *, rank: int, head: Mapping[str, tuple[int, ...]], seed: int, first: int = 0) -> Tensors:
    """What training starts from: updates of zero and the encoder's own norms from layer `first` on, and a new head."""
    import torch

    config, state = model.config, model.state_dict()
    draws = torch.Generator().manual_seed(seed)
    parts: Tensors = {}
    if first == 0:
        types = state["embeddings.token_type_embeddings.weight"]
        parts["embeddings.types"] = types - types[0]
    for name, module in norm_modules(config.num_hidden_layers).items():
        if _layer_of(name) >= first:
            parts |= {norm_name(name, kind): state[f"{module}.{kind}"].clone() for kind in ("weight", "bias")}
    for layer in range(first, config.num_hidden_layers):
        for name, module in LINEAR_MAPS.items():
            out, into = state[f"encoder.layer.{layer}.{module}.weight"].shape
            down, up = update_names(layer, name)
            parts[down] = torch.randn(rank, into, generator=draws) / math.sqrt(into)
            parts[up] = torch.zeros(out, rank)
    for name, shape in head.items():
        parts[name] = torch.zeros(shape) if len(shape) == 1 else torch.randn(shape, generator=draws) / shape[1] ** 0.5
    return {name: tensor.detach().clone() for name, tensor in parts.items()}


def list_learned_names(parts: Mapping[str, torch.Tensor], first: int) -> list[str]:
    """The parts that training from layer `first` on changes: its updates and norms, and the head."""
    return [name for name in parts if name.startswith("head.") or _layer_of(name) >= first]


def join_batch(pairs: Sequence[JoinedTokens]) -> PairBatch:
    """Pairs of like length as one batch. A few large steps beat many small ones: nothing is gained by packing."""
    import torch

    ids, mask = pad_sequences([pair.ids for pair in pairs], 0)
    types, _ = pad_sequences([pair.types for pair in pairs], 0)
    count, length = ids.shape
    starts = np.arange(count) * length
    hypothesis = np.concatenate([pair.hypothesis + start for pair, start in zip(pairs, starts, strict=True)])
    owner = np.repeat(np.arange(count), [len(pair.hypothesis) for pair in pairs])
    filled = torch.from_numpy(np.where(mask == 1, 0.0, -np.inf)).float()[:, None, None, :]
    return PairBatch(
        ids=torch.from_numpy(ids.reshape(-1)),
        positions=torch.from_numpy(np.tile(np.arange(length), count)),
        types=torch.from_numpy(types.reshape(-1)),
        length=length,
        mask=None if mask.all() else filled,
        starts=torch.from_numpy(starts),
        hypothesis=torch.from_numpy(hypothesis),
        owner=torch.from_numpy(owner),
    )


class AdaptedEncoder:
    """The encoder with its trained parts, in two stretches: below layer `first` nothing learns."""

    def __init__(self, model: Any, parts: Tensors, *, dtype: torch.dtype, first: int, dropout: float = 0.0) -> None:
        self.config, self.parts, self.first, self.dropout = model.config, parts, first, dropout
        self._dtype = dtype
        self._frozen = frozen_weights(model, dtype=dtype)
        state = model.state_dict()
        for name, module in norm_modules(model.config.num_hidden_layers).items():
            for kind in ("weight", "bias"):
                self._frozen[norm_name(name, kind)] = state[f"{module}.{kind}"].to(dtype)
        types = state["embeddings.token_type_embeddings.weight"]
        self._frozen["embeddings.types"] = (types - types[0]).to(dtype)

    def lower(self, batch: PairBatch) -> torch.Tensor:
        """The states that enter layer `first`; they carry no gradient when `first` is above 0."""
        import torch

        functional = torch.nn.functional
        with torch.set_grad_enabled(self.first == 0 and torch.is_grad_enabled()):
            x = functional.embedding(batch.ids, self._frozen["words"]) + self._frozen["positions"][batch.positions]
            x = self._norm(x + functional.embedding(batch.types, self._part("embeddings.types")), "embeddings")
            for layer in range(self.first):
                x = self._layer(x, layer, batch)
        return x

    def read(self, x: torch.Tensor, batch: PairBatch) -> torch.Tensor:
        """From there to the last states, in full precision: of the first token of each pair, then of the hypotheses."""
        import torch

        last = self.config.num_hidden_layers - 1
        rows = torch.cat([batch.starts, batch.hypothesis])  # all that a head reads of the last layer
        for layer in range(self.first, last + 1):
            x = self._layer(x, layer, batch, rows=rows if layer == last else None)
        return x.float()

    def _layer(self, x: torch.Tensor, layer: int, batch: PairBatch, rows: torch.Tensor | None = None) -> torch.Tensor:
        """One layer; with `rows`, the states of these tokens alone come out of it."""
        import torch

        joined = self._map(x, layer, *_ATTENTION_INPUTS)
        heads = self.config.num_attention_heads
        context = _attend(joined, batch, heads, x.shape[1])
        if rows is not None:
            context, x = context[rows], x[rows]
        x = self._norm(x + self._drop_out(self._map(context, layer, "attention")), f"layer.{layer}.attention")
        wide = torch.nn.functional.gelu(self._map(x, layer, "inner"))
        return self._norm(x + self._drop_out(self._map(wide, layer, "outer")), f"layer.{layer}.outer")

    def _map(self, x: torch.Tensor, layer: int, *names: str) -> torch.Tensor:
        import torch

        joined = "qkv" if len(names) == 3 else names[0]
        weight, bias = self._frozen[f"{layer}.{joined}.weight"], self._frozen[f"{layer}.{joined}.bias"]
        factors = [part for name in names for part in update_names(layer, name)]
        if factors[0] not in self.parts:
            return torch.nn.functional.linear(x, weight, bias)
        return _linear_with_updates()(x, weight, bias, *(self.parts[factor] for factor in factors))

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        import torch

        weight, bias = (self._part(norm_name(name, kind)) for kind in ("weight", "bias"))
        return torch.nn.functional.layer_norm(x, (x.shape[1],), weight, bias, self.config.layer_norm_eps)

    def _part(self, name: str) -> torch.Tensor:
        return self.parts[name].to(self._dtype) if name in self.parts else self._frozen[name]

    def _drop_out(self, x: torch.Tensor) -> torch.Tensor:
        import torch

        return torch.nn.functional.dropout(x, self.dropout) if self.dropout and torch.is_grad_enabled() else x


class PairNetwork(AdaptedEncoder):
    """Three logits from the state of the first token and the mean state of the hypothesis."""

    def upper(self, x: torch.Tensor, batch: PairBatch) -> torch.Tensor:
        """From the states that enter layer `first` to the logits: (pairs, 3), in full precision."""
        import torch

        functional, parts, count = torch.nn.functional, self.parts, len(batch.starts)
        x = self.read(x, batch)
        pooled = torch.zeros(count, x.shape[1]).index_add(0, batch.owner, x[count:])
        counts = torch.bincount(batch.owner, minlength=count).clamp(min=1)
        both = torch.cat([x[:count], pooled / counts[:, None]], dim=1)
        inner = functional.gelu(functional.linear(both, parts["head.dense.weight"], parts["head.dense.bias"]))
        return functional.linear(self._drop_out(inner), parts["head.out.weight"], parts["head.out.bias"])


class SpanNetwork(AdaptedEncoder):
    """Of every token of the second text, and of the first token of all, how likely an answer starts and ends there."""

    def spans(self, batch: PairBatch) -> torch.Tensor:
        """Logits (2, pairs, positions): position 0 is "not answerable", positions after a text are minus infinity."""
        import torch

        count = len(batch.starts)
        states = self._drop_out(self.read(self.lower(batch), batch))
        logits = torch.nn.functional.linear(states, self.parts["head.out.weight"], self.parts["head.out.bias"])
        lengths = torch.bincount(batch.owner, minlength=count)
        firsts = torch.cumsum(lengths, 0) - lengths
        position = torch.arange(len(batch.owner)) - firsts[batch.owner] + 1
        table = logits.new_full((count, int(lengths.max()) + 1, 2), -torch.inf)
        table = table.index_put((torch.arange(count), torch.zeros(count, dtype=torch.int64)), logits[:count])
        table = table.index_put((batch.owner, position), logits[count:])
        return table.permute(2, 0, 1)


def _layer_of(name: str) -> int:
    """The layer that a part belongs to; the embeddings come before all.

    >>> _layer_of("layer.3.outer"), _layer_of("embeddings")
    (3, 0)
    """
    return int(name.split(".")[1]) if name.startswith("layer.") else 0


def _attend(joined: torch.Tensor, batch: PairBatch, heads: int, width: int) -> torch.Tensor:
    """Attention within each pair, written out: its backward pass in bfloat16 is the faster one on a CPU."""
    split = joined.view(-1, batch.length, 3, heads, width // heads)
    query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)
    weights = query @ key.transpose(-1, -2) * (heads / width) ** 0.5
    if batch.mask is not None:
        weights = weights + batch.mask.to(weights.dtype)
    context: torch.Tensor = (weights.softmax(-1) @ value).transpose(1, 2).reshape(-1, width)
    return context


def _linear_with_updates() -> Callable[..., torch.Tensor]:
    """A linear map with its updates merged, which learns the factors of the updates alone."""
    global _LINEAR  # noqa: PLW0603  (made once, when torch is known to be there)
    if _LINEAR is None:
        import torch

        class UpdatedLinear(torch.autograd.Function):
            """y = x (W + up down)' + b, for one update or for several maps that lie one under the other."""

            @staticmethod
            def forward(ctx: Any, x: Any, weight: Any, bias: Any, *factors: Any) -> Any:
                updates = [up @ down for down, up in zip(factors[::2], factors[1::2], strict=True)]
                merged = (weight.float() + torch.cat(updates)).to(x.dtype)
                ctx.save_for_backward(x, merged, *factors)
                return torch.nn.functional.linear(x, merged, bias)

            @staticmethod
            def backward(ctx: Any, given: Any) -> Any:
                x, merged, *factors = ctx.saved_tensors
                grads = []
                outs = given.split([up.shape[0] for up in factors[1::2]], dim=1)
                for out, down, up in zip(outs, factors[::2], factors[1::2], strict=True):
                    through = out @ up.to(x.dtype)
                    within = x @ down.to(x.dtype).T
                    grads += [(through.T @ x).float(), (out.T @ within).float()]
                return given @ merged if ctx.needs_input_grad[0] else None, None, None, *grads

        _LINEAR = UpdatedLinear.apply
    apply: Callable[..., torch.Tensor] = _LINEAR
    return apply


_LINEAR: Any = None
