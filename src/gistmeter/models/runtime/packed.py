"""The BERT family without padding: sequences lie end to end, and only attention sees where each ends.

Transformers pads a batch to its longest text and runs every map on the padding. Here the maps run on real tokens
alone, query, key and value come from one product, and on the CPU oneDNN's fused products are used (its private
operators, the ones that torch's own compiler emits; where they are missing, the plain ones serve).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.models.runtime.load import import_torch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.states import StateArray

    Map = Callable[[Any], Any]

_FAMILY = ("bert", "roberta", "xlm-roberta", "camembert")


def can_pack(model: Any, device: str) -> bool:
    """Whether this network can run packed."""
    config = model.config
    return (
        device == "cpu"
        and config.model_type in _FAMILY
        and config.hidden_act == "gelu"
        and getattr(config, "position_embedding_type", "absolute") in ("absolute", None)
        and not getattr(config, "is_decoder", False)
    )


class PackedBert:
    """A network of the BERT family, laid out for packed batches."""

    def __init__(self, model: Any) -> None:
        self._torch = import_torch()
        self._embeddings = model.embeddings
        self._heads = int(model.config.num_attention_heads)
        # RoBERTa's positions start after the one reserved for padding.
        self._first_position = 0 if model.config.model_type == "bert" else int(model.config.pad_token_id) + 1
        self._layers = [_Layer(layer) for layer in model.encoder.layer]

    def __call__(
        self,
        batch: Sequence[IntArray],
        layers: Sequence[int],
        types: Sequence[IntArray] | None = None,
        rows: Sequence[IntArray] | None = None,
    ) -> list[dict[int, StateArray]]:
        """The states of each sequence by layer; sequences of one length should stand together.

        `rows` are the positions of each sequence whose states in the highest layer are wanted; no others are made.
        """
        torch = self._torch
        lengths = [len(ids) for ids in batch]
        starts = np.concatenate([[0], np.cumsum(lengths)]).tolist()
        runs = _runs_of_equal(lengths, starts)
        wanted_layers = set(layers)
        states_by_layer: dict[int, StateArray] = {}
        with torch.inference_mode():
            states = self._embed(batch, lengths, types)
            if 0 in wanted_layers:
                states_by_layer[0] = states.float().numpy()
            wanted = None if rows is None else _flatten_rows(rows, starts)
            for number, layer in enumerate(self._layers[: max(layers)], start=1):
                states = layer(states, runs, self._heads, wanted if number == max(layers) else None)
                if number in wanted_layers:
                    states_by_layer[number] = states.float().numpy()
        starts_by_layer = dict.fromkeys(layers, starts)
        if rows is not None:
            starts_by_layer[max(layers)] = np.concatenate([[0], np.cumsum([len(own) for own in rows])]).tolist()
        return [
            {
                layer: states_by_layer[layer][starts_by_layer[layer][row] : starts_by_layer[layer][row + 1]].copy()
                for layer in layers
            }
            for row in range(len(batch))
        ]

    def _embed(self, batch: Sequence[IntArray], lengths: Sequence[int], types: Sequence[IntArray] | None) -> Any:
        torch, parts = self._torch, self._embeddings
        ids = torch.from_numpy(np.concatenate(batch))
        positions = torch.from_numpy(np.concatenate([np.arange(length) for length in lengths]) + self._first_position)
        kinds = parts.token_type_embeddings.weight[0]
        if types is not None:
            kinds = parts.token_type_embeddings(torch.from_numpy(np.concatenate(types)))
        return parts.LayerNorm(parts.word_embeddings(ids) + kinds + parts.position_embeddings(positions))


class _Layer:
    """One layer: attention within each sequence, then two maps on every token."""

    def __init__(self, layer: Any) -> None:
        torch = import_torch()
        attention = layer.attention.self
        maps = (attention.query, attention.key, attention.value)
        self._torch = torch
        weight, bias = torch.cat([linear.weight for linear in maps]), torch.cat([linear.bias for linear in maps])
        self._joined = _linear(weight, bias)
        self._out = _linear(layer.attention.output.dense.weight, layer.attention.output.dense.bias)
        self._first_norm = layer.attention.output.LayerNorm
        self._wide = _linear(layer.intermediate.dense.weight, layer.intermediate.dense.bias, gelu=True)
        self._narrow = _linear(layer.output.dense.weight, layer.output.dense.bias)
        self._second_norm = layer.output.LayerNorm

    def __call__(self, states: Any, runs: Sequence[tuple[int, int, int]], heads: int, wanted: Any = None) -> Any:
        """The states after this layer: of all tokens, or of those at the positions `wanted`."""
        attend = self._torch.nn.functional.scaled_dot_product_attention
        width = states.shape[1]
        joined = self._joined(states)
        mixed = self._torch.empty_like(states)
        for start, count, length in runs:
            end = start + count * length
            split = joined[start:end].view(count, length, 3, heads, width // heads).permute(2, 0, 3, 1, 4)
            query, key, value = split.unbind(0)
            mixed[start:end] = attend(query, key, value).transpose(1, 2).reshape(count * length, width)
        if wanted is not None:
            mixed, states = mixed[wanted], states[wanted]
        states = self._first_norm(self._out(mixed).add_(states))
        return self._second_norm(self._narrow(self._wide(states)).add_(states))


def _flatten_rows(rows: Sequence[IntArray], starts: Sequence[int]) -> Any:
    """Positions in each sequence as positions in all of them laid end to end."""
    flat = np.concatenate([np.asarray(own) + start for own, start in zip(rows, starts[:-1], strict=True)])
    return import_torch().from_numpy(flat.astype(np.int64))


def _linear(weight: Any, bias: Any, *, gelu: bool = False) -> Map:
    """A linear map (with GELU after it), by oneDNN's fused product where torch has it."""
    torch = import_torch()
    weight, bias = weight.detach().contiguous(), bias.detach().contiguous()
    try:
        reordered = torch.ops.mkldnn._reorder_linear_weight(weight, 1024)
        fused = torch.ops.mkldnn._linear_pointwise
        attribute = "gelu" if gelu else "none"
        fused(torch.zeros(1, weight.shape[1], dtype=weight.dtype), reordered, bias, attribute, [], "none")
    except (AttributeError, RuntimeError):
        plain = torch.nn.functional.linear
        if gelu:
            return lambda states: torch.nn.functional.gelu(plain(states, weight, bias))
        return lambda states: plain(states, weight, bias)
    return lambda states: fused(states, reordered, bias, attribute, [], "none")


def _runs_of_equal(lengths: Sequence[int], starts: Sequence[int]) -> list[tuple[int, int, int]]:
    """Neighbours of equal length as (first token, how many sequences, their length)."""
    runs: list[tuple[int, int, int]] = []
    for start, length in zip(starts[:-1], lengths, strict=True):
        if runs and runs[-1][2] == length:
            first, count, _ = runs[-1]
            runs[-1] = (first, count + 1, length)
        else:
            runs.append((start, 1, length))
    return runs
