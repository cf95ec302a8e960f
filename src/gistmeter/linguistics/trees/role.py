"""Phrase-structure trees as a role: what `gistmeter models` lists and checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.weights import Role

if TYPE_CHECKING:
    from gistmeter.linguistics.trees.network import TreeNetwork

_FOLDER = Path(__file__).parent
_WEIGHTS = _FOLDER / "weights.safetensors"


def _load() -> TreeNetwork:
    from gistmeter.linguistics.trees.network import load_tree_network

    return load_tree_network()


def _check(model: TreeNetwork) -> str:
    from gistmeter.linguistics.parser import load_parser
    from gistmeter.linguistics.trees.parser import make_trees

    (tree,) = make_trees([load_parser().nlp.make_doc("The cat sleeps.")], model)
    expected = "(S (NP (DT The) (NN cat)) (VP (VBZ sleeps)) (. .))"
    return "" if str(tree) == expected else f"reads 'The cat sleeps.' as {tree}"


ROLES = (
    Role(
        name="trees",
        model="trees",
        about="Phrase-structure trees from the dependency parse.",
        licence="CC BY-SA 3.0",
        citation="trained by gistmeter train trees on GUM (Zeldes, 2017)",
        languages=("en",),
        by_name="a model of benepar",
        load=_load,
        check=_check,
        files=(_WEIGHTS,),
        card=_FOLDER / "card.md",
    ),
)
