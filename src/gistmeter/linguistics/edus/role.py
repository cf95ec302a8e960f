"""Discourse units as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.network_role import make_network_role

if TYPE_CHECKING:
    from gistmeter.linguistics.edus.segmenter import BoundaryNetwork


def _load() -> BoundaryNetwork:
    from gistmeter.linguistics.edus.segmenter import load_boundaries

    return load_boundaries()


def _check(model: BoundaryNetwork) -> str:
    from gistmeter.linguistics.edus.segmenter import segment

    (units,) = segment(["He left because it rained."], network=model)
    return "" if len(units) == 2 else f"cuts 'He left because it rained.' into {len(units)}"


ROLES = (
    make_network_role(
        __file__,
        name="edus",
        about="Where elementary discourse units begin; other languages use sentences.",
        trained_on="GUM (Zeldes, 2017)",
        load=_load,
        check=_check,
    ),
)
