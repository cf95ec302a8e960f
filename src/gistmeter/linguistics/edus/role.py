"""Discourse units as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.linguistics.edus.segmenter import BoundaryNetwork

_FOLDER = Path(__file__).parent
_WEIGHTS = _FOLDER / "weights.safetensors"


def _load() -> BoundaryNetwork:
    from gistmeter.linguistics.edus.segmenter import load_boundaries

    return load_boundaries()


def _check(model: BoundaryNetwork) -> str:
    from gistmeter.linguistics.edus.segmenter import segment

    (units,) = segment(["He left because it rained."], network=model)
    return "" if len(units) == 2 else f"cuts 'He left because it rained.' into {len(units)}"


ROLES = (
    Role(
        name="edus",
        model="edus",
        about="Where elementary discourse units begin; other languages use sentences.",
        licence="CC BY-SA 3.0",
        citation="trained by gistmeter train edus on GUM (Zeldes, 2017)",
        languages=("en",),
        load=_load,
        check=_check,
        files=(_WEIGHTS,),
        card=_FOLDER / "card.md",
    ),
)
