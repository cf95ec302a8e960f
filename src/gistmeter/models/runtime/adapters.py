"""Small trained parts for the embedded encoder, kept apart from it and merged into its weights when it is loaded.

The file is safetensors. For every linear map of every trained layer (`LINEAR_MAPS`: query, key, value, attention,
inner, outer) there is an update of low rank, `layer.3.query.down` (rank x in) and `layer.3.query.up` (out x rank): the
merged weight is W + up @ down, so that use costs nothing more. `layer.3.attention.norm.weight`,
`layer.3.outer.norm.weight`, `embeddings.norm.weight` and their biases replace the layer norms; `embeddings.mask`
replaces the input vector of the mask; `head.dense`, `head.norm` and `head.bias` are the masked-word head, whose output
is tied to the input embeddings.

A model of pairs (entailment) may have `embeddings.types` instead, added to the vectors of the tokens of either text,
and has the head `head.dense`, `head.out`: from the state of the first token and the mean state of the hypothesis to
three logits. A model of questions and texts has `head.out` alone: from each state to the logits of start and end.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.models.runtime.load import import_torch
from gistmeter.weights import digest_files, read_metadata

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.locate import Checkpoint

LINEAR_MAPS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "attention": "attention.output.dense",
    "inner": "intermediate.dense",
    "outer": "output.dense",
}
"""Short names of the linear maps of a layer, and where a `BertModel` keeps them."""


def update_names(layer: int, name: str) -> tuple[str, str]:
    """The names of the two factors of an update.

    >>> update_names(3, "query")
    ('layer.3.query.down', 'layer.3.query.up')
    """
    return f"layer.{layer}.{name}.down", f"layer.{layer}.{name}.up"


def norm_name(name: str, kind: str) -> str:
    """The name of a layer norm's weight or bias.

    >>> norm_name("layer.3.outer", "bias")
    'layer.3.outer.norm.bias'
    """
    return f"{name}.norm.{kind}"


def norm_modules(depth: int) -> dict[str, str]:
    """Short names of all layer norms of a `BertModel` of so many layers, and where it keeps them.

    >>> norm_modules(1)["layer.0.outer"]
    'encoder.layer.0.output.LayerNorm'
    """
    return {"embeddings": "embeddings.LayerNorm"} | {
        f"layer.{layer}.{name}": f"encoder.layer.{layer}.{module}.LayerNorm"
        for layer in range(depth)
        for name, module in (("attention", "attention.output"), ("outer", "output"))
    }


def head_shapes(width: int, hidden: int, classes: int = 3) -> dict[str, tuple[int, ...]]:
    """The parts of a head that reads two states of a pair, and their shapes.

    >>> head_shapes(384, 256)["head.dense.weight"]
    (256, 768)
    """
    return {
        "head.dense.weight": (hidden, 2 * width),
        "head.dense.bias": (hidden,),
        "head.out.weight": (classes, hidden),
        "head.out.bias": (classes,),
    }


def span_head_shapes(width: int) -> dict[str, tuple[int, ...]]:
    """The parts of a head that says where an answer starts and ends, and their shapes."""
    return {"head.out.weight": (2, width), "head.out.bias": (2,)}


def read_adapter(file: Path, *, base: Checkpoint) -> dict[str, torch.Tensor]:
    """The trained parts in a file, in full precision; refused when they were trained for another encoder."""
    require("safetensors", "an adapter")
    from safetensors import SafetensorError, safe_open

    torch = import_torch()
    made_for = read_metadata(file).get("base_weights")
    name = f"{file.parent.name}/{file.name}"
    if made_for != digest_files(base.weights):
        raise MetricError(f"{name} was trained for weights {made_for}, but {base.name} here has others")
    try:
        with safe_open(file, "pt") as opened:
            return {part: opened.get_tensor(part).to(torch.float32) for part in opened.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise MetricError(f"{name} cannot be read: {error}") from None


@contextlib.contextmanager
def refuse_misfit(encoder: str) -> Iterator[None]:
    """Refuse trained parts that lack something, or have another shape than the encoder that they are put into."""
    try:
        yield
    except (KeyError, RuntimeError) as error:
        reason = f"there is no {error}" if isinstance(error, KeyError) else str(error).partition("\n")[0]
        raise MetricError(f"the trained parts do not fit {encoder}: {reason}") from None


def merge_updates(bert: Any, parts: Mapping[str, torch.Tensor]) -> None:
    """Put the trained maps and norms into a `BertModel`, in place: W + up @ down, where a layer was trained."""
    torch = import_torch()
    with torch.no_grad():
        for layer in range(bert.config.num_hidden_layers):
            for name, module in LINEAR_MAPS.items():
                down, up = (parts.get(part) for part in update_names(layer, name))
                if down is not None and up is not None:
                    bert.get_submodule(f"encoder.layer.{layer}.{module}").weight += up @ down
        for name, module in norm_modules(bert.config.num_hidden_layers).items():
            for kind in ("weight", "bias"):
                if (trained := parts.get(norm_name(name, kind))) is not None:
                    getattr(bert.get_submodule(module), kind).copy_(trained)


def merge_masked_words(model: Any, parts: Mapping[str, torch.Tensor], *, mask_id: int) -> None:
    """Put trained parts into a `BertForMaskedLM`, in place: maps and norms, the mask's vector and the head."""
    torch = import_torch()
    bert, head = model.bert, model.cls.predictions
    merge_updates(bert, parts)
    with torch.no_grad():
        bert.embeddings.word_embeddings.weight[mask_id].copy_(parts["embeddings.mask"])
        for module, name in ((head.transform.dense, "head.dense"), (head.transform.LayerNorm, "head.norm")):
            module.weight.copy_(parts[f"{name}.weight"])
            module.bias.copy_(parts[f"{name}.bias"])
        head.decoder.weight = bert.embeddings.word_embeddings.weight
        head.decoder.bias.copy_(parts["head.bias"])


def merge_types(bert: Any, parts: Mapping[str, torch.Tensor]) -> None:
    """Put the trained vectors of the two texts of a pair into a `BertModel`, in place."""
    torch = import_torch()
    with torch.no_grad():
        table = bert.embeddings.token_type_embeddings.weight
        if "embeddings.types" in parts:
            table.copy_(table[0] + parts["embeddings.types"])
