"""Masked words as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.masked_words.model import MaskedWords

_FOLDER = Path(__file__).parent
_WEIGHTS = _FOLDER / "weights.safetensors"


def _load() -> MaskedWords:
    from gistmeter.models.masked_words.model import load_masked_words

    return load_masked_words()


def _check(model: MaskedWords) -> str:
    from gistmeter.models.masked_words.model import predict_words

    (words,) = predict_words(model, "The capital of France is [MASK].", count=10)
    return "" if "paris" in words else f"completes 'The capital of France is' with {words[0]}"


ROLES = (
    Role(
        name="masked-words",
        model="masked-words",
        about="Which word stands under a mask: an adapter and a head on the encoder.",
        licence="Apache-2.0",
        citation="trained by gistmeter train masked-words",
        languages=("en",),
        by_name="any masked language model",
        load=_load,
        check=_check,
        files=(_WEIGHTS,),
        card=_FOLDER / "card.md",
    ),
)
