"""The masked-words role: which word stands under a mask, and the states of masked tokens.

The embedded model is the embedded encoder with parts that gistmeter trained (`card.md`); by name or
path any masked language model of transformers. A checkpoint without a masked-word head is refused: transformers would
fill the head with random numbers.
"""

from __future__ import annotations

import copy
import functools
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.adapters import merge_masked_words, read_adapter, refuse_misfit
from gistmeter.models.runtime.architecture import Stack
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import import_torch, load_pretrained, move_to_device, torch_dtype
from gistmeter.models.runtime.locate import Checkpoint, Identity, identify, locate_adapted
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import StateArray, Tokens

WEIGHTS = Path(__file__).parent / "weights.safetensors"


class MaskedWords:
    """A masked language model. What it says of one sequence never depends on what else is asked."""

    def __init__(
        self, checkpoint: Checkpoint, *, adapter: Path | None, dtype: Dtype, settings: RuntimeSettings
    ) -> None:
        tokenizer = Tokenizer(checkpoint)
        if tokenizer.mask_id is None:
            raise MetricError(f"{checkpoint.name} has no mask token, so it cannot predict masked words")
        self.name, self.digest = identify(checkpoint, adapter)
        self.mask_id, self.pad_id = tokenizer.mask_id, tokenizer.pad_id
        self._tokenizer = tokenizer
        self._settings = settings
        self.network = _load_network(
            checkpoint, adapter=adapter, mask_id=tokenizer.mask_id, dtype=dtype, device=settings.device
        )
        self._stack = Stack(self.network.base_model, device=settings.device, name=checkpoint.name)
        self._head = _detach_head(self.network)
        self.depth, self.width = self._stack.depth, self._stack.width
        self.max_tokens = min(self._stack.max_tokens, tokenizer.max_tokens)
        self.vocabulary = int(self.network.config.vocab_size)

    def with_network(self, network: Any) -> MaskedWords:
        """This model with another network of the same kind in it."""
        other = copy.copy(self)
        other.network = network
        other._stack = Stack(network.base_model, device=self._settings.device, name=self.name)
        other._head = _detach_head(network)
        return other

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of texts with their places, special ones included, however long the texts are."""
        return self._tokenizer(texts)

    def word(self, token: int) -> str:
        """A token as the vocabulary spells it."""
        return self._tokenizer.decode(token)

    def states(self, ids: Sequence[IntArray], layers: Sequence[int]) -> list[dict[int, StateArray]]:
        """The states at some layers of sequences of ids, masks in place, in the order of the sequences."""
        wanted = tuple(sorted(set(layers)))
        self._stack.check(wanted)
        states_by_row: dict[int, dict[int, StateArray]] = {}
        for batch in self._batches(ids):
            states_by_row.update(zip(batch, self._stack([ids[i] for i in batch], wanted), strict=True))
        return [states_by_row[i] for i in range(len(ids))]

    def predict(self, ids: Sequence[IntArray], positions: Sequence[IntArray]) -> list[StateArray]:
        """What the model says of each asked position: one row of logits over the vocabulary per position."""
        logits_by_row: dict[int, StateArray] = {}
        for batch in self._batches(ids):
            asked_positions = [np.asarray(positions[i], dtype=np.int64) for i in batch]
            rows = self._logits([ids[i] for i in batch], asked_positions)
            cuts = np.cumsum([len(rows_asked) for rows_asked in asked_positions])[:-1]
            logits_by_row.update(zip(batch, np.split(rows, cuts), strict=True))
        return [logits_by_row[i] for i in range(len(ids))]

    def _batches(self, ids: Sequence[IntArray]) -> Iterator[list[int]]:
        lengths = [len(sequence) for sequence in ids]
        longest = max(lengths, default=0)
        if longest > self.max_tokens:
            raise MetricError(f"{self.name} reads {self.max_tokens} tokens at once, not {longest}")
        return split_into_batches(lengths, self._settings.batch_tokens)

    def _logits(self, ids: Sequence[IntArray], positions: Sequence[IntArray]) -> StateArray:
        """The head's logits at the asked positions alone, because the vocabulary is wide."""
        torch = import_torch()
        last = self._stack(ids, (self.depth,))
        asked = [states[self.depth][rows_asked] for states, rows_asked in zip(last, positions, strict=True)]
        rows = torch.from_numpy(np.concatenate([*asked, np.empty((0, self.width), dtype=np.float32)]))
        with torch.inference_mode():
            output = self._head(rows.to(self._settings.device, self._head.dtype).unsqueeze(0), return_dict=True)
            logits: StateArray = output.logits[0].float().cpu().numpy()
        return logits


def load_masked_words(name: str = EMBEDDED, *, dtype: Dtype = "fp32") -> MaskedWords:
    """The masked-word model of a name: `embedded`, a folder or a Hugging Face name. Loaded once per process."""
    return _load_masked_words_once(name, dtype, current_settings())


def predict_words(model: MaskedWords, text: str, *, count: int = 5) -> list[list[str]]:
    """The likeliest tokens for each `[MASK]` written in a text.

    >>> predict_words(load_masked_words(), "The prime [MASK] said that taxes would not rise.", count=1)
    [['minister']]
    """
    (tokens,) = model.tokens([text])
    masks = np.flatnonzero(tokens.ids == model.mask_id)
    (logits,) = model.predict([tokens.ids], [masks])
    return [[model.word(int(token)) for token in np.argsort(-row, kind="stable")[:count]] for row in logits]


def masked_words_identity(name: str = EMBEDDED) -> Identity:
    """What a masked-word model is called and a digest of its weights, found without loading it."""
    return identify(*locate_adapted(name, WEIGHTS))


@functools.lru_cache(maxsize=2)
def _load_masked_words_once(name: str, dtype: Dtype, settings: RuntimeSettings) -> MaskedWords:
    checkpoint, adapter = locate_adapted(name, WEIGHTS)
    return MaskedWords(checkpoint, adapter=adapter, dtype=dtype, settings=settings)


def _load_network(checkpoint: Checkpoint, *, adapter: Path | None, mask_id: int, dtype: Dtype, device: str) -> Any:
    read_as = "fp32" if adapter else dtype  # the adapter is merged before numbers are rounded
    kind = "AutoModelForMaskedLM"
    model, missing = load_pretrained(checkpoint, kind, dtype=read_as, purpose=" as a masked-word model")
    if adapter is not None:
        parts = read_adapter(adapter, base=checkpoint)
        if "embeddings.mask" not in parts:
            raise MetricError(
                f"{adapter.name} has no masked-word head: `gistmeter train masked-words` writes such weights"
            )
        with refuse_misfit(checkpoint.name):
            merge_masked_words(model, parts, mask_id=mask_id)
    else:
        _check_head(checkpoint, model, missing)
    return move_to_device(model.to(torch_dtype(dtype)), device)


def _detach_head(network: Any) -> Any:
    """The network without its layers: given states in the place of ids, it says what its head makes of them."""
    from transformers.modeling_outputs import BaseModelOutput

    torch = import_torch()

    class Given(torch.nn.Module):  # type: ignore[name-defined,misc]
        def forward(self, states: Any, **_: Any) -> Any:
            return BaseModelOutput(last_hidden_state=states)

    head = copy.copy(network)
    head._modules = {**network._modules, network.base_model_prefix: Given()}
    return head


def _check_head(checkpoint: Checkpoint, model: Any, missing: Iterable[str]) -> None:
    """Refuse a model whose weights are partly random; one tied to the input embeddings is not missing."""
    if model.config.is_encoder_decoder:
        raise MetricError(
            f"{checkpoint.name} is an encoder-decoder: name a masked language model such as bert-base-uncased"
        )
    tied = set(getattr(model, "all_tied_weights_keys", None) or {})
    random = [key for key in missing if key not in tied and not key.endswith("position_ids")]
    if random:
        raise MetricError(
            f"{checkpoint.name} has no masked-word head ({random[0]} is missing, and would be random): name a masked "
            "language model such as bert-base-uncased, or leave the model out to use the embedded one"
        )
