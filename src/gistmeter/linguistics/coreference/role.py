"""Coreference as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.network_role import make_network_role

if TYPE_CHECKING:
    from gistmeter.linguistics.coreference.resolver import Linker


def _load() -> Linker:
    from gistmeter.linguistics.coreference.resolver import load_linker

    return load_linker()


def _check(model: Linker) -> str:
    from gistmeter.linguistics.coreference.resolver import link_mentions
    from gistmeter.linguistics.parser import load_parser

    people = link_mentions(load_parser().parse(["Mary left.", "She was tired."], entities=True), model)
    return "" if people == [[(0, 1), (3, 4)]] else f"finds {people} in 'Mary left. She was tired.'"


ROLES = (
    make_network_role(
        __file__,
        name="coreference",
        about="Which names, nouns and pronouns speak of the same.",
        trained_on="GUM (Zeldes, 2017) and GAP (Webster et al., 2018)",
        load=_load,
        check=_check,
    ),
)
