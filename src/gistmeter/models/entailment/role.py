"""Entailment as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.entailment.model import Entailment

_FOLDER = Path(__file__).parent
_WEIGHTS = _FOLDER / "weights.safetensors"


def _load() -> Entailment:
    from gistmeter.models.entailment.model import load_entailment

    return load_entailment()


def _check(model: Entailment) -> str:
    from gistmeter.models.entailment.model import l3c

    premise = "A man in a red shirt is riding a bicycle down the street."
    labels = l3c(model.logits([(premise, "A man is riding a bicycle."), (premise, "A woman is asleep at home.")]))
    return "" if labels.tolist() == [1, 0] else "does not tell what a sentence entails from what it does not"


ROLES = (
    Role(
        name="entailment",
        model="entailment",
        about="Whether a text entails another: an adapter and a head on the encoder.",
        licence="CC BY-SA 4.0",
        citation="Zhang and Bansal (2021), Lite2-3Pyramid; trained by gistmeter train entailment",
        languages=("en",),
        by_name="any classifier of pairs with the classes entailment, neutral and contradiction",
        load=_load,
        check=_check,
        files=(_WEIGHTS,),
        card=_FOLDER / "card.md",
    ),
)
