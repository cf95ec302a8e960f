"""Easiness as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.easiness.boosting import WEIGHTS, read_boosted_trees
from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.easiness.boosting import BoostedTrees


def _check(model: BoostedTrees) -> str:
    (overlap,) = model.predict([[0.0] * model.features])
    return "" if 0 < overlap < 1 else f"predicts an overlap of {overlap}"


ROLES = (
    Role(
        name="easiness",
        model="easiness",
        about="How well a machine can cut a sentence into content units.",
        licence="Apache-2.0",
        citation="Zhang and Bansal (2021), Lite2.xPyramid; trained by gistmeter train easiness",
        languages=("en",),
        by_name="a regressor in XGBoost's JSON",
        load=lambda: read_boosted_trees(WEIGHTS),
        check=_check,
        files=(WEIGHTS,),
        card=WEIGHTS.with_name("card.md"),
    ),
)
