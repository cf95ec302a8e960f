"""The role of a small network for English that gistmeter trained: its weights and its card lie beside its code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.weights import Role

if TYPE_CHECKING:
    from collections.abc import Callable


def make_network_role(
    module_file: str,
    *,
    name: str,
    about: str,
    trained_on: str,
    load: Callable[[], Any],
    check: Callable[[Any], str],
    by_name: str = "-",
) -> Role:
    """The role `name`, from the module that exports it.

    `trained_on` says which texts `gistmeter train NAME` learned from. GUM is among them for every such network, and the
    weights are under its licence.
    """
    folder = Path(module_file).parent
    return Role(
        name=name,
        model=name,
        about=about,
        licence="CC BY-SA 3.0",
        citation=f"trained by gistmeter train {name} on {trained_on}",
        languages=("en",),
        by_name=by_name,
        load=load,
        check=check,
        files=(folder / "weights.safetensors",),
        card=folder / "card.md",
    )
