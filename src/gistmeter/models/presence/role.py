"""Presence as roles: the judge, and the entailment model that it listens to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.entailment.model import Entailment
    from gistmeter.models.presence.judge import Presence

_FOLDER = Path(__file__).parent
_NETWORKS = _FOLDER / "weights.safetensors"
_READER = _FOLDER / "entailment.safetensors"
_SUMMARY = "The mayor opened a new bridge."
_UNRELATED_SUMMARY = "Cats sleep all day long."
_UNIT = "A new bridge was opened by the mayor."
_COMPLAINT = "finds what a text says no likelier than what it does not say"


def _load_judge() -> Presence:
    from gistmeter.models.presence.judge import load_presence

    return load_presence()


def _check_judge(model: Presence) -> str:
    stated, absent = model.probabilities([(_SUMMARY, _UNIT), (_UNRELATED_SUMMARY, _UNIT)])
    return "" if stated > absent else _COMPLAINT


def _load_reader() -> Entailment:
    from gistmeter.models.entailment.model import load_entailment

    return load_entailment(str(_READER))


def _check_reader(model: Entailment) -> str:
    from gistmeter.models.entailment.model import p2c

    stated, absent = p2c(model.logits([(_SUMMARY, _UNIT), (_UNRELATED_SUMMARY, _UNIT)]))
    return "" if stated > absent else _COMPLAINT


ROLES = (
    Role(
        name="presence",
        model="presence",
        about="Whether a summary states a content unit: small networks on token matches.",
        licence="CC BY 4.0",
        citation="trained by gistmeter train presence on REALSumm (Bhandari et al., 2020) and PyrXSum "
        "(Zhang and Bansal, 2021)",
        languages=("en",),
        load=_load_judge,
        check=_check_judge,
        files=(_NETWORKS,),
        card=_FOLDER / "card.md",
    ),
    Role(
        name="presence-entailment",
        model="entailment-presence",
        about="The entailment model fine-tuned on the same labels, heard with the networks.",
        licence="CC BY-SA 4.0",
        citation="trained by gistmeter train entailment on REALSumm (Bhandari et al., 2020) and PyrXSum "
        "(Zhang and Bansal, 2021)",
        languages=("en",),
        by_name="weights of gistmeter train entailment",
        load=_load_reader,
        check=_check_reader,
        files=(_READER,),
        card=_FOLDER / "entailment.md",
    ),
)
