"""Architectures: the stack of layers inside a checkpoint, whatever family it belongs to.

Encoder-only models are taken whole, decoder-only ones too (their states see only what comes before), and of
encoder-decoder models the encoder.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.extras import require, torch_here
from gistmeter.models.packed import PackedBert, packs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.models.locate import Checkpoint
    from gistmeter.models.states import IntArray, StateArray

_LAYER_LISTS = ("layer", "layers", "h", "block", "blocks")
_FINAL_NORMS = ("ln_f", "final_layer_norm", "layer_norm", "norm", "final_norm")
_RELATIVE = 512
"""What models with relative positions (T5, XLNet) were trained on: they have no hard end."""


class Stack:
    """A loaded network that gives the states of chosen layers for batches of token ids."""

    def __init__(self, model: Any, *, device: str, name: str) -> None:
        self._torch = torch_here()
        self._model = model
        self._device = device
        self._holder, self._attribute = _find_layers(model, name)
        self._layers = getattr(self._holder, self._attribute)
        self._norm = next((norm for at in _FINAL_NORMS if (norm := getattr(self._holder, at, None)) is not None), None)
        self._packed = PackedBert(model) if packs(model, device) else None
        self.depth = len(self._layers)
        self.width = int(model.config.hidden_size)
        self.max_tokens = _max_tokens(model.config)

    def __call__(self, batch: Sequence[IntArray], layers: Sequence[int]) -> list[dict[int, StateArray]]:
        """The states of each sequence of token ids by layer; no layer above the highest asked for is run."""
        if self._packed is not None:
            return self._packed(batch, layers)
        torch = self._torch
        lengths = [len(ids) for ids in batch]
        padded = np.zeros((len(batch), max(lengths)), dtype=np.int64)
        mask = np.zeros_like(padded)
        for row, ids in enumerate(batch):
            padded[row, : len(ids)] = ids
            mask[row, : len(ids)] = 1
        inputs = {"input_ids": torch.from_numpy(padded).to(self._device)}
        if min(lengths) < max(lengths):  # without padding no mask is needed, and attention is faster
            inputs["attention_mask"] = torch.from_numpy(mask).to(self._device)
        with torch.inference_mode(), self._cut_after(max(layers)):
            given = self._model(**inputs, output_hidden_states=True, return_dict=True)
            arrays = {layer: self._states(given, layer, max(layers)) for layer in layers}
        return [
            {layer: array[row, :length].copy() for layer, array in arrays.items()} for row, length in enumerate(lengths)
        ]

    def _states(self, given: Any, layer: int, highest: int) -> StateArray:
        if layer == highest:
            states = given.last_hidden_state
        else:
            states = given.hidden_states[layer]
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


def load_stack(checkpoint: Checkpoint, *, dtype: str, device: str) -> Stack:
    """Load the network of a checkpoint, in evaluation mode."""
    return Stack(load_model(checkpoint, dtype=dtype, device=device), device=device, name=checkpoint.name)


def load_model(checkpoint: Checkpoint, *, dtype: str, device: str) -> Any:
    """The bare network of a checkpoint (of an encoder-decoder the encoder), with all its weights present."""
    transformers, torch = require("transformers", "a model"), torch_here()
    kinds = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}
    folder = str(checkpoint.folder)
    pickled = any(file.suffix != ".safetensors" for file in checkpoint.weights)
    try:
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        kind = transformers.T5EncoderModel if config.model_type in ("t5", "mt5") else transformers.AutoModel
        if config.model_type == "mt5":
            kind = transformers.MT5EncoderModel
        with quiet_loading():
            model, said = kind.from_pretrained(
                folder,
                config=config,
                dtype=kinds[dtype],
                local_files_only=True,
                use_safetensors=not pickled,
                output_loading_info=True,
            )
    except Exception as error:  # what torch, safetensors and pickle raise has no common ground
        why = str(error).strip().partition("\n")[0][:200]
        raise MetricError(f"{checkpoint.name} cannot be loaded: {why}") from None
    random = [key for key in said["missing_keys"] if "pooler" not in key and "position_ids" not in key]
    if random:
        raise MetricError(f"{checkpoint.name} lacks weights that its configuration asks for: {sorted(random)[0]}, ...")
    if hasattr(model, "encoder") and hasattr(model, "decoder"):
        model = model.encoder
    try:
        return model.to(device).eval()
    except (RuntimeError, AssertionError) as error:
        why = str(error).strip().partition("\n")[0][:200]
        raise MetricError(f"models cannot run on the device {device!r} here: {why}") from None


@contextmanager
def quiet_loading() -> Iterator[None]:
    """Transformers' tables and bars about loading belong to no program but its own: silence them for a while."""
    logging = require("transformers.utils.logging", "a model")
    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()


def _find_layers(model: Any, name: str) -> tuple[Any, str]:
    """The module that holds the list of layers, and under what name."""
    for holder in (model, getattr(model, "encoder", None), getattr(model, "transformer", None)):
        for attribute in _LAYER_LISTS:
            if holder is not None and type(getattr(holder, attribute, None)).__name__ == "ModuleList":
                return holder, attribute
    raise MetricError(f"{name} is a {type(model).__name__}, whose layers gistmeter cannot find")


def _max_tokens(config: Any) -> int:
    """How many tokens the model has positions for."""
    if config.model_type in ("t5", "mt5"):
        return int(getattr(config, "n_positions", _RELATIVE) or _RELATIVE)
    most = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or 0
    if most < 1:
        return _RELATIVE
    shifted = config.model_type in ("roberta", "xlm-roberta", "camembert")  # positions start after the padding index
    return int(most) - 2 if shifted else int(most)
