"""Networks that read a question and a text together and say of each token how likely an answer starts or ends there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.architecture import Stack, read_max_tokens
from gistmeter.models.runtime.batch import pad_pairs
from gistmeter.models.runtime.load import import_torch, load_pretrained, move_to_device
from gistmeter.models.runtime.packed import can_pack
from gistmeter.models.runtime.pair_classifier import load_merged_encoder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.models.runtime.states import StateArray
    from gistmeter.models.runtime.tokenizer import QuestionTokens


_KIND = "AutoModelForQuestionAnswering"
_HEAD = "qa_outputs"


class SpanReader(Protocol):
    """What gives the logits of starts and ends."""

    max_tokens: int

    def __call__(self, pairs: Sequence[QuestionTokens]) -> list[tuple[FloatArray, FloatArray]]:
        """For each pair the logits of starts and of ends: of its `null`, then of each token of the text."""
        ...


class HeadOnStates:
    """A network of layers, and a linear head with two outputs on each of its last states."""

    def __init__(self, model: Any, weight: StateArray, bias: StateArray, *, device: str, name: str) -> None:
        self._stack = Stack(model, device=device, name=name)
        self._weight, self._bias = weight, bias
        self._types = getattr(model.config, "type_vocab_size", 0) > 1
        self.max_tokens = self._stack.max_tokens

    def __call__(self, pairs: Sequence[QuestionTokens]) -> list[tuple[FloatArray, FloatArray]]:
        """The logits of starts and of ends of each pair."""
        last = self._stack.depth
        types = [pair.types for pair in pairs] if self._types else None
        states = self._stack([pair.ids for pair in pairs], [last], types=types)
        logits = [layers[last] @ self._weight.T + self._bias for layers in states]
        return [_split_logits(pair_logits, pair) for pair_logits, pair in zip(logits, pairs, strict=True)]


class NamedReader:
    """A question-answering model of transformers, whatever its head."""

    def __init__(self, model: Any, *, device: str, pad_id: int) -> None:
        self._model, self._device, self._pad_id = model, device, pad_id
        self._types = getattr(model.config, "type_vocab_size", 0) > 1
        self.max_tokens = read_max_tokens(model.config)

    def __call__(self, pairs: Sequence[QuestionTokens]) -> list[tuple[FloatArray, FloatArray]]:
        """The logits of starts and of ends of each pair."""
        torch = import_torch()
        inputs = pad_pairs(pairs, self._pad_id, types=self._types)
        with torch.inference_mode():
            given = self._model(**{name: torch.from_numpy(array).to(self._device) for name, array in inputs.items()})
            both = torch.stack([given.start_logits, given.end_logits], dim=2).float().cpu().numpy()
        return [_split_logits(rows, pair) for rows, pair in zip(both, pairs, strict=True)]


def load_adapted_reader(checkpoint: Checkpoint, adapter: Path, *, dtype: Dtype, device: str) -> SpanReader:
    """The embedded encoder with trained parts merged in, and its head."""
    model, head = load_merged_encoder(checkpoint, adapter, dtype=dtype, device=device)
    weight = head.get("head.out.weight")
    if weight is None or weight.shape[0] != 2:
        raise MetricError(f"{adapter.name} has no head for answers: `gistmeter train answering` writes such weights")
    return HeadOnStates(model, weight.numpy(), head["head.out.bias"].numpy(), device=device, name=checkpoint.name)


def load_named_reader(checkpoint: Checkpoint, *, dtype: Dtype, device: str, pad_id: int) -> SpanReader:
    """A checkpoint's own question-answering model, with all its weights present."""
    model, missing = load_pretrained(checkpoint, _KIND, dtype=dtype, purpose=" as a question-answering model")
    random = [key for key in missing if not key.endswith("position_ids") and "pooler" not in key]
    if random:
        raise MetricError(
            f"{checkpoint.name} has no question-answering head ({random[0]} is missing, and would be random): name a "
            "model trained on SQuAD, or leave the model out to use the embedded one"
        )
    model = move_to_device(model, device)
    head = getattr(model, _HEAD, None)
    if head is not None and type(head).__name__ == "Linear" and can_pack(model, device):
        weight, bias = (part.detach().float().numpy() for part in (head.weight, head.bias))
        return HeadOnStates(model.base_model, weight, bias, device=device, name=checkpoint.name)
    return NamedReader(model, device=device, pad_id=pad_id)


def _split_logits(logits: StateArray, pair: QuestionTokens) -> tuple[FloatArray, FloatArray]:
    """The logits of "not answerable" and of the text, as starts and ends."""
    rows = np.asarray(logits, dtype=np.float64)[np.concatenate([[pair.null], pair.hypothesis])]
    return rows[:, 0], rows[:, 1]
