"""Easiness as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.easiness.boosting import WEIGHTS, read_boosted_trees
from gistmeter.models.easiness.regressor import EMBEDDED_69, read_regressor
from gistmeter.models.easiness.ridge import RIDGE_WEIGHTS, Ridge
from gistmeter.weights import EMBEDDED, Role

if TYPE_CHECKING:
    from gistmeter.models.easiness.regressor import Regressor


def _check(model: Regressor) -> str:
    row = model.means if isinstance(model, Ridge) else [0.0] * model.features
    (overlap,) = model.predict([row])
    return "" if 0 < overlap < 1 else f"predicts an overlap of {overlap}"


ROLES = (
    Role(
        name="easiness",
        model="easiness",
        about="How well a machine can cut a sentence into content units.",
        licence="Apache-2.0",
        citation="after Zhang and Bansal (2021), Lite2.xPyramid; trained by gistmeter train easiness",
        languages=("en",),
        by_name="embedded-69, or a regressor in XGBoost's JSON",
        load=lambda: read_regressor(EMBEDDED),
        check=_check,
        files=(RIDGE_WEIGHTS,),
        card=RIDGE_WEIGHTS.with_name("card.md"),
    ),
    Role(
        name="easiness-69",
        model=EMBEDDED_69,
        about="The same from the paper's 69 features of phrase trees.",
        licence="Apache-2.0",
        citation="Zhang and Bansal (2021), Lite2.xPyramid; trained by gistmeter train easiness --features trees",
        languages=("en",),
        by_name="a regressor in XGBoost's JSON",
        load=lambda: read_boosted_trees(WEIGHTS),
        check=_check,
        files=(WEIGHTS,),
        card=WEIGHTS.with_name("card-69.md"),
    ),
)
