"""Coreference as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.linguistics.coreference.resolver import Linker

_FOLDER = Path(__file__).parent
_WEIGHTS = _FOLDER / "weights.safetensors"


def _load() -> Linker:
    from gistmeter.linguistics.coreference.resolver import load_linker

    return load_linker()


def _check(model: Linker) -> str:
    from gistmeter.linguistics.coreference.resolver import link_mentions
    from gistmeter.linguistics.parser import load_parser

    people = link_mentions(load_parser().parse(["Mary left.", "She was tired."], entities=True), model)
    return "" if people == [[(0, 1), (3, 4)]] else f"finds {people} in 'Mary left. She was tired.'"


ROLES = (
    Role(
        name="coreference",
        model="coreference",
        about="Which names, nouns and pronouns speak of the same.",
        licence="CC BY-SA 3.0",
        citation="trained by gistmeter train coreference on GUM (Zeldes, 2017) and GAP (Webster et al., 2018)",
        languages=("en",),
        load=_load,
        check=_check,
        files=(_WEIGHTS,),
        card=_FOLDER / "card.md",
    ),
)
