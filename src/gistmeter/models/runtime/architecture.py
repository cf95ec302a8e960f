"""Architectures: the stack of layers inside a checkpoint, whatever family it belongs to.

Encoder-only models are taken whole, decoder-only ones too (their states see only what comes before), and of
encoder-decoder models the encoder.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gistmeter.errors import MetricError
from gistmeter.models.runtime.batch import pad_sequences
from gistmeter.models.runtime.load import import_torch, load_pretrained, move_to_device
from gistmeter.models.runtime.packed import PackedBert, can_pack
from gistmeter.models.runtime.stored_json import read_config

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.models.runtime.states import StateArray

_LAYER_LISTS = ("layer", "layers", "h", "block", "blocks")
_FINAL_NORMS = ("ln_f", "final_layer_norm", "layer_norm", "norm", "final_norm")
_RELATIVE_POSITION_TOKENS = 512
"""What models with relative positions (T5, XLNet) were trained on: they have no hard end."""


class Stack:
    """A loaded network that gives the states of chosen layers for batches of token ids."""

    def __init__(self, model: Any, *, device: str, name: str) -> None:
        self._torch = import_torch()
        self._name = name
        self._model = model
        self._device = device
        self._holder, self._attribute = _find_layers(model, name)
        self._layers = getattr(self._holder, self._attribute)
        self._norm = next((norm for at in _FINAL_NORMS if (norm := getattr(self._holder, at, None)) is not None), None)
        self._packed = PackedBert(model) if can_pack(model, device) else None
        self.depth = len(self._layers)
        self.width = int(model.config.hidden_size)
        self.max_tokens = read_max_tokens(model.config)

    def __call__(
        self,
        batch: Sequence[IntArray],
        layers: Sequence[int],
        types: Sequence[IntArray] | None = None,
        rows: Sequence[IntArray] | None = None,
    ) -> list[dict[int, StateArray]]:
        """The states of each sequence of token ids by layer; no layer above the highest asked for is run.

        `types` says of each token which text of a pair it is of, 0 or 1. `rows` are the positions of each sequence
        whose states in the highest layer are wanted, where that is not all.
        """
        if self._packed is not None:
            return self._packed(batch, layers, types, rows)
        torch = self._torch
        ids, mask = pad_sequences(batch, 0)
        inputs = {"input_ids": torch.from_numpy(ids).to(self._device)}
        if types is not None:
            inputs["token_type_ids"] = torch.from_numpy(pad_sequences(types, 0)[0]).to(self._device)
        if not mask.all():  # without padding no mask is needed, and attention is faster
            inputs["attention_mask"] = torch.from_numpy(mask).to(self._device)
        with torch.inference_mode(), self._cut_after(max(layers)):
            output = self._model(**inputs, output_hidden_states=True, return_dict=True)
            arrays = {layer: self._states(output, layer, max(layers)) for layer in layers}
        states = [
            {layer: array[row, : len(ids)].copy() for layer, array in arrays.items()} for row, ids in enumerate(batch)
        ]
        for by_layer, own in zip(states, rows or (), strict=rows is not None):
            by_layer[max(layers)] = by_layer[max(layers)][own]
        return states

    def check(self, layers: Iterable[int]) -> None:
        """Refuse a layer that the network does not have."""
        for layer in layers:
            if not 0 <= layer <= self.depth:
                raise MetricError(f"{self._name} has the layers 0 to {self.depth}, not {layer}")

    def _states(self, output: Any, layer: int, highest: int) -> StateArray:
        if layer == highest:
            states = output.last_hidden_state
        else:
            states = output.hidden_states[layer]
            states = self._norm(states) if self._norm is not None else states
        result: StateArray = states.float().cpu().numpy()
        return result

    @contextmanager
    def _cut_after(self, layer: int) -> Iterator[None]:
        setattr(self._holder, self._attribute, self._layers[:layer])
        try:
            yield
        finally:
            setattr(self._holder, self._attribute, self._layers)


def load_stack(checkpoint: Checkpoint, *, dtype: Dtype, device: str) -> Stack:
    """Load the network of a checkpoint, in evaluation mode."""
    return Stack(load_model(checkpoint, dtype=dtype, device=device), device=device, name=checkpoint.name)


def load_model(checkpoint: Checkpoint, *, dtype: Dtype, device: str) -> Any:
    """The bare network of a checkpoint (of an encoder-decoder the encoder), with all its weights present."""
    family = _family(checkpoint)
    kind = {"t5": "T5EncoderModel", "mt5": "MT5EncoderModel"}.get(family, "AutoModel")
    model, missing = load_pretrained(checkpoint, kind, dtype=dtype)
    random = [key for key in missing if "pooler" not in key and "position_ids" not in key]
    if random:
        raise MetricError(f"{checkpoint.name} lacks weights that its configuration asks for: {random[0]}, ...")
    if hasattr(model, "encoder") and hasattr(model, "decoder"):
        model = model.encoder
    return move_to_device(model, device)


def _family(checkpoint: Checkpoint) -> str:
    """What family of models a checkpoint says it belongs to."""
    return str(read_config(checkpoint.folder / "config.json", checkpoint.name).get("model_type", ""))


def _find_layers(model: Any, name: str) -> tuple[Any, str]:
    """The module that holds the list of layers, and under what name."""
    for holder in (model, getattr(model, "encoder", None), getattr(model, "transformer", None)):
        for attribute in _LAYER_LISTS:
            if holder is not None and type(getattr(holder, attribute, None)).__name__ == "ModuleList":
                return holder, attribute
    raise MetricError(f"{name} is a {type(model).__name__}, whose layers gistmeter cannot find")


def read_max_tokens(config: Any) -> int:
    """How many tokens the model has positions for."""
    if config.model_type in ("t5", "mt5"):
        return int(getattr(config, "n_positions", _RELATIVE_POSITION_TOKENS) or _RELATIVE_POSITION_TOKENS)
    most = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or 0
    if most < 1:
        return _RELATIVE_POSITION_TOKENS
    shifted = config.model_type in ("roberta", "xlm-roberta", "camembert")  # positions start after the padding index
    return int(most) - 2 if shifted else int(most)
