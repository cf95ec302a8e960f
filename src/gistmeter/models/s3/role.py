"""S3 as roles: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.s3.regression import SHIPPED, find_regression, read_regression
from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.models.easiness.ridge import Ridge


def _load(target: str) -> Ridge:
    return read_regression(find_regression(SHIPPED, target))


def _check(model: Ridge) -> str:
    (mean,) = model.predict([model.means])
    return "" if 0 < mean < 1 else f"predicts {mean} for the mean summary"


def _describe(target: str, about: str) -> Role:
    file = find_regression(SHIPPED, target)
    return Role(
        name=f"s3-{target}",
        model=f"s3-{target}",
        about=about,
        licence="Apache-2.0",
        citation="after Peyrard et al. (2017), Learning to Score System Summaries; trained by gistmeter train s3",
        languages=("en",),
        by_name="a regression that gistmeter train s3 wrote",
        load=lambda: _load(target),
        check=_check,
        files=(file,),
        card=file.with_name(f"{target}.md"),
    )


ROLES = (
    _describe("pyr", "The share of content units that people would find in a summary, from overlap with references."),
    _describe("resp", "How relevant experts would find a summary, from overlap with references."),
)
