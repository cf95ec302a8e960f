"""Sequence-to-sequence checkpoints: loaded with their tokenizer, and refused where a part of them would be random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.models.runtime.architecture import read_max_tokens
from gistmeter.models.runtime.load import first_line, load_pretrained, move_to_device

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.models.runtime.locate import Checkpoint


class SequenceModel(NamedTuple):
    """A network that writes, its tokenizer, and how many tokens it reads."""

    network: Any
    tokenizer: Any
    longest: int


def load_sequence_model(checkpoint: Checkpoint, *, device: str, purpose: str, way_out: str) -> SequenceModel:
    """A checkpoint that writes; `purpose` and `way_out` end the sentences that say why it cannot, and what to do."""
    tokenizer = _load_tokenizer(checkpoint)
    model, missing = load_pretrained(checkpoint, "AutoModelForSeq2SeqLM", dtype="fp32", purpose=purpose)
    _refuse_random(checkpoint.name, model, missing, way_out)
    if model.generation_config.decoder_start_token_id is None and model.generation_config.bos_token_id is None:
        raise MetricError(
            f"{checkpoint.name} does not say with which token it begins to write (decoder_start_token_id)"
        )
    longest = min(tokenizer.model_max_length, read_max_tokens(model.config))
    return SequenceModel(move_to_device(model, device), tokenizer, longest)


def _load_tokenizer(checkpoint: Checkpoint) -> Any:
    transformers = require("transformers", "a model")
    try:
        return transformers.AutoTokenizer.from_pretrained(
            str(checkpoint.folder), local_files_only=True, trust_remote_code=False
        )
    except Exception as error:
        raise MetricError(f"{checkpoint.name} has no tokenizer that can be read: {first_line(error)}") from None


def _refuse_random(name: str, model: Any, missing: Iterable[str], way_out: str) -> None:
    """Refuse a model whose weights are partly random; a head tied to the embeddings is not missing."""
    tied = set(getattr(model, "all_tied_weights_keys", None) or {})
    random = [key for key in missing if key not in tied and not key.endswith(("position_ids", "final_logits_bias"))]
    if random:
        raise MetricError(f"{name} has no head that writes ({random[0]} is missing, and would be random): {way_out}")
