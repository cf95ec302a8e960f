"""Networks that read two texts at once and say which of three classes their relation belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.adapters import merge_types, merge_updates, read_adapter, refuse_misfit
from gistmeter.models.runtime.architecture import Stack, read_max_tokens
from gistmeter.models.runtime.batch import pad_pairs
from gistmeter.models.runtime.load import import_torch, load_pretrained, move_to_device, torch_dtype
from gistmeter.models.runtime.packed import can_pack

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.models.runtime.states import StateArray
    from gistmeter.models.runtime.tokenizer import PairTokens

_FIRST_TOKEN_HEADS = {
    "BertForSequenceClassification": lambda model, first: model.classifier(model.bert.pooler(first)),
    "RobertaForSequenceClassification": lambda model, first: model.classifier(first),
    "XLMRobertaForSequenceClassification": lambda model, first: model.classifier(first),
    "CamembertForSequenceClassification": lambda model, first: model.classifier(first),
}
"""Classifiers whose head reads the state of the first token alone, so that the layers can run without padding."""


class PairNetwork(Protocol):
    """What gives three logits for each pair."""

    max_tokens: int

    def __call__(self, pairs: Sequence[PairTokens]) -> StateArray:
        """Three logits for each pair of tokens: entailment, neutral, contradiction."""
        ...


class HypothesisHead:
    """The adapted encoder, and a head on the state of the first token and the mean state of the hypothesis."""

    def __init__(self, model: Any, head: Mapping[str, torch.Tensor], *, device: str) -> None:
        self._stack = Stack(model, device=device, name="the embedded encoder")
        self._head = {name: part.float().numpy() for name, part in head.items()}
        self.max_tokens = self._stack.max_tokens

    def __call__(self, pairs: Sequence[PairTokens]) -> StateArray:
        """Three logits for each pair of tokens."""
        last = self._stack.depth
        # The head reads the first token and the hypothesis: the last layer makes no other states.
        rows = [np.append(0, np.arange(len(pair.ids))[pair.hypothesis]) for pair in pairs]
        states = self._stack([pair.ids for pair in pairs], [last], types=[pair.types for pair in pairs], rows=rows)
        pooled = np.stack([_pool_states(layers[last]) for layers in states])
        torch = import_torch()
        inner = pooled @ self._head["head.dense.weight"].T + self._head["head.dense.bias"]
        inner = torch.nn.functional.gelu(torch.from_numpy(inner)).numpy()
        logits: StateArray = inner @ self._head["head.out.weight"].T + self._head["head.out.bias"]
        return logits


class NamedClassifier:
    """A classifier of transformers; `columns` says which of its outputs are entailment, neutral, contradiction."""

    def __init__(self, model: Any, *, columns: Sequence[int], device: str, pad_id: int, name: str) -> None:
        self._model, self._columns, self._device, self._pad_id = model, list(columns), device, pad_id
        self._first_token = _FIRST_TOKEN_HEADS.get(type(model).__name__)
        if not can_pack(model, device):
            self._first_token = None
        self._stack = Stack(model.base_model, device=device, name=name) if self._first_token else None
        self._types = getattr(model.config, "type_vocab_size", 0) > 1
        self.max_tokens = read_max_tokens(model.config)

    def __call__(self, pairs: Sequence[PairTokens]) -> StateArray:
        """Three logits for each pair of tokens."""
        torch = import_torch()
        with torch.inference_mode():
            logits = self._run_packed(pairs) if self._stack is not None else self._run_padded(pairs)
            result: StateArray = logits[:, self._columns].float().cpu().numpy()
        return result

    def _run_packed(self, pairs: Sequence[PairTokens]) -> Any:
        torch, stack, head = import_torch(), self._stack, self._first_token
        assert stack is not None and head is not None  # noqa: PT018, S101  (set together)
        types = [pair.types for pair in pairs] if self._types else None
        states = stack([pair.ids for pair in pairs], [stack.depth], types=types)
        first = torch.from_numpy(np.stack([layers[stack.depth][:1] for layers in states]))
        return head(self._model, first.to(self._model.dtype))

    def _run_padded(self, pairs: Sequence[PairTokens]) -> Any:
        torch = import_torch()
        inputs = pad_pairs(pairs, self._pad_id, types=self._types)
        return self._model(**{name: torch.from_numpy(array).to(self._device) for name, array in inputs.items()}).logits


class MergedEncoder(NamedTuple):
    """The embedded encoder with trained parts merged in, and the tensors of its head by name."""

    model: Any
    head: dict[str, Any]


def load_adapted(checkpoint: Checkpoint, adapter: Path, *, dtype: Dtype, device: str) -> MergedEncoder:
    """The embedded encoder with trained parts merged in, and its head, which must be one for pairs."""
    merged = load_merged_encoder(checkpoint, adapter, dtype=dtype, device=device)
    if "head.out.weight" not in merged.head:
        raise MetricError(f"{adapter.name} has no head for pairs: `gistmeter train entailment` writes such weights")
    return merged


def load_merged_encoder(checkpoint: Checkpoint, adapter: Path, *, dtype: Dtype, device: str) -> MergedEncoder:
    """The embedded encoder with the parts in a file merged in, and those of the head, whatever it is."""
    return merge_encoder(checkpoint, read_adapter(adapter, base=checkpoint), dtype=dtype, device=device)


def merge_encoder(
    checkpoint: Checkpoint, parts: Mapping[str, torch.Tensor], *, dtype: Dtype, device: str
) -> MergedEncoder:
    """The embedded encoder with trained maps, norms and types merged in, and the parts of the head."""
    model = load_pretrained(checkpoint, "AutoModel", dtype="fp32").model
    with refuse_misfit(checkpoint.name):
        merge_updates(model, parts)
        merge_types(model, parts)
    head = {name: part for name, part in parts.items() if name.startswith("head.")}
    return MergedEncoder(move_to_device(model.to(torch_dtype(dtype)), device), head)


def load_classifier(
    checkpoint: Checkpoint,
    *,
    labels: Sequence[str] | None,
    dtype: Dtype,
    device: str,
    pad_id: int,
    order: Sequence[str],
) -> NamedClassifier:
    """A checkpoint's own classifier of pairs, with all its weights present and known classes."""
    kind = "AutoModelForSequenceClassification"
    model, missing = load_pretrained(checkpoint, kind, dtype=dtype, purpose=" as an entailment model")
    refuse_random(checkpoint.name, missing)
    columns = match_columns(model.config.id2label, labels, order=order, name=checkpoint.name)
    return NamedClassifier(
        move_to_device(model, device), columns=columns, device=device, pad_id=pad_id, name=checkpoint.name
    )


def refuse_random(name: str, missing: Iterable[str]) -> None:
    """Refuse a model whose head would be random."""
    random = [key for key in missing if not key.endswith("position_ids")]
    if random:
        raise MetricError(
            f"{name} has no classification head ({random[0]} is missing, and would be random): name a model trained "
            "on entailment such as roberta-large-mnli, or leave the model out to use the embedded one"
        )


def match_columns(
    own_labels: Mapping[int, str], labels: Sequence[str] | None, *, order: Sequence[str], name: str
) -> tuple[int, ...]:
    """Which outputs of a model are the classes in `order`: by the labels given, or by those it knows itself.

    >>> classes = ("entailment", "neutral", "contradiction")
    >>> match_columns({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, None, order=classes, name="m")
    (2, 1, 0)
    """
    if len(own_labels) != len(order):
        raise MetricError(
            f"{name} has {len(own_labels)} classes, but three are needed ({', '.join(order)}): name a model trained on "
            "three-way entailment"
        )
    given_labels = labels if labels is not None else [str(own_labels[index]) for index in range(len(own_labels))]
    classes = [_match_class(label, order) for label in given_labels]
    if sorted(classes) != list(range(len(order))):
        way = "labels names each of them once, in the order of the outputs" if labels else "give labels"
        raise MetricError(
            f"the classes of {name} are called {', '.join(given_labels)}, and which are {', '.join(order)} "
            f"is not known: {way}, such as labels=contradiction/neutral/entailment"
        )
    return tuple(classes.index(index) for index in range(len(order)))


def _match_class(label: str, order: Sequence[str]) -> int:
    """The class that a label begins ("ENTAILMENT", "entail", "c"), or -1; "not entailment" begins none."""
    plain = "".join(filter(str.isalpha, label.lower()))
    return next((index for index, name in enumerate(order) if plain and name.startswith(plain)), -1)


def _pool_states(states: StateArray) -> StateArray:
    """The first state, and the mean of the others."""
    mean = states[1:].mean(axis=0) if len(states) > 1 else np.zeros_like(states[0])
    return np.concatenate([states[0], mean])
