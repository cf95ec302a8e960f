"""Consistency as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.consistency.judge import ConsistencyJudge

_FOLDER = Path(__file__).parent


def _load() -> ConsistencyJudge:
    from gistmeter.models.consistency.judge import ConsistencyJudge

    return ConsistencyJudge()


def _check(model: ConsistencyJudge) -> str:
    document = "The council approved 6.8 million euros for the bridge on Monday. Two members voted against it."
    right, wrong = model.judge(
        [
            (document, "The council approved 6.8 million euros."),
            (document, "The council approved 8.6 million euros."),
        ]
    )
    if right.probability > 0.5 > wrong.probability:
        return ""
    return "does not tell what a document supports from what it does not"


ROLES = (
    Role(
        name="consistency",
        model="consistency",
        about="Whether a document supports a sentence: an adapter and a head on the encoder, and plain features.",
        licence="CC BY-SA 4.0",
        citation="trained by gistmeter train consistency",
        languages=("en",),
        by_name="any classifier of pairs with three classes (NLI), two or one",
        load=_load,
        check=_check,
        files=(_FOLDER / "weights.safetensors", _FOLDER / "combination.json"),
        card=_FOLDER / "card.md",
    ),
)
